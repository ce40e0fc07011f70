import { inflateSync } from 'node:zlib'
import { Broken, readZip, TooLarge } from '../../../kernel/files/zip'

/** A day of a large network, as its provider packs it; all files of an archive together. */
const most = { bytes: 256 * 1024 * 1024, entries: 100 }

/** @returns null for what is no whole archive, or unfolds to more than a day can be */
export function filesIn(archive: Buffer): { name: string; content: Buffer }[] | null {
  try {
    return readZip(archive, most)
  } catch (error) {
    if (error instanceof Broken || error instanceof TooLarge) return null
    throw error
  }
}

export function unfolded(deflated: Buffer): Buffer | null {
  try {
    return inflateSync(deflated, { maxOutputLength: most.bytes })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
