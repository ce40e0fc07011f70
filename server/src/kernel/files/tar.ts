import { Broken } from './zip'

/**
 * Folders and files of known sizes as tar (POSIX.1-2001): what is written here any tar reads. Nothing else of it is
 * read back: no links, devices or owners.
 */
export type TarEntry = { name: string; size: number; isFolder: boolean }

const BLOCK = 512
const LONGEST_NAME = 100
/** What eleven octal digits hold; a larger size is written in binary. */
const MOST_OCTAL = 0o77777777777
const FILE = '0'
const FOLDER = '5'
/** What is said of the entry behind it. */
const ABOUT_NEXT = 'x'

export function tarHeader({ name, size, isFolder }: TarEntry): Buffer {
  const path = Buffer.from(name)
  const header = headerOf(path.subarray(0, LONGEST_NAME), size, isFolder ? FOLDER : FILE)
  if (path.length <= LONGEST_NAME) return header
  const said = recordOf('path', name)
  return Buffer.concat([headerOf(Buffer.from('long'), said.length, ABOUT_NEXT), said, padding(said.length), header])
}

/** What follows a content of that size. */
export const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

function headerOf(name: Buffer, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  name.copy(block, 0)
  block.write(type === FOLDER ? '0000700\0' : '0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  if (size <= MOST_OCTAL) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else {
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(size), 128)
  }
  block.write('00000000000\0', 136)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Of all bytes, its own field taken for blanks. */
function sumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/** `length key=value\n`, where the length counts itself. */
function recordOf(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (String(length).length > String(rest).length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

/**
 * Each entry with its content, which is read before the next one is asked for; what of it nobody read is passed over.
 * @throws Broken when it ends too early or is no such archive
 */
export async function* readTar(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<TarEntry & { content: AsyncGenerator<Buffer> }> {
  const { some, exactly } = reading(source)
  let longName: string | undefined
  for (;;) {
    const block = await exactly(BLOCK)
    if (block.every((byte) => byte === 0)) return
    const { name, size, type } = headerIn(block)
    if (type === ABOUT_NEXT) {
      longName = /^\d+ path=(.*)\n$/s.exec((await exactly(size)).toString())?.[1]
      await exactly(padding(size).length)
      continue
    }
    let left = size
    const content = (async function* () {
      while (left > 0) {
        const piece = await some(left)
        left -= piece.length
        yield piece
      }
    })()
    yield { name: longName ?? name, size, isFolder: type === FOLDER, content }
    longName = undefined
    while (left > 0) left -= (await some(left)).length
    await exactly(padding(size).length)
  }
}

function headerIn(block: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, length: number) =>
    block
      .subarray(from, from + length)
      .toString()
      .replace(/\0.*$/s, '')
  if (Number.parseInt(text(148, 8), 8) !== sumOf(block)) throw new Broken()
  const type = text(156, 1)
  if (![FILE, FOLDER, ABOUT_NEXT].includes(type)) throw new Broken()
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8)
  return { name: text(0, LONGEST_NAME), size, type }
}

function reading(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** At least one byte. */
  const some = async (most: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const next = await pieces.next()
      if (next.done) throw new Broken()
      rest = next.value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }
  const exactly = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let left = length; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await some(left))
    return Buffer.concat(parts)
  }
  return { some, exactly }
}
