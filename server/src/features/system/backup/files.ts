import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { TarEntry } from '../../../kernel/files/tar'
import type { Member } from './archive'

/** Where scheduled backups lie unless told otherwise, and where each is tried. */
export const BACKUPS = 'backups'
export const CHECK = 'backup.check'
export const KEYS = 'keys.json'

/** The database has its own way, keys are asked for, and backups are not backed up. */
const left = (name: string) => /^postgres(\.|$)/.test(name) || [BACKUPS, CHECK, KEYS].includes(name)

/**
 * What a row of the database refers to lies there before the row, so it is read after the database; these say of a
 * database how far it has come, so they are read before it.
 */
const ahead = (name: string) => name === 'audit-seal.json' || name === 'demo'

export const filesBefore = (dataDir: string): AsyncGenerator<Member> => filesOf(dataDir, ahead)
export const filesAfter = (dataDir: string): AsyncGenerator<Member> => filesOf(dataDir, (name) => !ahead(name))

async function* filesOf(dataDir: string, isWanted: (name: string) => boolean): AsyncGenerator<Member> {
  for (const name of (await readdir(dataDir)).sort()) if (isWanted(name) && !left(name)) yield* below(dataDir, name)
}

async function* below(dataDir: string, name: string): AsyncGenerator<Member> {
  const path = join(dataDir, name)
  const found = await stat(path).catch(nothingIfGone)
  if (found?.isFile()) {
    const member = await fileMember(`files/${name}`, path)
    if (member) yield member
  }
  if (!found?.isDirectory()) return
  yield folderMember(`files/${name}`)
  for (const each of (await readdir(path).catch(nothingIfGone)) ?? []) yield* below(dataDir, `${name}/${each}`)
}

export const folderMember = (name: string): Member => ({ name, size: 0, isFolder: true, content: Readable.from([]) })

/**
 * As long as it is when it is opened: what is written behind that comes too late, and what is cut off meanwhile is
 * filled up, as PostgreSQL expects it of its own. Undefined when it is gone.
 */
export async function fileMember(name: string, path: string): Promise<Member | undefined> {
  const file = await open(path, 'r').catch(nothingIfGone)
  if (!file) return undefined
  const entry: TarEntry = { name, size: (await file.stat()).size, isFolder: false }
  const content = (async function* () {
    try {
      let at = 0
      while (at < entry.size) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, entry.size - at))
        const { bytesRead } = await file.read(piece, 0, piece.length, at)
        if (bytesRead === 0) piece.fill(0)
        const read = bytesRead === 0 ? piece : piece.subarray(0, bytesRead)
        at += read.length
        yield read
      }
    } finally {
      await file.close()
    }
  })()
  return { ...entry, content }
}

const PIECE_BYTES = 256 * 1024

/** An export that expired, a table that was dropped. */
function nothingIfGone(cause: unknown): undefined {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
  throw cause
}

/** Whether `path` lies in `folder` or is it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !/^[a-z]:/i.test(way)
}
