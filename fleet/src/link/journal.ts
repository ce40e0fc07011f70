import { closeSync, ftruncateSync, mkdirSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

export type Journal = {
  /** Into the next write; later lines never overtake earlier ones. */
  append(value: unknown): void
  /** Settles when everything appended so far is on the disk itself, not in a cache of the system. */
  durable(): Promise<void>
  close(): Promise<void>
  readonly bytes: number
  /** Lines that could not be read at opening, the torn last one not counted. */
  readonly damagedLines: number
}

export type JournalOptions = {
  path: string
  /** Called for every line of the file, oldest first, before `openJournal` settles. */
  replay(value: unknown): void
  /** What a fresh file must hold to say the same; asked for when the file has grown four times over. */
  live(): Iterable<unknown>
  compactAtBytes?: number
}

const COMPACT_AT_BYTES = 4 * 1024 * 1024
const GROWTH = 4
const CHUNK_BYTES = 256 * 1024

/**
 * An append-only file of checked lines: `crc32 json`. One line is one change, whole or not there. Writes are
 * gathered while the disk is busy, so a thousand machines share one fdatasync. One process may have it open.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  mkdirSync(dirname(options.path), { recursive: true })
  const read = readLines(options.path, options.replay)
  const minimumBytes = options.compactAtBytes ?? COMPACT_AT_BYTES
  let file = await open(options.path, 'a')
  let bytes = read.bytes
  let compactAtBytes = Math.max(minimumBytes, bytes)
  let waiting: string[] = []
  let next = deferred()
  let current: Promise<void> | null = null
  let flushing: Promise<void> | null = null

  const flush = async () => {
    // Everything that happens in this turn of the event loop shares the write.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const lines = waiting.join('')
      const batch = next
      waiting = []
      next = deferred()
      current = batch.promise
      try {
        await file.appendFile(lines)
        await file.datasync()
        bytes += Buffer.byteLength(lines)
        if (bytes > compactAtBytes) await compact()
      } catch (error) {
        // Nothing may follow a write that failed: the next line could land behind a torn one.
        batch.fail(error)
        next.fail(error)
        throw error
      }
      batch.settle()
    }
    current = null
    flushing = null
  }

  const compact = async () => {
    const fresh = await writeFresh(`${options.path}.new`, options.live())
    await file.close()
    await rename(`${options.path}.new`, options.path)
    await syncFolder(dirname(options.path))
    file = fresh.file
    bytes = fresh.bytes
    compactAtBytes = Math.max(minimumBytes, bytes * GROWTH)
  }

  const durable = () => (waiting.length > 0 ? next.promise : (current ?? Promise.resolve()))

  return {
    append(value) {
      waiting.push(encode(value))
      flushing ??= flush()
    },
    durable,
    async close() {
      await flushing
      await file.close()
    },
    get bytes() {
      return bytes
    },
    damagedLines: read.damagedLines,
  }
}

const hex = (sum: number) => sum.toString(16).padStart(8, '0')

function encode(value: unknown): string {
  const json = JSON.stringify(value)
  return `${hex(crc32(json))} ${json}\n`
}

/** Live values are many after a long outage, so they go out in chunks and the event loop breathes in between. */
async function writeFresh(path: string, live: Iterable<unknown>): Promise<{ file: FileHandle; bytes: number }> {
  await (await open(path, 'w')).close()
  const file = await open(path, 'a')
  let bytes = 0
  let chunk = ''
  const write = async () => {
    bytes += Buffer.byteLength(chunk)
    await file.appendFile(chunk)
    chunk = ''
  }
  for (const value of live) {
    chunk += encode(value)
    if (chunk.length >= CHUNK_BYTES) await write()
  }
  await write()
  await file.datasync()
  return { file, bytes }
}

/** A rename is durable only when its folder is. Windows cannot open folders and needs no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}

/** Reads what is whole and cuts a torn tail off, so that the next line starts on a line of its own. */
function readLines(path: string, replay: (value: unknown) => void): { bytes: number; damagedLines: number } {
  const file = openSync(path, 'a+')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let rest = Buffer.alloc(0)
  let position = 0
  let damagedLines = 0
  for (let count = readSync(file, chunk, 0, CHUNK_BYTES, 0); count > 0; ) {
    position += count
    const block = Buffer.concat([rest, chunk.subarray(0, count)])
    let start = 0
    for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
      const value = decode(block.toString('utf8', start, end))
      if (value === undefined) damagedLines += 1
      else replay(value)
      start = end + 1
    }
    rest = Buffer.from(block.subarray(start))
    count = readSync(file, chunk, 0, CHUNK_BYTES, position)
  }
  if (rest.length > 0) ftruncateSync(file, position - rest.length)
  closeSync(file)
  return { bytes: position - rest.length, damagedLines }
}

function decode(line: string): unknown {
  const json = line.slice(9)
  if (line[8] !== ' ' || line.slice(0, 8) !== hex(crc32(json))) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function deferred() {
  let settle = () => {}
  let fail: (error: unknown) => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  // A failed write is reported by the flush itself; a batch that nobody awaits must not report it a second time.
  promise.catch(() => {})
  return { promise, settle, fail }
}
