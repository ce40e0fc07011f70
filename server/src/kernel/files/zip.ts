import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'

/** What unfolds to more than was allowed, or would take longer than anybody waits. */
export class TooLarge extends Error {}
/** What is no whole archive, or not as it says of itself. */
export class Broken extends Error {}

/** Of all that is packed in one file together, as its directory says and as it turns out. */
export type Most = { bytes: number; entries: number }
export type Entry = { name: string; size: number; isStored: boolean; sum: number; raw: Buffer }

const END_OF_DIRECTORY = 0x06054b50
const IN_DIRECTORY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const LONGEST_COMMENT = 0xffff

/**
 * What lies in an archive, still packed. Nothing is unpacked before its whole directory was believed: each entry has
 * bytes of its own, so that a few bytes can't be read as many files, and all together unfold to no more than `most`.
 * @throws TooLarge, Broken
 */
export function entriesOf(archive: Buffer, most: Most): Entry[] {
  return believing(() => readDirectory(archive, most))
}

/** Its bytes, checked by size and sum. @throws Broken */
export function contentOf({ raw, size, isStored, sum }: Entry): Buffer {
  const content = believing(() => (isStored ? raw : inflateRawSync(raw, { maxOutputLength: Math.max(size, 1) })))
  if (content.length !== size || crc32(content) !== sum) throw new Broken()
  return content
}

/** The same a piece at a time, so that an entry takes no more memory than what is kept of it. @throws Broken */
export async function* piecesOf({ raw, size, isStored }: Entry): AsyncGenerator<Buffer> {
  if (isStored) return yield raw
  const inflating = createInflateRaw()
  inflating.end(raw)
  let left = size
  try {
    for await (const piece of inflating as AsyncIterable<Buffer>) {
      left -= piece.length
      if (left < 0) throw new Broken()
      yield piece
    }
  } catch (error) {
    throw asBroken(error)
  }
}

/** All files of an archive at once. @throws TooLarge, Broken */
export const readZip = (archive: Buffer, most: Most): { name: string; content: Buffer }[] =>
  entriesOf(archive, most).map((entry) => ({ name: entry.name, content: contentOf(entry) }))

function believing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asBroken(error)
  }
}

/** Cut off, so that something lies beyond the end, or refused by zlib. */
const asBroken = (error: unknown): unknown =>
  error instanceof RangeError || (error instanceof Error && 'code' in error) ? new Broken() : error

type Place = Entry & { from: number; to: number }

function readDirectory(archive: Buffer, most: Most): Entry[] {
  const end = endOf(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > most.entries) throw new TooLarge()
  const places: Place[] = []
  const directory = archive.readUInt32LE(end + 16)
  let at = directory
  while (places.length < count) {
    places.push(placeAt(archive, at))
    at += 46 + [28, 30, 32].reduce((sum, offset) => sum + archive.readUInt16LE(at + offset), 0)
  }
  if (places.reduce((sum, { size }) => sum + size, 0) > most.bytes) throw new TooLarge()
  const inOrder = places.toSorted((a, b) => a.from - b.from)
  if (!inOrder.every(({ to }, i) => to <= (inOrder[i + 1]?.from ?? directory))) throw new Broken()
  return places
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - 22 - LONGEST_COMMENT)
  for (let at = archive.length - 22; at >= first; at -= 1) if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at
  throw new Broken()
}

/** @param at where the directory speaks of the file */
function placeAt(archive: Buffer, at: number): Place {
  const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)]
  const [sum, packed, size] = [
    archive.readUInt32LE(at + 16),
    archive.readUInt32LE(at + 20),
    archive.readUInt32LE(at + 24),
  ]
  const from = archive.readUInt32LE(at + 42)
  const to = from + 30 + archive.readUInt16LE(from + 26) + archive.readUInt16LE(from + 28) + packed
  const isEncrypted = (flags & 1) !== 0
  const isKnown = archive.readUInt32LE(at) === IN_DIRECTORY && archive.readUInt32LE(from) === LOCAL_HEADER
  if (!isKnown || isEncrypted || to > archive.length || (method !== 0 && method !== 8)) throw new Broken()
  const isStored = method === 0
  if (isStored && size !== packed) throw new Broken()
  const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28))
  return { name, size, isStored, sum, raw: archive.subarray(to - packed, to), from, to }
}
