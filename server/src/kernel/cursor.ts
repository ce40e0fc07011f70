import { refuse } from './refuse'
import { isStorable } from './files/storable'

/** Where a page ends, as the client hands it back; opaque to it, checked by the query that uses it. */
export const writeCursor = (key: Record<string, string | number | null>): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

/** @throws Refusal `request.invalid` for a cursor that is not ours */
export function readCursor<K extends Record<string, string | number | null>>(
  cursor: string | undefined,
  isKey: (value: unknown) => value is K,
): K | null {
  if (cursor === undefined) return null
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (isKey(key) && Object.values(key).every((part) => typeof part !== 'string' || isStorable(part))) return key
  } catch {
    // Not JSON: the same refusal as any other cursor that is not ours.
  }
  return refuse('request.invalid', {}, [{ path: 'cursor', reason: 'invalid', msg: '' }])
}
