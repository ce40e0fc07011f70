import { type RawBuilder, sql } from 'kysely'
import { allOf, holds } from './list'

const LONGEST = 3
/** Columns that `search_keys` takes. */
const KEYED = 4

/**
 * The keys of what somebody typed, as `search_keys` cuts what is looked in (migration 0212): its runs of three
 * characters, or of as many as there are. Of a single letter there are none: nearly every name has it.
 */
export function keysOf(typed: string): string[] {
  const characters = [...typed.toLowerCase()]
  const size = Math.min(LONGEST, characters.length)
  if (size === 1 && (characters[0] ?? '') <= '\u007f') return []
  const runs = characters.slice(size - 1).map((_, at) => characters.slice(at, at + size).join(''))
  return [...new Set(runs)]
}

/** Whether one of up to four columns holds what somebody typed, whatever its case; by the index over their keys. */
export function holdsAny(columns: readonly RawBuilder<unknown>[], typed: string): RawBuilder<boolean> {
  const keys = keysOf(typed)
  const looked = columns.map((column) => holds(column, typed))
  const indexed = [...columns, sql`''`, sql`''`, sql`''`].slice(0, KEYED)
  return allOf([
    keys.length > 0 && sql`search_keys(${sql.join(indexed)}) @> ${keys}::text[]`,
    sql`(${sql.join(looked, sql` or `)})`,
  ])
}
