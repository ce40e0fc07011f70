import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { findingsOf } from '@aisle/contract/kernel/problems'
import type { CallFailure } from '../../live/failure'
import type { Text } from '../../ui/text'

/** What is wrong, by the path of the field. */
export type Faults = Readonly<Record<string, string>>

/** By the call's own schema, so that the form and the server say the same. */
export function faultsOf(endpoint: Endpoint, input: unknown, t: Text<'notice'>, kernel: Text<'kernel'>): Faults {
  const parsed = endpoint.input.safeParse(input)
  const found: Record<string, string> = {}
  for (const finding of parsed.error?.issues.flatMap((issue) => findingsOf(issue, input)) ?? []) {
    const { path, reason, vars, rule } = finding
    found[path] ??= rule ? t.any(`rule.${rule.rule}`) : kernel.any(`field.${reason}`, vars)
  }
  return found
}

export const faultsIn = (failure: CallFailure | null): Faults =>
  Object.fromEntries(
    (failure?.fields ?? []).filter(({ path }) => path !== 'version').map(({ path, msg }) => [path, msg]),
  )
