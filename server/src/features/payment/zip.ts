import { crc32, inflateRawSync } from 'node:zlib'

type Entry = { name: string; content: Buffer }

/** A file of a day is small; what unpacks to more is not one. */
const MOST_BYTES = 512 * 1024 * 1024
const END_OF_DIRECTORY = 0x06054b50
const IN_DIRECTORY = 0x02014b50

/** The files of an archive, stored or deflated, each checked by its sum. @returns null for what is no whole archive */
export function readZip(archive: Buffer): Entry[] | null {
  try {
    return entriesOf(archive)
  } catch (error) {
    // Cut off, or not what its directory says: reading beyond the end, or zlib's own refusal.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}

function entriesOf(archive: Buffer): Entry[] | null {
  let end = archive.length - 22
  while (end >= 0 && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1
  if (end < 0) return null
  const entries: Entry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== IN_DIRECTORY) return null
    const sizes = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const [nameLength = 0, extraLength = 0, commentLength = 0] = sizes
    const content = contentAt(archive, at)
    if (!content) return null
    entries.push({ name: archive.toString('utf8', at + 46, at + 46 + nameLength), content })
    at += 46 + nameLength + extraLength + commentLength
  }
  return entries
}

/** @param entry where the directory speaks of the file */
function contentAt(archive: Buffer, entry: number): Buffer | null {
  const method = archive.readUInt16LE(entry + 10)
  const [sum, packed] = [archive.readUInt32LE(entry + 16), archive.readUInt32LE(entry + 20)]
  const header = archive.readUInt32LE(entry + 42)
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  if (start + packed > archive.length || (method !== 0 && method !== 8)) return null
  const raw = archive.subarray(start, start + packed)
  const content = method === 8 ? inflateRawSync(raw, { maxOutputLength: MOST_BYTES }) : raw
  return crc32(content) === sum ? content : null
}
