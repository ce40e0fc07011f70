import type { Reader } from '../../kernel/context'
import type { Parts } from './section.parts'

const readings = new WeakMap<Reader, Map<string, Promise<Parts>>>()

/**
 * Boards that show the same ask at the same moment, since one push tells them all to: what is being read already is
 * read once for all of them.
 * @param what tells apart what is read
 */
export function readOnce(db: Reader, what: string, read: () => Promise<Parts>): Promise<Parts> {
  const underWay = readings.get(db) ?? new Map<string, Promise<Parts>>()
  readings.set(db, underWay)
  const known = underWay.get(what)
  if (known) return known
  const reading = read().finally(() => underWay.delete(what))
  underWay.set(what, reading)
  return reading
}
