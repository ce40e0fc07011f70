import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Files, type Folder, folders } from './store'

export type Moved = { copied: number; there: number }

/**
 * Copies what is not there yet, and reads each file back: it counts as moved once its SHA-256 is the same on both
 * sides. A server may go on beside it; what it kept meanwhile comes along when this is run again.
 * @throws Error naming the first file that came out different; nothing of it is removed
 */
export async function moveFiles(from: Files, to: Files, { isRemoved }: { isRemoved: boolean }): Promise<Moved> {
  const moved = { copied: 0, there: 0 }
  const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
  try {
    for (const each of folders) {
      for (const name of await from.list(each)) {
        const isCopied = await move(from, to, each, name, join(folder, 'file'))
        moved[isCopied ? 'copied' : 'there'] += 1
        if (isRemoved) await from.remove(each, name)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return moved
}

async function move(from: Files, to: Files, folder: Folder, name: string, path: string): Promise<boolean> {
  const sum = await sumOf(from, folder, name)
  if ((await to.sizeOf(folder, name)) !== undefined && (await sumOf(to, folder, name)) === sum) return false
  // By way of a file, so that a large one is never held whole.
  await pipeline(await from.read(folder, name), createWriteStream(path, { mode: 0o600 }))
  await to.take(folder, name, path)
  if ((await sumOf(to, folder, name)) !== sum) throw new Error(`${folder}/${name} came out different`)
  return true
}

async function sumOf(files: Files, folder: Folder, name: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of await files.read(folder, name)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
