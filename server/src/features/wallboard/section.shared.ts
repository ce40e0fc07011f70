import type { Reader } from '../../kernel/context'

const readings = new WeakMap<Reader, Map<string, Promise<unknown>>>()

/**
 * Boards that show the same ask at the same moment, since one push tells them all to: what is being read already is
 * read once for all of them.
 * @param what tells apart what is read
 * @param heldMs for how long after it was read it is good enough, where reading it is dear
 */
export function readOnce<T>(db: Reader, what: string, read: () => Promise<T>, heldMs = 0): Promise<T> {
  const underWay = readings.get(db) ?? new Map<string, Promise<unknown>>()
  readings.set(db, underWay)
  const known = underWay.get(what)
  if (known) return known as Promise<T>
  const forget = () => underWay.delete(what)
  const reading = read()
  underWay.set(what, reading)
  reading.then(() => (heldMs > 0 ? setTimeout(forget, heldMs).unref() : forget()), forget)
  return reading
}
