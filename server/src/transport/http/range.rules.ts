/** A part of a file, both ends included. */
export type Part = { from: number; to: number }

/**
 * The part of a file that a browser asks for when a download was broken off (RFC 9110, 14.2). Null: the whole of it,
 * also where several parts are asked for or the header says nothing that can be read; `outside`: there is no such part.
 */
export function partOf(header: string | undefined, size: number): Part | 'outside' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  // Without a beginning that many of the last bytes are meant.
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from < size && from <= to ? { from, to } : 'outside'
}
