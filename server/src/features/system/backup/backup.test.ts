import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { backup } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '../../../db/embedded'
import { discardCluster } from '../../../db/embedded.restore'
import { migrate } from '../../../db/migrate'
import { openPool, type Pool } from '../../../db/pool'
import { throwAwayFolder } from '../../../db/testing.places'
import type { Services } from '../../../kernel/context'
import { addMerchant } from '../../../testing/builders'
import { booksHash, closeDay, postTransfers, salePostings } from '../../ledger/public'
import { type About, memberOf, partOf, writeArchive } from './archive'
import { backupJobs } from './backup.jobs'
import { faultsOf } from './check'
import { type Installation, makeBackup } from './make'
import { refuseUnfinished, restore } from './restore'

/** Each backup is restored and started, on a machine that has other work. */
const LONG_MS = 180_000
const NOON = new Date('2026-11-20T12:00:00+08:00')
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const folder = throwAwayFolder('test')
const dataDir = join(folder, 'data')
const empty = join(folder, 'restored')
let database: Embedded
let pool: Pool
let own: Installation
let merchantId: number

beforeAll(async () => {
  mkdirSync(dataDir, { mode: 0o755 })
  database = await startEmbedded({ dataDir, log: quiet, isDurable: false })
  await migrate(database.url, quiet)
  pool = openPool(database.url, 4, () => undefined)
  await sql`select ensure_partitions('2026-10-01', '2026-12-31')`.execute(pool.db)
  merchantId = await addMerchant(pool.db)
  own = { url: database.url, isEmbedded: true, dataDir, product: '0.1.0', clock: { now: () => NOON } }
  for (const name of ['pictures', 'exports', 'demo']) mkdirSync(join(dataDir, name))
  writeFileSync(join(dataDir, 'pictures/a.jpg'), 'a picture')
  writeFileSync(join(dataDir, 'exports/1.csv'), 'an export')
  writeFileSync(join(dataDir, 'keys.json'), 'the keys')
  await post(20, new Date('2026-11-19T12:00:00+08:00'))
  await closeDay(pool.db, '2026-11-19', NOON)
})
afterAll(async () => {
  await pool.close()
  await database.stop()
  await discardCluster(empty, quiet)
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await discardCluster(empty, quiet)
  rmSync(empty, { recursive: true, force: true })
})

let posted = 0
async function post(count: number, at: Date): Promise<void> {
  const transfers = Array.from({ length: count }, () => {
    posted += 1
    const sale = { method: 'alipay' as const, paidFen: 500 + posted, merchantId, machineCode: 'A1' }
    const postings = salePostings({ ...sale, collectsPayment: false })
    const businessDay = at.toISOString().slice(0, 10)
    return { kind: 'sale' as const, reference: `s${posted}`, merchantId, postedAt: at, businessDay, postings }
  })
  await pool.db.transaction().execute((tx) => postTransfers(tx, transfers))
}

const make = (name: string, keys: string | null = null) =>
  makeBackup(own, { file: join(folder, name), bySchedule: false, keys, say: () => undefined })
const lastRun = async () => {
  const found = await sql<{ isGood: boolean | null; problem: string; file: string }>`
    select is_good as "isGood", problem, file from backup_run order by id desc limit 1`.execute(pool.db)
  return found.rows[0]
}

/** What a started copy says. */
async function asked<T>(dir: string, question: (restored: Pool) => Promise<T>): Promise<T> {
  const copy = await startEmbedded({ dataDir: dir, log: quiet, isDurable: false })
  const restored = openPool(copy.url, 2, () => undefined)
  try {
    return await question(restored)
  } finally {
    await restored.close()
    await copy.stop()
  }
}

/** Entries all the time, and files that come, grow and vanish. */
function write(): { stop: () => Promise<void> } {
  let isWanted = true
  const work = async () => {
    while (isWanted) {
      await post(5, NOON)
      await sql`create table passing as select i, repeat('x', 500) from generate_series(1, 2000) i`.execute(pool.db)
      await sql`drop table passing`.execute(pool.db)
      await sql`checkpoint`.execute(pool.db)
      await pause(20)
    }
  }
  const working = work()
  return {
    stop: () => {
      isWanted = false
      return working
    },
  }
}

test(
  'backed up while it is written to, wiped and restored, the ledger is the same to the last entry',
  async () => {
    const writing = write()
    const before = posted
    const made = await make('busy.tar.gz').finally(writing.stop)
    const after = posted
    expect(made).toMatchObject({ problem: '', file: join(folder, 'busy.tar.gz') })
    expect(statSync(join(folder, 'busy.tar.gz')).mode & 0o077).toBe(0)
    await restore(join(folder, 'busy.tar.gz'), { dataDir: empty, log: quiet })
    await asked(empty, async ({ db }) => {
      const { hash, entries } = await booksHash(db)
      expect({ books: hash.toString('hex'), entries }).toEqual({ books: made?.books, entries: made?.entries })
      expect(entries / 2).toBeGreaterThanOrEqual(before)
      expect(entries / 2).toBeLessThanOrEqual(after + 5)
      expect(await faultsOf(db)).toEqual([])
    })
    expect(after).toBeGreaterThan(before)
    expect(readFileSync(join(empty, 'pictures/a.jpg'), 'utf8')).toBe('a picture')
    expect(readFileSync(join(empty, 'exports/1.csv'), 'utf8')).toBe('an export')
    expect(existsSync(join(empty, 'keys.json'))).toBe(false)
    expect(readFileSync(join(empty, 'postgres.password'), 'utf8')).not.toBe(
      readFileSync(join(dataDir, 'postgres.password'), 'utf8'),
    )
  },
  LONG_MS,
)

test('at rest the copy’s books are those of the original, and keys are in it when they are asked for', async () => {
  const made = await make('rest.tar.gz', 'the keys')
  expect(made?.books).toBe((await booksHash(pool.db)).hash.toString('hex'))
  expect(await restore(join(folder, 'rest.tar.gz'), { dataDir: empty, log: quiet })).toMatchObject({ hasKeys: true })
  expect(readFileSync(join(empty, 'keys.json'), 'utf8')).toBe('the keys')
  expect(statSync(join(empty, 'keys.json')).mode & 0o077).toBe(0)
  await expect(restore(join(folder, 'rest.tar.gz'), { dataDir: empty, log: quiet })).rejects.toThrow(/not empty/)
})

test('what was damaged, cut off or is something else is refused before anything is written', async () => {
  const whole = readFileSync(join(folder, 'rest.tar.gz'))
  const damaged = Buffer.from(whole)
  const middle = Math.floor(whole.length / 2)
  damaged[middle] = (damaged[middle] ?? 0) ^ 0xff
  for (const bytes of [damaged, whole.subarray(0, -20), whole.subarray(0, middle), Buffer.from('a text')]) {
    writeFileSync(join(folder, 'bad.tar.gz'), bytes)
    await expect(restore(join(folder, 'bad.tar.gz'), { dataDir: empty, log: quiet })).rejects.toThrow(/damaged|whole/)
    expect(existsSync(empty)).toBe(false)
  }
})

const about: About = {
  format: 1,
  product: '9.9.9',
  madeAt: NOON.toISOString(),
  database: 'files',
  postgres: '18.4',
  platform: `${process.platform}-${process.arch}`,
  migrations: [],
  sealed: null,
}

test.each([
  ['a newer version', { migrations: [{ name: '9999_later', hash: 'x' }] }, /version 9.9.9/],
  ['another kind of machine', { platform: 'plan9-vax' }, /plan9-vax/],
  ['another PostgreSQL', { postgres: '12.1' }, /PostgreSQL 12/],
])('a backup of %s is refused in words', async (_, said, words) => {
  const file = join(folder, 'foreign.tar.gz')
  const members = (async function* () {
    yield memberOf('files/x', Buffer.from('x'))
  })()
  await writeArchive(file, { ...about, ...said }, members)
  await expect(restore(partOf(file), { dataDir: empty, log: quiet })).rejects.toThrow(words)
  expect(existsSync(empty)).toBe(false)
})

test('a member that points outside of its folder is damage', async () => {
  const file = join(folder, 'outside.tar.gz')
  const members = (async function* () {
    yield memberOf('files/../../outside', Buffer.from('x'))
  })()
  await writeArchive(file, about, members)
  await expect(restore(partOf(file), { dataDir: empty, log: quiet })).rejects.toThrow(/damaged/)
})

test('a copy whose books are not true is kept by another name, and is not good', async () => {
  await sql`update ledger_account set balance_fen = balance_fen + 1
    where id = (select min(id) from ledger_account)`.execute(pool.db)
  const made = await make('untrue.tar.gz')
  await sql`update ledger_account set balance_fen = balance_fen - 1
    where id = (select min(id) from ledger_account)`.execute(pool.db)
  expect(made).toMatchObject({
    file: join(folder, 'untrue.tar.gz.doubtful'),
    problem: expect.stringMatching(/entries say/),
  })
  expect(existsSync(join(folder, 'untrue.tar.gz'))).toBe(false)
  expect(await lastRun()).toMatchObject({ isGood: false, problem: expect.stringMatching(/entries say/) })
})

const commandsFolder = fileURLToPath(new URL('../../../main', import.meta.url))
const command = (name: string, options: string[]): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', join(commandsFolder, `${name}.cli.ts`), ...options], {
    cwd: commandsFolder,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Killed so long after it said what it does. */
async function killAt(child: ChildProcess, words: RegExp, afterMs: number): Promise<void> {
  if (!child.stdout) throw new Error('no output')
  for await (const line of createInterface(child.stdout)) {
    if (!words.test(line)) continue
    await pause(afterMs)
    child.kill('SIGKILL')
    break
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

test(
  'a backup that is killed leaves nothing that looks whole, and the next one clears up behind it',
  async () => {
    const file = join(folder, 'killed.tar.gz')
    for (const [words, afterMs] of [
      [/^Copying/, 0],
      [/^Copying/, 100],
      [/^Trying/, 0],
      [/^Trying/, 700],
    ] as const) {
      await killAt(command('backup', [file]), words, afterMs)
      expect(existsSync(file)).toBe(false)
      expect(await lastRun()).toMatchObject({ isGood: null, file })
    }
    expect(await make('after.tar.gz')).toMatchObject({ problem: '' })
    expect(readdirSync(folder).filter((name) => name.startsWith('killed'))).toEqual([])
    expect(existsSync(join(dataDir, 'backup.check'))).toBe(false)
    const open = await sql`select 1 from backup_run where ended_at is null`.execute(pool.db)
    expect(open.rows).toEqual([])
  },
  LONG_MS,
)

test(
  'a restore that is killed leaves a folder in which nothing starts, and the next one makes it whole',
  async () => {
    const file = join(folder, 'rest.tar.gz')
    for (const [words, afterMs] of [
      [/^Writing/, 0],
      [/^Writing/, 60],
      [/^Writing/, 400],
    ] as const) {
      await killAt(command('restore', [file, empty]), words, afterMs)
      const isBegun = existsSync(empty) && readdirSync(empty).length > 0
      if (isBegun) await expect(refuseUnfinished(empty)).rejects.toThrow(/did not come to its end/)
    }
    await restore(file, { dataDir: empty, log: quiet })
    await refuseUnfinished(empty)
    const found = await asked(empty, ({ db }) => faultsOf(db))
    expect(found).toEqual([])
  },
  LONG_MS,
)

test(
  'the schedule makes one a day, keeps as many as it is told, and says what failed',
  async () => {
    // Programs of their own went by this machine's clock.
    await sql`delete from backup_run`.execute(pool.db)
    let now = new Date('2026-11-23T03:07:00+08:00')
    const services = { db: pool.db, clock: { now: () => now }, log: pino({ level: 'silent' }), dataDir } as Services
    const [job] = backupJobs({ ...own })
    const runAt = async (at: string) => {
      now = new Date(`2026-11-${at}:00+08:00`)
      await job?.run(services, {})
    }
    const place = join(folder, 'elsewhere')
    const set = (key: string, value: unknown) =>
      sql`insert into setting (key, value)
    values (${key}, ${JSON.stringify(value)}::jsonb)
    on conflict (key, merchant_id) do update set value = excluded.value`.execute(pool.db)
    await set(backup.folder.key, place)
    await set(backup.keepDays.key, 1)
    await set(backup.keepWeeks.key, 0)
    await set(backup.isOn.key, false)
    await runAt('23T03:07')
    expect(existsSync(place)).toBe(false)
    await set(backup.isOn.key, true)
    await runAt('23T03:07')
    await runAt('23T04:07')
    expect(readdirSync(place)).toEqual(['aisle-20261123-0307.tar.gz'])
    // A folder that can't be one: it is said, and what is there stays.
    writeFileSync(join(folder, 'a file'), '')
    await set(backup.folder.key, join(folder, 'a file'))
    await runAt('24T03:07')
    expect(await lastRun()).toMatchObject({ isGood: false, problem: expect.stringContaining('a file') })
    expect(readdirSync(place)).toEqual(['aisle-20261123-0307.tar.gz'])
    await set(backup.folder.key, place)
    await runAt('24T04:07')
    expect(readdirSync(place)).toEqual(['aisle-20261124-0407.tar.gz'])
  },
  LONG_MS,
)

test('two at once are one: the second is told that the first is under way', async () => {
  const both = await Promise.all([make('one.tar.gz'), make('two.tar.gz')])
  expect(both.filter((made) => made === null)).toHaveLength(1)
})

test('a place among what is backed up is refused', async () => {
  const asked = { file: join(dataDir, 'pictures/b.tar.gz'), bySchedule: false, keys: null, say: () => undefined }
  await expect(makeBackup(own, asked)).rejects.toThrow(/outside/)
})
