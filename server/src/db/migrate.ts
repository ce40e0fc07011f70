import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { refuseOther } from './chain'
import type { DatabaseLog } from './open'

/** Holds `schema` and `migrations`: beside this file in the sources, and beside the bundle once built. */
const SHIPPED_FOLDER = fileURLToPath(new URL('./', import.meta.url))
/** Any fixed number: one process migrates, the others wait and find nothing left to do. */
const MIGRATION_LOCK = 4_217_002
/** What an empty database begins with; the numbers of migrations go on behind it. */
const BASELINE = '0100_baseline'

export type Migration = { name: string; sql: string; hash: string }
export type Applied = { name: string; hash: string }

/**
 * Brings the database up to the code: the baseline, then forward only, file by file, each in its own transaction.
 * Answers what ran.
 */
export async function migrate(url: string, log: Pick<DatabaseLog, 'info'>, folder = SHIPPED_FOLDER): Promise<string[]> {
  const baseline = readBaseline(join(folder, 'schema'))
  const migrations = [baseline, ...readMigrations(join(folder, 'migrations'))]
  const client = new Client({ connectionString: url, application_name: 'aisle migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`
      create table if not exists schema_migration (
        name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<Applied>('select name, hash from schema_migration order by name')
    const isOld = rows[0] !== undefined && rows[0].name < BASELINE
    if (isOld) await takeOver(client, rows, baseline, log)
    const pending = pendingMigrations(migrations, isOld ? [baseline] : rows)
    for (const migration of pending) await apply(client, migration)
    await prepareJobs(client, url)
    if (pending.length > 0) log.info(`Database schema: ${pending.length} new of ${migrations.length} migrations.`)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** What a database may have had applied that this version takes. @throws Error in words for one that is newer */
export function refuseNewer(applied: Applied[], folder = SHIPPED_FOLDER): void {
  // Of before the baseline: such a one is taken over at its first start.
  if (applied[0] && applied[0].name < BASELINE) return
  pendingMigrations([readBaseline(join(folder, 'schema')), ...readMigrations(join(folder, 'migrations'))], applied)
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

/** The whole schema, a file a domain, as one migration: whoever stops half-way has an empty database. */
export function readBaseline(folder: string): Migration {
  const files = sqlFiles(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return migrationOf(BASELINE, files.join('\n'))
}

export function readMigrations(folder: string): Migration[] {
  // The first one behind a baseline has yet to be written.
  if (!existsSync(folder)) return []
  return sqlFiles(folder).map((name) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) throw new Error(`not a migration's name: ${name}`)
    if (name < BASELINE) throw new Error(`${name} comes before the baseline; give it the next number above 0100.`)
    return migrationOf(name, readFileSync(join(folder, name), 'utf8'))
  })
}

const sqlFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()

/** A checkout may turn line ends around, and what a comment says may be said better: that is no change. */
function migrationOf(name: string, text: string): Migration {
  const sql = text.replaceAll('\r\n', '\n')
  const said = sql.split('\n').filter((line) => !/^\s*(--.*)?$/.test(line))
  return { name, sql, hash: createHash('sha256').update(said.join('\n')).digest('hex') }
}

/** What was applied must be the beginning of what the code has, to the letter. */
export function pendingMigrations(migrations: Migration[], applied: Applied[]): Migration[] {
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

/** What the whole chain before the baseline made is what the baseline makes: only the list is written anew. */
async function takeOver(client: Client, applied: Applied[], baseline: Migration, log: Pick<DatabaseLog, 'info'>) {
  refuseOther(applied)
  await client.query('begin')
  await client.query('delete from schema_migration')
  await client.query('insert into schema_migration (name, hash) values ($1, $2)', [baseline.name, baseline.hash])
  await client.query('commit')
  log.info(`Database schema: taken over at ${applied.at(-1)?.name}.`)
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
