import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** PostgreSQL keeps its own folder closed, and it may belong to another user. */
const CLUSTER = 'postgres'
/** The group of PostgreSQL's user may pass where root lent it one; that user may be at work. */
const BEYOND = 0o067

/** `dataDir` for this user alone, with all that lies in it: older versions made it readable for everybody. */
export function closeFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Once it is closed nobody passes, and what is written since is closed by itself: a start needn't look at each file.
  if ((statSync(dataDir).mode & BEYOND) !== 0) close(dataDir)
}

function close(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile()) chmodSync(path, 0o600)
    if (entry.isDirectory() && !entry.name.startsWith(CLUSTER)) close(path)
  }
  chmodSync(folder, 0o700)
}
