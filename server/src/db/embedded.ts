import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { findPlace, type Place } from './embedded.place'
import { initialise, ROLE, startOrAdopt, stopPostmaster, type StartOptions } from './embedded.process'
import type { DatabaseLog } from './open'
import { waitUntil } from './wait'

const DATABASE = 'aisle'
/** Any fixed number: who holds this lock owns the running PostgreSQL. */
const OWNER_LOCK = 4_217_001
const OWNER_WAIT_MS = 3000

export type Embedded = { url: string; stop: () => Promise<void> }

/**
 * Starts the project's own PostgreSQL below `dataDir` and keeps it running until `stop`. A PostgreSQL that outlived a
 * killed server is taken over; one that a living server uses is refused.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: DatabaseLog
  isDurable?: boolean
}): Promise<Embedded> {
  const { log, isDurable = true } = options
  const dataDir = resolve(options.dataDir)
  const place = findPlace(dataDir, log)
  const password = await prepareCluster(place, dataDir, log, isDurable)
  const starting = { place, log, isDurable, logFile: join(dataDir, 'postgres.log') }
  const first = await own({ ...starting, wantedPort: undefined }, password)
  const stop = keepRunning({ ...starting, wantedPort: first.port }, password, first.owner)
  return { url: urlOf(password, first.port, DATABASE), stop }
}

const urlOf = (password: string, port: number, database: string) =>
  `postgres://${ROLE}:${password}@127.0.0.1:${port}/${database}`

async function prepareCluster(place: Place, dataDir: string, log: DatabaseLog, isDurable: boolean): Promise<string> {
  const file = join(dataDir, 'postgres.password')
  const version = join(place.cluster, 'PG_VERSION')
  if (!existsSync(version)) {
    const password = randomBytes(24).toString('base64url')
    writeFileSync(file, password, { mode: 0o600 })
    log.info(`Making a new database in ${place.cluster}.`)
    await initialise(place, password, isDurable)
    return password
  }
  const found = readFileSync(version, 'utf8').trim()
  const wanted = majorIn(place.native)
  if (found !== wanted) {
    throw new Error(
      `${place.cluster} was made by PostgreSQL ${found}, this version brings ${wanted}. ` +
        'Dump it with the version that made it, and restore the dump into a new DATA_DIR.',
    )
  }
  if (!existsSync(file)) throw new Error(`${file} is missing; without it the database in ${place.cluster} stays shut.`)
  return readFileSync(file, 'utf8').trim()
}

export function majorIn(native: string): string {
  const manifest = readFileSync(join(native, 'share/postgresql/postgres.bki'), 'utf8')
  return /^# PostgreSQL (\d+)/.exec(manifest)?.[1] ?? ''
}

async function own(starting: StartOptions, password: string): Promise<{ owner: Client; port: number }> {
  const { port, isAdopted } = await startOrAdopt(starting)
  const owner = new Client({ connectionString: urlOf(password, port, 'postgres'), application_name: 'aisle owner' })
  // An ended connection is seen by its `end`; an `error` without a listener would end the process.
  owner.on('error', () => undefined)
  await owner.connect()
  const isMine = await waitUntil(OWNER_WAIT_MS, 50, async () => {
    const { rows } = await owner.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [OWNER_LOCK])
    return rows[0]?.mine || undefined
  })
  if (!isMine) {
    await owner.end()
    throw new Error(`Another server runs on ${starting.place.cluster}. Stop it, or set another DATA_DIR.`)
  }
  if (isAdopted) await endSessionsOfTheDead(owner, starting.log)
  const { rowCount } = await owner.query('select 1 from pg_database where datname = $1', [DATABASE])
  if (rowCount === 0) await owner.query(`create database ${DATABASE}`)
  return { owner, port }
}

async function endSessionsOfTheDead(owner: Client, log: DatabaseLog): Promise<void> {
  log.info('Took over the database of a server that was killed.')
  await owner.query(`
    select pg_terminate_backend(pid, 2000) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`)
}

/** The owner's connection ends when the database does; then it is started again on the same port. */
function keepRunning(starting: StartOptions, password: string, first: Client): () => Promise<void> {
  const { log, place } = starting
  let isStopping = false
  let owner = first
  let revival: Promise<unknown> = Promise.resolve()

  const revive = async () => {
    log.error('The database went away; starting it again.')
    let complaint = ''
    await waitUntil(Number.POSITIVE_INFINITY, 500, async () => {
      if (isStopping) return true
      try {
        owner = (await own(starting, password)).owner
        watch()
        log.info('The database is back.')
        return true
      } catch (cause) {
        if (String(cause) !== complaint) log.error(`The database does not come back yet: ${String(cause)}`)
        complaint = String(cause)
        return undefined
      }
    })
  }
  const watch = () => {
    owner.once('end', () => {
      if (!isStopping) revival = revive()
    })
  }
  watch()

  return async () => {
    isStopping = true
    await revival
    await owner.end().catch(() => undefined)
    await stopPostmaster(place.cluster, log)
  }
}
