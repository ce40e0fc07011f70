import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openPool } from '../db/pool'
import { freshDatabase } from '../db/testing'
import type { Services } from '../kernel/context'
import { filesIn } from '../kernel/files/store'

export type World = {
  services: Services
  url: string
  /** Moves the clock; it stands still otherwise. */
  setNow: (at: Date) => void
  close: () => Promise<void>
}

/** A migrated database of one's own, and services whose clock the test sets. */
export async function openWorld(startsAt: Date): Promise<World> {
  const { url, drop } = await freshDatabase()
  const pool = openPool(url, 5, () => undefined)
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-world-'))
  let now = startsAt
  const day = startsAt.toISOString().slice(0, 10)
  await sql`select ensure_partitions(${day}::date - 100, ${day}::date + 31)`.execute(pool.db)
  const key = () => randomBytes(32)
  return {
    url,
    services: {
      db: pool.db,
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
      keys: { id: 'test', auth: key(), salt: key(), fake: key(), device: key() },
      dataDir,
      files: filesIn(dataDir),
    },
    setNow: (at) => {
      now = at
    },
    close: async () => {
      await pool.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
