import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { dumpTo } from '../../../db/dump'
import { startEmbedded } from '../../../db/embedded'
import { copyOnline } from '../../../db/embedded.copy'
import { discardCluster } from '../../../db/embedded.restore'
import type { Applied } from '../../../db/migrate'
import { openPool } from '../../../db/pool'
import type { Clock } from '../../../kernel/clock'
import type { Reader } from '../../../kernel/context'
import { booksHash, lastSealed, type SealedDay } from '../../ledger/public'
import { type About, BackupError, finish, type Member, memberOf, partOf, writeArchive } from './archive'
import * as store from './backup.store'
import { faultsOf } from './check'
import { BACKUPS, CHECK, fileMember, filesAfter, filesBefore, folderMember, isWithin, KEYS } from './files'
import { restore } from './restore'

/** The running installation that is backed up. */
export type Installation = {
  url: string
  /** Its database's files lie in `dataDir`. */
  isEmbedded: boolean
  dataDir: string
  product: string
  clock: Clock
}

export type Asked = {
  file: string
  bySchedule: boolean
  /** What is to be in it of the keys; without them nobody signs in where it is restored. */
  keys: string | null
  say: (line: string) => void
}

export type Made = { file: string; problem: string; bytes: number; entries: number; books: string }

/** Any fixed number: one backup at a time, wherever it was asked for. */
const BACKUP_LOCK = 4_217_070
/** PostgreSQL's own complaints are in the error that ends the trial. */
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Backs up what runs, and tries the copy: it is restored, its database started and its books checked. Only then does
 * it bear its name; one whose books are not true is kept as `….doubtful`.
 * @returns null when another backup is under way
 * @throws BackupError in words, when nothing was made
 */
export async function makeBackup(own: Installation, asked: Asked): Promise<Made | null> {
  refusePlace(asked.file, own.dataDir)
  const client = new Client({ connectionString: own.url, application_name: 'aisle backup' })
  client.on('error', () => undefined)
  await client.connect()
  const pool = openPool(own.url, 2, () => undefined)
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [BACKUP_LOCK])
    if (!rows[0]?.mine) return null
    await clearCutOff(pool.db, own)
    const begun = { file: asked.file, bySchedule: asked.bySchedule, beganAt: own.clock.now() }
    const id = await store.begin(pool.db, begun)
    try {
      await mkdir(dirname(asked.file), { recursive: true, mode: 0o700 })
      const made = await make(own, asked, { client, db: pool.db })
      const { problem, bytes, books } = made
      const outcome = { problem, bytes, booksHash: Buffer.from(books, 'hex'), endedAt: own.clock.now() }
      await store.end(pool.db, id, outcome)
      return made
    } catch (cause) {
      // Where it was to be may be what is wrong.
      await rm(partOf(asked.file), { force: true }).catch(() => undefined)
      const problem = cause instanceof Error ? cause.message : String(cause)
      await store.end(pool.db, id, { problem, endedAt: own.clock.now(), bytes: null, booksHash: null })
      throw cause
    }
  } finally {
    await pool.close()
    await client.end()
  }
}

/** What lies in DATA_DIR is backed up, so backups lie outside of it or where they are left out. */
function refusePlace(file: string, dataDir: string): void {
  if (!isWithin(file, dataDir) || isWithin(file, join(dataDir, BACKUPS))) return
  throw new BackupError(`${file} lies among what is backed up. Choose a place outside of ${dataDir}.`)
}

/** Nobody else is at work, so what never ended was cut off. */
async function clearCutOff(db: Reader, { dataDir, clock }: Installation): Promise<void> {
  await discardTrial(dataDir)
  for (const { id, file } of await store.findOpen(db)) {
    for (const rest of [partOf(file), dumpOf(file)]) await rm(rest, { force: true }).catch(() => undefined)
    const outcome = { endedAt: clock.now(), bytes: null, booksHash: null }
    await store.end(db, id, { ...outcome, problem: 'It was cut off: the program ended while it was at work.' })
  }
}

type At = { client: Client; db: Reader }

async function make(own: Installation, { file, keys, say }: Asked, at: At): Promise<Made> {
  const cluster = own.isEmbedded ? realpathSync(join(own.dataDir, 'postgres')) : null
  const size = await databaseBytes(at.client)
  await refuseTooFull([dirname(file), own.dataDir], size)
  const about = await aboutOf(own, at, cluster ? 'files' : 'dump')
  say(`Copying the database (${inMegabytes(size)}) and its files …`)
  await writeArchive(file, about, membersOf(own, { file, cluster, keys }, at.client))
  const { size: bytes } = await stat(partOf(file))
  say(`Trying the copy (${inMegabytes(bytes)}): it is restored, started and checked …`)
  const { faults, books, entries } = await tryCopy(partOf(file), own.dataDir, about.sealed)
  const problem = faults.slice(0, 5).join('; ')
  const name = problem === '' ? file : doubtfulOf(file)
  await finish(file, name)
  return { file: name, problem, bytes, entries, books }
}

export const doubtfulOf = (file: string): string => `${file}.doubtful`
const dumpOf = (file: string): string => `${file}.dump`
export const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

async function databaseBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes)
}

/** The copy, and the one that it is tried on; a full disk would stop the database itself. */
async function refuseTooFull(folders: readonly string[], size: number): Promise<void> {
  for (const folder of folders) {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free > 2 * size) continue
    throw new BackupError(
      `${folder} has ${inMegabytes(free)} left; a backup of ${inMegabytes(size)} is made with twice that. ` +
        'Make room, or choose a folder on another disk.',
    )
  }
}

async function aboutOf(own: Installation, { client, db }: At, database: About['database']): Promise<About> {
  const version = await client.query<{ postgres: string }>(`select current_setting('server_version') as postgres`)
  const applied = await client.query<Applied>('select name, hash from schema_migration order by name')
  return {
    format: 1,
    product: own.product,
    madeAt: own.clock.now().toISOString(),
    database,
    postgres: version.rows[0]?.postgres ?? '',
    platform: `${process.platform}-${process.arch}`,
    migrations: applied.rows,
    sealed: await lastSealed(db),
  }
}

type What = { file: string; cluster: string | null; keys: string | null }

async function* membersOf(own: Installation, { file, cluster, keys }: What, client: Client): AsyncGenerator<Member> {
  yield* filesBefore(own.dataDir)
  if (cluster) yield* databaseMembers(client, cluster)
  else yield* dumpMember(own.url, dumpOf(file))
  yield* filesAfter(own.dataDir)
  if (keys !== null) yield memberOf(KEYS, Buffer.from(keys))
}

async function* databaseMembers(client: Client, cluster: string): AsyncGenerator<Member> {
  for await (const copied of copyOnline(client, cluster)) {
    const name = `database/${copied.name}`
    if ('bytes' in copied) yield memberOf(name, copied.bytes)
    else if ('path' in copied) {
      const member = await fileMember(name, copied.path)
      if (member) yield member
      else if (isLog(copied.name)) throw new Error(`${copied.name} of the database's log is gone`)
    } else yield folderMember(name)
  }
}

/** What is dropped meanwhile, the log repeats; what is gone of the log, nothing does. */
const isLog = (name: string) => name.startsWith('pg_wal/')

async function* dumpMember(url: string, path: string): AsyncGenerator<Member> {
  try {
    await dumpTo(path, url)
    const member = await fileMember('database.dump', path)
    if (member) yield member
  } finally {
    await rm(path, { force: true })
  }
}

type Tried = { faults: string[]; books: string; entries: number }

/** On a database of its own beside the running one. */
async function tryCopy(file: string, dataDir: string, sealed: SealedDay | null): Promise<Tried> {
  const folder = join(dataDir, CHECK)
  trying = dataDir
  try {
    await mkdir(folder, { mode: 0o700 })
    await restore(file, { dataDir: folder, log: quiet, isTrial: true })
    const database = await startEmbedded({ dataDir: folder, log: quiet, isDurable: false })
    const pool = openPool(database.url, 2, () => undefined)
    try {
      const lost = sealed && !(await holds(pool.db, sealed)) ? [`the sealed books of ${sealed.day} are not in it`] : []
      const { hash, entries } = await booksHash(pool.db)
      return { faults: [...lost, ...(await faultsOf(pool.db))], books: hash.toString('hex'), entries }
    } finally {
      await pool.close()
      await database.stop()
    }
  } finally {
    await discardTrial(dataDir)
    trying = undefined
  }
}

/** Where this process has the database of a trial running, which would outlive it. */
let trying: string | undefined

/** For the end of the process: a trial that is under way is given up, and nothing of it is left. */
export async function abandonTrial(): Promise<void> {
  if (trying !== undefined) await discardTrial(trying)
}

async function holds(db: Reader, { day, hash }: SealedDay): Promise<boolean> {
  const last = await lastSealed(db)
  return last !== null && (last.day > day || last.hash === hash)
}

async function discardTrial(dataDir: string): Promise<void> {
  const folder = join(dataDir, CHECK)
  await discardCluster(folder, quiet)
  await rm(folder, { recursive: true, force: true })
}
