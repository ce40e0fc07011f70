import type { UserEvent } from '@aisle/contract/people/user'

type Facts = Record<string, unknown> | null

/** What an entry of the audit log changed, field by field; what stayed the same is left out. */
export function changesOf(before: Facts, after: Facts): UserEvent['changes'] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
