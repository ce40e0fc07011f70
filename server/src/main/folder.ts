import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** PostgreSQL keeps its own folder closed, and it may belong to another user. */
const CLUSTER = 'postgres'

/** `dataDir` for this user alone, with all that lies in it: older versions made it readable for everybody. */
export function closeFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // The group of PostgreSQL's user may pass where root lent it one; that user may be at work.
  if ((statSync(dataDir).mode & 0o067) !== 0) chmodSync(dataDir, 0o700)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name)
    if (entry.isFile()) chmodSync(path, 0o600)
    if (entry.isDirectory() && !entry.name.startsWith(CLUSTER)) closeFolder(path)
  }
}
