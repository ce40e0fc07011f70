import { chown, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isEmptyDatabase, restoreDump } from '../../../db/dump'
import { startEmbedded } from '../../../db/embedded'
import type { Place } from '../../../db/embedded.place'
import { discardCluster, embeddedMajor, emptyCluster, settleCluster } from '../../../db/embedded.restore'
import { refuseNewer } from '../../../db/migrate'
import type { DatabaseLog } from '../../../db/open'
import type { TarEntry } from '../../../kernel/files/tar'
import { type About, BackupError, readArchive } from './archive'
import { KEYS } from './files'

/** Lies in a folder from before its first file until after its last one: nothing starts there meanwhile. */
const UNFINISHED = 'restore.unfinished'
const DUMP = 'database.dump'

export type Target = {
  dataDir: string
  /** A database to be filled instead of an embedded one; only with what pg_dump made. */
  databaseUrl?: string | undefined
  log: DatabaseLog
  /** A trial needs no files but the database's, and need not outlast a power cut. */
  isTrial?: boolean
  say?: (line: string) => void
}

/** @throws BackupError when a restore into `dataDir` was begun and not ended */
export async function refuseUnfinished(dataDir: string): Promise<void> {
  if (!(await isThere(join(dataDir, UNFINISHED)))) return
  throw new BackupError(`A restore into ${dataDir} did not come to its end. Run npm run restore for it again.`)
}

/**
 * Puts a backup into an empty folder, after all of it was held against its sums. Killed at any time, it leaves a
 * folder in which nothing starts, and which the next restore begins anew.
 * @throws BackupError in words
 */
export async function restore(file: string, target: Target): Promise<Restored> {
  const { dataDir, databaseUrl, log, isTrial = false, say = () => undefined } = target
  await refuseFull(dataDir)
  if (!isTrial) {
    say(`Reading ${file} …`)
    await readArchive(file, { begin: (about) => refuseStrange(about, target) })
  }
  if (databaseUrl && !(await isEmptyDatabase(databaseUrl)))
    throw new BackupError('The database of DATABASE_URL is not empty. Make a new one, and name that.')
  say(`Writing into ${dataDir} …`)
  await clear(dataDir, log)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, UNFINISHED), `${file}\n`, { flush: true })
  const restored = await write(file, target)
  await rm(join(dataDir, UNFINISHED))
  await syncFolder(dataDir)
  return restored
}

export type Restored = { about: About; hasKeys: boolean }

async function refuseFull(dataDir: string): Promise<void> {
  const names: string[] = await readdir(dataDir).catch(() => [])
  if (names.length === 0 || names.includes(UNFINISHED)) return
  throw new BackupError(`${dataDir} is not empty. Restore into another folder, or move this one away.`)
}

function refuseStrange({ migrations, database, postgres, platform, product }: About, target: Target): void {
  try {
    refuseNewer(migrations)
  } catch (cause) {
    throw new BackupError(`This backup is of version ${product}, which this one can't read.`, { cause })
  }
  if (database === 'dump') return
  if (target.databaseUrl) {
    throw new BackupError('This backup holds an embedded database. Unset DATABASE_URL to restore it.')
  }
  const here = `${process.platform}-${process.arch}`
  if (platform !== here) {
    throw new BackupError(`This backup was made on ${platform}; its database can't be read on ${here}.`)
  }
  const major = postgres.split('.')[0] ?? ''
  const own = embeddedMajor()
  if (major === own) return
  throw new BackupError(
    `This backup was made by PostgreSQL ${major}; this version brings ${own}. Use the older version.`,
  )
}

/** What a restore that was cut off had written. */
async function clear(dataDir: string, log: DatabaseLog): Promise<void> {
  if (!(await isThere(join(dataDir, UNFINISHED)))) return
  await discardCluster(dataDir, log)
  for (const name of await readdir(dataDir)) {
    if (name !== UNFINISHED) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

async function write(file: string, { dataDir, databaseUrl, log, isTrial = false }: Target): Promise<Restored> {
  const isDurable = !isTrial
  const dump = join(dataDir, DUMP)
  let place: Place | undefined
  let hasKeys = false
  const about = await readArchive(file, {
    begin: ({ database }) => {
      if (database === 'files') place = emptyCluster(dataDir, log)
    },
    take: async (member) => {
      const { name } = member
      const [, root, rest] = /^(database|files)\/(.+)$/.exec(name) ?? []
      // PostgreSQL writes all of its files through to the disk before it begins.
      if (root === 'database' && rest && place)
        await put(member, join(place.cluster, rest), { isDurable: false, place })
      if (name === DUMP) await put(member, dump, { isDurable: false })
      if (isTrial) return
      if (root === 'files' && rest) await put(member, join(dataDir, rest), { isDurable })
      hasKeys ||= name === KEYS
      if (name === KEYS) await put(member, join(dataDir, KEYS), { isDurable })
    },
  })
  if (place) await settleCluster(place, dataDir, isDurable)
  else await fill(dump, { dataDir, databaseUrl, log, isTrial })
  return { about, hasKeys }
}

async function fill(dump: string, { dataDir, databaseUrl, log, isTrial }: Target): Promise<void> {
  if (databaseUrl) await restoreDump(dump, databaseUrl)
  else {
    const database = await startEmbedded({ dataDir, log, isDurable: !isTrial })
    await restoreDump(dump, database.url).finally(database.stop)
  }
  await rm(dump)
}

type How = { isDurable: boolean; place?: Place }

async function put(member: TarEntry & { content: AsyncIterable<Buffer> }, path: string, { isDurable, place }: How) {
  if (member.isFolder) await mkdir(path, { recursive: true, mode: 0o700 })
  else {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    await pipeline(member.content, file.createWriteStream({ flush: isDurable }))
  }
  if (place?.user) await chown(path, place.user.uid, place.user.gid)
}

async function syncFolder(path: string): Promise<void> {
  // Windows can't open a folder, and does without.
  const folder = await open(path, 'r').catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
