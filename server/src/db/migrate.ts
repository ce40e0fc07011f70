import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { DatabaseLog } from './open'

/** Beside this file in the sources, and beside the bundle once built. */
const SHIPPED_FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Any fixed number: one process migrates, the others wait and find nothing left to do. */
const MIGRATION_LOCK = 4_217_002

export type Migration = { name: string; sql: string; hash: string }

/** Brings the database up to the code: forward only, file by file, each in its own transaction. Answers what ran. */
export async function migrate(url: string, log: Pick<DatabaseLog, 'info'>, folder = SHIPPED_FOLDER): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = new Client({ connectionString: url, application_name: 'aisle migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`
      create table if not exists schema_migration (
        name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; hash: string }>(
      'select name, hash from schema_migration order by name',
    )
    const pending = pendingMigrations(migrations, rows)
    for (const migration of pending) await apply(client, migration)
    await prepareJobs(client, url)
    if (pending.length > 0) log.info(`Database schema: ${pending.length} new of ${migrations.length} migrations.`)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Tables of graphile-worker, so that a transaction can ask for a job where no worker has run yet. */
async function prepareJobs(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('graphile_worker._private_jobs') is not null as found`,
  )
  if (rows[0]?.found) return
  // Loaded when needed: a database that has them, which is every start but the first, costs nothing.
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ connectionString: url, schema: 'graphile_worker' })
}

export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) throw new Error(`not a migration's name: ${name}`)
    // A checkout may turn line ends around; that is no change.
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

/** What was applied must be the beginning of what the code has, to the letter. */
export function pendingMigrations(migrations: Migration[], applied: { name: string; hash: string }[]): Migration[] {
  for (const [index, done] of applied.entries()) {
    const known = migrations.find(({ name }) => name === done.name)
    if (!known)
      throw new Error(`The database is newer than this version: it has ${done.name}. Start the newer version.`)
    if (known !== migrations[index]) {
      throw new Error(
        `${migrations[index]?.name} was added before ${done.name}, which is applied already; renumber it.`,
      )
    }
    if (known.hash !== done.hash) {
      throw new Error(`${done.name} changed after it was applied here; write a new migration instead of changing it.`)
    }
  }
  return migrations.slice(applied.length)
}

async function apply(client: Client, { name, sql, hash }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migration (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed and changed nothing`, { cause })
  }
}
