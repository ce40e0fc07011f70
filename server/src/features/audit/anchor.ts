import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const zAnchor = z.object({ id: z.int(), lastSeq: z.int(), hash: z.string() })
export type Anchor = z.output<typeof zAnchor>

/**
 * The newest seal, kept beside the key file: a chain that was cut at its end is whole in itself, and only something
 * outside the database can tell.
 */
const fileOf = (dataDir: string) => join(dataDir, 'audit-seal.json')

export function writeAnchor(dataDir: string, anchor: Anchor): void {
  if (dataDir === '') return
  mkdirSync(dataDir, { recursive: true })
  const fresh = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(fresh, JSON.stringify(anchor), { mode: 0o600, flush: true })
  renameSync(fresh, fileOf(dataDir))
}

/** Null where none was kept on this machine. @throws Error for a file that is damaged */
export function readAnchor(dataDir: string): Anchor | null {
  try {
    return zAnchor.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw cause
  }
}
