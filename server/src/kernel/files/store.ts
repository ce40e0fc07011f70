import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** What people and machines are given to look at or to take along; each has names of its own. */
export const folders = ['pictures', 'exports', 'adverts'] as const
export type Folder = (typeof folders)[number]

/** Both ends belong to it. */
export type Part = { from: number; to: number }

/**
 * Where files are kept: a folder of this machine, or a store that all processes share. What lies under a name is whole
 * and never changes. Kept before the commit: a file that no row names does no harm, a row without its file would show a
 * hole.
 */
export type Files = {
  /** undefined where there is none */
  sizeOf: (folder: Folder, name: string) => Promise<number | undefined>
  read: (folder: Folder, name: string, part?: Part) => Promise<Readable>
  keep: (folder: Folder, name: string, bytes: Buffer) => Promise<void>
  /** A file that lies on this machine and is not wanted there any longer. */
  take: (folder: Folder, name: string, path: string) => Promise<void>
  /** Also of one that is gone. */
  remove: (folder: Folder, name: string) => Promise<void>
  list: (folder: Folder, prefix?: string) => Promise<string[]>
}

/** Seen by the server alone. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Below `dataDir`, a folder for each. */
export function filesIn(dataDir: string): Files {
  const pathOf = (folder: Folder, name: string) => join(dataDir, folder, name)
  const settle = async (folder: Folder, name: string, put: (fresh: string) => Promise<unknown>) => {
    await mkdir(join(dataDir, folder), { recursive: true, mode: FOLDER_MODE })
    const fresh = pathOf(folder, `.${randomBytes(8).toString('hex')}`)
    await put(fresh)
    await rename(fresh, pathOf(folder, name))
  }
  return {
    sizeOf: async (folder, name) => {
      const found = await stat(pathOf(folder, name)).catch(() => undefined)
      return found?.isFile() ? found.size : undefined
    },
    read: async (folder, name, part) => {
      const path = pathOf(folder, name)
      return part ? createReadStream(path, { start: part.from, end: part.to }) : createReadStream(path)
    },
    keep: (folder, name, bytes) => settle(folder, name, (fresh) => writeFile(fresh, bytes, { mode: FILE_MODE })),
    take: async (folder, name, path) => {
      if (path === pathOf(folder, name)) return
      // Another disk can't be moved to by its name alone.
      await settle(folder, name, (fresh) => rename(path, fresh).catch(() => copyFile(path, fresh)))
      await rm(path, { force: true })
    },
    remove: (folder, name) => rm(pathOf(folder, name), { force: true }),
    list: async (folder, prefix = '') => {
      const names = await readdir(join(dataDir, folder)).catch(() => [])
      return names.filter((name) => !name.startsWith('.') && name.startsWith(prefix))
    },
  }
}
