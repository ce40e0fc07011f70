import { type RefusalStatus, refusalOf } from '@aisle/contract/kernel/refusal'

/** `now`: of a field that somebody else changed meanwhile, what it holds, so that a form can go on from there. */
export type FieldProblem = { path: string; reason: string; msg: string; now?: unknown }

/** An expected refusal: declared in the contract, worded in the user's language at the edge. Nothing has changed. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly status: RefusalStatus,
    readonly domain: string,
    readonly vars: Record<string, string | number>,
    readonly fields: readonly FieldProblem[] = [],
  ) {
    super(code)
  }
}

/** @throws RangeError for a code that no domain declares, which is a bug. */
export function refusal(
  code: string,
  vars: Record<string, string | number> = {},
  fields: readonly FieldProblem[] = [],
): Refusal {
  const declared = refusalOf(code)
  if (!declared) throw new RangeError(`refusal not declared: ${code}`)
  return new Refusal(code, declared.status, declared.domain, vars, fields)
}

/** @throws Refusal always */
export function refuse(
  code: string,
  vars: Record<string, string | number> = {},
  fields: readonly FieldProblem[] = [],
): never {
  throw refusal(code, vars, fields)
}

/** What a request asks for. That it is out of sight is told as that it is nowhere. @throws Refusal if it is missing */
export const existing = <T>(found: T | null | undefined): T => found ?? refuse('request.notFound')
