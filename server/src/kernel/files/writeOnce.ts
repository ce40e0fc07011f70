import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A file under the hash of its bytes: what is there already is the same. Before the commit: a file that no row names
 * does no harm, a row without its file would show a hole.
 */
export async function writeOnce(folder: string, name: string, bytes: Buffer): Promise<void> {
  if (existsSync(join(folder, name))) return
  await mkdir(folder, { recursive: true })
  const fresh = join(folder, `.${randomBytes(8).toString('hex')}`)
  await writeFile(fresh, bytes)
  await rename(fresh, join(folder, name))
}
