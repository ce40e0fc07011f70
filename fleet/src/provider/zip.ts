import { crc32, deflateRawSync } from 'node:zlib'

const DEFLATED = 8
const UTF8_NAMES = 0x0800

/** An archive in memory: each file deflated, then the directory. */
export function zip(files: readonly { name: string; content: Buffer }[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const packed = deflateRawSync(content)
    const title = Buffer.from(name)
    const facts = factsOf(content, packed, title)
    const local = Buffer.concat([Buffer.from('PK\x03\x04\x14\0', 'latin1'), facts, title, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0\x14\0', 'latin1'), facts, place, title]))
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

/** What both headers say of a file, from the flags to the lengths. */
function factsOf(content: Buffer, packed: Buffer, title: Buffer): Buffer {
  const facts = Buffer.alloc(24)
  facts.writeUInt16LE(UTF8_NAMES, 0)
  facts.writeUInt16LE(DEFLATED, 2)
  facts.writeUInt32LE(crc32(content), 8)
  facts.writeUInt32LE(packed.length, 12)
  facts.writeUInt32LE(content.length, 16)
  facts.writeUInt16LE(title.length, 20)
  return facts
}
