type Facts = Record<string, unknown> | null

export type Change = { name: string; before: unknown; after: unknown }

/** What differs between two states of a thing, in the order of the newer one; what was there and stayed is left out. */
export function changesOf(before: Facts, after: Facts): Change[] {
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])
  return [...names]
    .map((name) => ({ name, before: before?.[name], after: after?.[name] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

export function factText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
