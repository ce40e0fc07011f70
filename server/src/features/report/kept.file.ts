import { copyFile, type FileHandle, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../kernel/context'

type Place = Pick<Services, 'dataDir' | 'files'>

/** Seen by the server alone. */
export const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
export const pathOf = ({ dataDir }: Place, name: string): string => join(dataDir, 'exports', name)

/** What a maker keeps its pages in: a csv grows into what is downloaded, a sheet is made of it afterwards. */
export const rowsFile = (maker: string, format: 'csv' | 'xlsx'): string =>
  `${maker}.${format === 'csv' ? 'csv' : 'rows'}`

/**
 * What the maker before had kept, in a file of one's own: the other may live after all and goes on writing into its.
 * Undefined where the file is not, since another server wrote it, or is shorter than what was kept.
 */
export async function inherit(place: Place, from: string, to: string, bytes: number): Promise<FileHandle | undefined> {
  const path = pathOf(place, to)
  const found = await stat(pathOf(place, from)).catch(() => null)
  if (!found || found.size < bytes) return undefined
  await copyFile(pathOf(place, from), path)
  await truncate(path, bytes)
  return open(path, 'a', FILE_MODE)
}

export async function begin(place: Place, name: string): Promise<FileHandle> {
  await mkdir(pathOf(place, ''), { recursive: true, mode: FOLDER_MODE })
  return open(pathOf(place, name), 'a', FILE_MODE)
}

/**
 * What passes through is written from and read into one piece of memory each, a line at a time: a text a page would lie
 * among what the collector looks at last, and a million rows would take a hundred megabytes.
 */
const PIECE_BYTES = 64 * 1024
/** Of a character, as UTF-8. */
const MOST_BYTES = 3

/** Writes lines so that they stay there also when the power goes. @returns how many bytes */
export function appender(file: FileHandle): (lines: Iterable<string>) => Promise<number> {
  const encoder = new TextEncoder()
  let piece = new Uint8Array(PIECE_BYTES)
  let filled = 0
  let bytes = 0
  const write = async () => {
    for (let at = 0; at < filled; ) at += (await file.write(piece, at, filled - at)).bytesWritten
    bytes += filled
    filled = 0
  }
  return async (lines) => {
    bytes = 0
    for (const line of lines) {
      const most = line.length * MOST_BYTES
      if (filled + most > piece.length) await write()
      if (most > piece.length) piece = new Uint8Array(most)
      filled += encoder.encodeInto(line, piece.subarray(filled)).written
    }
    await write()
    await file.datasync()
    return bytes
  }
}

/** The lines of a file that ends with one, some at a time. */
export async function* linesOf(place: Place, name: string): AsyncGenerator<string[]> {
  const file = await open(pathOf(place, name), 'r')
  const [piece, decoder] = [new Uint8Array(PIECE_BYTES), new TextDecoder()]
  let begun = ''
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES)
      if (bytesRead === 0) return
      const lines = `${begun}${decoder.decode(piece.subarray(0, bytesRead), { stream: true })}`.split('\n')
      begun = lines.pop() ?? ''
      yield lines
    }
  } finally {
    await file.close()
  }
}

export async function closed<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await file.close()
  }
}

/** What is made here, and what was made and is kept. */
export async function allFiles(place: Place, prefix = ''): Promise<string[]> {
  const here = (await readdir(pathOf(place, '')).catch(() => [])).filter((name) => name.startsWith(prefix))
  return [...new Set([...here, ...(await place.files.list('exports', prefix))])]
}

export const removeAll = (place: Place, maker: string): Promise<void> => removeThose(place, `${maker}.`)

/** Of one report, all but one. */
export const removeOthers = (place: Place, id: number, kept: string): Promise<void> =>
  removeThose(place, `${id}-`, (name) => name !== kept)

export async function removeThose(place: Place, prefix: string, isMeant = (_: string) => true): Promise<void> {
  for (const name of await allFiles(place, prefix)) if (isMeant(name)) await remove(place, name)
}

export async function remove(place: Place, name: string): Promise<void> {
  await rm(pathOf(place, name), { force: true })
  await place.files.remove('exports', name)
}
