import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { majorIn } from './embedded'
import { findNative, findPlace, type Place } from './embedded.place'
import { flagsOf, ROLE, stopPostmaster, surroundings } from './embedded.process'
import type { DatabaseLog } from './open'

/** The major version of the PostgreSQL that comes with the product: no other one reads its files. */
export const embeddedMajor = (): string => majorIn(findNative().folder)

/** Where the files of a database go that is put into `dataDir`, and whose they are to be. */
export function emptyCluster(dataDir: string, log: DatabaseLog): Place {
  const place = findPlace(dataDir, log)
  mkdirSync(place.cluster, { mode: 0o700 })
  if (place.user) chownSync(place.cluster, place.user.uid, place.user.gid)
  return place
}

/**
 * Makes copied files a database that starts: what its log says is repeated, and it gets a password of its own, since
 * that of the database it was copied from is nobody's here.
 */
export async function settleCluster(place: Place, dataDir: string, isDurable: boolean): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  await inSingleUser(place, isDurable, `alter role ${ROLE} password '${password}'\n`)
  writeFileSync(join(dataDir, 'postgres.password'), password, { mode: 0o600, flush: true })
}

/** PostgreSQL without sessions: nobody can connect while it has no password. */
function inSingleUser(place: Place, isDurable: boolean, statement: string): Promise<void> {
  const options = ['--single', '-D', place.cluster, ...flagsOf(isDurable), 'postgres']
  const child = spawn(join(place.native, 'bin/postgres'), options, {
    ...surroundings(place),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString()
  })
  // It may end before it reads.
  child.stdin.on('error', () => undefined)
  child.stdin.end(statement)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => {
      const isDone = code === 0 && !/^(ERROR|FATAL|PANIC)/m.test(said)
      if (isDone) done()
      else fail(new Error(`PostgreSQL can't begin with the copied files (${code}): ${said.trim().slice(-600)}`))
    })
  })
}

/** Ends the database in `dataDir`, should one run there, and removes it wherever its files lie. */
export async function discardCluster(dataDir: string, log: DatabaseLog): Promise<void> {
  const link = join(dataDir, 'postgres')
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (!found) return
  const cluster = found.isSymbolicLink() ? readlinkSync(link) : link
  await stopPostmaster(cluster, log)
  rmSync(cluster, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  rmSync(link, { recursive: true, force: true })
}
