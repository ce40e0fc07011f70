import type { FieldFault } from '../../live/failure'
import type { Values } from './schema'

/** What a refused save says of the newer row: the fields that differ from what was sent, as they are now. */
export type Newer = { version: number | null; now: Values }

/** Nothing of it in any other failure. */
export function newerIn(fields: readonly FieldFault[]): Newer {
  const version = fields.find(({ path, reason }) => path === 'version' && reason === 'now')?.msg
  const changed = fields.filter(({ reason, now }) => reason === 'changed' && now !== undefined)
  return {
    version: version === undefined ? null : Number(version),
    now: Object.fromEntries(changed.map(({ path, now }) => [path, now])),
  }
}

/**
 * What stands in the form over the newer row: what the person changed themselves stays, all else becomes what it is
 * now, so that saving again writes their own changes and nothing else.
 * @param read as the row was when they began
 * @returns the values, and the fields in which the newer one was taken
 */
export function overNewer<V extends Values>(values: V, read: Values, now: Values): { values: V; taken: string[] } {
  const taken = Object.keys(now).filter((name) => isSame(values[name], read[name]))
  const newer = Object.fromEntries(taken.map((name) => [name, now[name]]))
  return { values: { ...values, ...newer }, taken }
}

/** An emptied field and one that never held anything are the same; so are sets in another order. */
const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  return JSON.stringify(Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value)
}
