import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Place } from './embedded.place'
import type { DatabaseLog } from './open'
import { waitUntil } from './wait'

export const ROLE = 'aisle'
const READY_WAIT_MS = 60_000
/** A killed postmaster leaves backends that finish what they were doing; until then the data stay locked. */
const ORPHAN_WAIT_MS = 30_000
const STOP_WAIT_MS = 15_000
const MAX_LOG_BYTES = 4_000_000

/** Modest memory for a small site; a large one brings its own PostgreSQL by DATABASE_URL. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
}

export function flagsOf(isDurable: boolean): string[] {
  // Of hundreds of databases that live for seconds none is worth a vacuum.
  const durability = isDurable
    ? {}
    : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
  return Object.entries({ ...settings, ...durability }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

export type Postmaster = { pid: number; port: number }

export type StartOptions = {
  place: Place
  logFile: string
  log: DatabaseLog
  /** The port of a database that came back: its clients know no other, so it is waited for. */
  wantedPort: number | undefined
  /** Test databases are thrown away, so they need not survive a power cut. */
  isDurable: boolean
}

/** Runs initdb beside the final folder, so that a half-made cluster is never taken for a whole one. */
export async function initialise(place: Place, password: string, isDurable: boolean): Promise<void> {
  const fresh = `${place.cluster}.new`
  const passwordFile = `${place.cluster}.pw`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (place.user) {
    chownSync(fresh, place.user.uid, place.user.gid)
    chownSync(passwordFile, place.user.uid, place.user.gid)
  }
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = [`--username=${ROLE}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  try {
    await runInitdb(place, ['-D', fresh, ...locale, ...access, ...(isDurable ? [] : ['--no-sync'])])
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(fresh, place.cluster)
}

function runInitdb(place: Place, options: string[]): Promise<void> {
  const child = spawn(join(place.native, 'bin/initdb'), options, {
    ...surroundings(place),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (part: Buffer) => {
    complaint += part.toString()
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) =>
      code === 0 ? done() : fail(new Error(`initdb failed (${code}): ${complaint.trim()}`)),
    )
  })
}

/** Own process group, so that Ctrl-C reaches the server first and the database only when the server has closed. */
export function surroundings({ user }: Place) {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: '/', env, detached: true, ...(user && { uid: user.uid, gid: user.gid }) }
}

/** The postmaster that runs in this cluster, started here or left over from a server that was killed. */
export async function startOrAdopt(options: StartOptions): Promise<Postmaster & { isAdopted: boolean }> {
  const { place, log } = options
  const left = await postmasterLeft(place.cluster)
  if (left) return { ...left, isAdopted: true }

  let complaint = ''
  let attempt = 0
  const started = await waitUntil(ORPHAN_WAIT_MS, 200, async () => {
    dropStaleLock(place.cluster)
    const port = options.wantedPort ?? (await freePort())
    const outcome = await launch(options, port)
    if (typeof outcome !== 'string') return outcome
    complaint = outcome
    if (!isTransient(outcome)) throw new Error(`PostgreSQL does not start: ${outcome}`)
    if (attempt === 0) log.info('Waiting for the processes of a killed database to leave.')
    attempt += 1
    return undefined
  })
  if (!started) throw new Error(`PostgreSQL does not start after 30 s: ${complaint}`)
  return { ...started, isAdopted: false }
}

const isTransient = (complaint: string) =>
  /shared memory block|lock file .* already exists|Address already in use|could not bind/i.test(complaint)

/** Answers the running postmaster, or what PostgreSQL said when it gave up. */
async function launch(options: StartOptions, port: number): Promise<Postmaster | string> {
  const { place, logFile, isDurable } = options
  const output = openLog(logFile)
  const from = statSync(logFile).size
  const flags = ['-D', place.cluster, '-p', String(port), ...flagsOf(isDurable)]
  const child = spawn(join(place.native, 'bin/postgres'), flags, {
    ...surroundings(place),
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let end: string | undefined
  child.once('error', (cause) => {
    end = cause.message
  })
  child.once('exit', (code, signal) => {
    // At the end of a run the folder may be gone already, and then nobody asks what it said.
    const said = existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(from).trim() : ''
    end = `${said} (${signal ?? code})`
  })
  child.unref()
  const outcome = await waitUntil(READY_WAIT_MS, 10, () => end ?? readyIn(place.cluster, child.pid))
  return outcome ?? `it was not ready after ${READY_WAIT_MS / 1000} s`
}

/** One file, kept short: it only holds warnings, and the start of the run before is worth more than its end. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return openSync(file, size > MAX_LOG_BYTES ? 'w' : 'a', 0o600)
}

type LockFile = { pid: number; port: number; status: string }

/** postmaster.pid, line by line: pid, folder, start time, port, socket folder, address, shared memory, status. */
function readLockFile(cluster: string): LockFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  // Without sessions (single-user mode) it writes a negative one.
  return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), status: lines[7]?.trim() ?? '' }
}

function readyIn(cluster: string, pid: number | undefined): Postmaster | undefined {
  const lock = readLockFile(cluster)
  return lock && lock.pid === pid && lock.status === 'ready' ? { pid: lock.pid, port: lock.port } : undefined
}

function runningPostmaster(cluster: string): number | undefined {
  const lock = readLockFile(cluster)
  return lock && isAlive(lock.pid) && isPostgres(lock.pid) ? lock.pid : undefined
}

/** One that is just starting is waited for until it is ready, one that is just stopping until it has gone. */
async function postmasterLeft(cluster: string): Promise<Postmaster | undefined> {
  const pid = runningPostmaster(cluster)
  if (pid === undefined) return undefined
  const outcome = await waitUntil(READY_WAIT_MS, 20, () => (isAlive(pid) ? readyIn(cluster, pid) : 'gone'))
  if (outcome === undefined)
    throw new Error(`PostgreSQL (process ${pid}), left by a killed server, neither runs nor ends`)
  return outcome === 'gone' ? undefined : outcome
}

/** PostgreSQL takes any process of that number for the old postmaster: a zombie, or a stranger after a reboot. */
function dropStaleLock(cluster: string): void {
  const lock = readLockFile(cluster)
  if (lock && !(isAlive(lock.pid) && isPostgres(lock.pid))) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
  return !/^\d+ \(.*\) Z/.test(procFile(pid, 'stat') ?? '')
}

const isPostgres = (pid: number): boolean => (procFile(pid, 'cmdline') ?? 'postgres').includes('postgres')

/** Undefined where there is no /proc (macOS), or the process has gone. */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done, fail) => {
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', done)
  })
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1')
  return address.port
}

/** Fast shutdown (SIGINT): sessions end, data are written. A postmaster that hangs is stopped as a crash would. */
export async function stopPostmaster(cluster: string, log: DatabaseLog): Promise<void> {
  const pid = runningPostmaster(cluster)
  if (pid === undefined) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (await waitUntil(STOP_WAIT_MS, 10, () => !isAlive(pid) || undefined)) return
    log.warn(`PostgreSQL (process ${pid}) did not stop on ${signal}.`)
  }
}
