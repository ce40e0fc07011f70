import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '../../../server/src/db/embedded'
import { migrate } from '../../../server/src/db/migrate'
import { openPool, type Pool } from '../../../server/src/db/pool'
import { throwAwayFolder } from '../../../server/src/db/testing.places'
import { repository } from './server'

/** A PostgreSQL of the bench's own, durable as in production, and any number of migrated databases in it. */
export type Cluster = {
  settings: () => Promise<string>
  /** Migrated and empty, with the partitions of the last `days` days and the next month. */
  fresh: (name: string, days?: number) => Promise<Fresh>
  stop: () => Promise<void>
}

export type Fresh = {
  url: string
  /** Where a server on this database keeps its keys: one that finds others doesn't start. */
  dataDir: string
  pool: Pool
  connect: () => Promise<Client>
  close: () => Promise<void>
}

const quiet = { info: () => undefined, warn: () => undefined, error: console.error }
const shown = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers']

export function cluster(): Cluster {
  let starting: Promise<Started> | null = null
  const start = () => {
    starting ??= startIn(throwAwayFolder('bench'))
    return starting
  }
  return {
    settings: async () => {
      const found = await query<{ name: string; setting: string }>(
        (await start()).url,
        `select name, current_setting(name) as setting from unnest($1::text[]) as name`,
        [shown],
      )
      return found.map(({ name, setting }) => `${name} ${setting}`).join(', ')
    },
    fresh: async (name, days = 40) => freshIn(await start(), name, days),
    stop: async () => (await starting)?.stop(),
  }
}

type Started = { url: string; folder: string; stop: () => Promise<void> }

async function startIn(folder: string): Promise<Started> {
  const embedded = await startEmbedded({ dataDir: folder, log: quiet })
  const stop = async () => {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: embedded.url, folder, stop }
}

async function freshIn(on: Started, name: string, days: number): Promise<Fresh> {
  await query(on.url, `create database ${name}`)
  const url = new URL(on.url)
  url.pathname = `/${name}`
  await migrate(url.href, quiet, join(repository, 'server/src/db/'))
  await query(url.href, `select ensure_partitions(current_date - $1::int, current_date + 31)`, [days])
  const pool = openPool(url.href, 8, () => undefined)
  const connect = async () => {
    const client = new Client({ connectionString: url.href })
    // A figure that fails stops the database under its connections; what is told is why it failed.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const close = async () => {
    await pool.close()
    await query(on.url, `drop database ${name} with (force)`)
  }
  return { url: url.href, dataDir: join(on.folder, `${name}-server`), pool, connect, close }
}

async function query<T extends object>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}
