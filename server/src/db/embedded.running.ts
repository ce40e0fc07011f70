import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPlace } from './embedded.place'
import { ROLE } from './embedded.process'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The PostgreSQL that a running server keeps in `dataDir`: for programs beside it. */
export function runningIn(dataDir: string): { pid: number; url: string } {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  // Of its own note the first line is its process, the fourth its port.
  const note = readFileSync(join(findPlace(dataDir, quiet).cluster, 'postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(note[0]), url: `postgres://${ROLE}:${password}@127.0.0.1:${note[3]}/aisle` }
}
