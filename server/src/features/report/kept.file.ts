import { copyFile, type FileHandle, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../kernel/context'

type Place = Pick<Services, 'dataDir'>

/** Seen by the server alone. */
export const FILE_MODE = 0o600
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
  await mkdir(pathOf(place, ''), { recursive: true })
  return open(pathOf(place, name), 'a', FILE_MODE)
}

/** It stays there also when the power goes. @returns how many bytes */
export async function append(file: FileHandle, text: string): Promise<number> {
  const bytes = Buffer.from(text)
  await file.appendFile(bytes)
  await file.datasync()
  return bytes.length
}

export async function closed<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await file.close()
  }
}

export async function filesIn(place: Place): Promise<string[]> {
  return readdir(pathOf(place, '')).catch(() => [])
}

export const removeAll = (place: Place, maker: string): Promise<void> =>
  removeThose(place, (name) => name.startsWith(`${maker}.`))

/** Of one report, all but one. */
export const removeOthers = (place: Place, id: number, kept: string): Promise<void> =>
  removeThose(place, (name) => name.startsWith(`${id}-`) && name !== kept)

export async function removeThose(place: Place, isMeant: (name: string) => boolean): Promise<void> {
  for (const name of await filesIn(place)) if (isMeant(name)) await rm(pathOf(place, name), { force: true })
}
