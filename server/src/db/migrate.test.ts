import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { CHAIN } from './chain'
import { migrate, pendingMigrations, readBaseline, readMigrations } from './migrate'
import { bareDatabase, freshDatabase } from './testing'

const log = { info: () => undefined }

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const names = async (url: string) =>
  ((await ask(url, 'select name from schema_migration order by name')) as { name: string }[]).map(({ name }) => name)

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A folder as the product ships one, before anything was added to its baseline. */
function baselineAlone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-migrations-'))
  folders.push(folder)
  cpSync(fileURLToPath(new URL('./schema', import.meta.url)), join(folder, 'schema'), { recursive: true })
  return folder
}

test('a migrated database has nothing pending, however many ask at once', async () => {
  const { url, drop } = await freshDatabase()
  expect(await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)])).toEqual([[], [], []])
  expect((await names(url)).length).toBeGreaterThan(0)
  await drop()
})

test('a migration that fails changes nothing and names itself', async () => {
  const { url, drop } = await bareDatabase()
  const folder = baselineAlone()
  await migrate(url, log, folder)
  mkdirSync(join(folder, 'migrations'))
  writeFileSync(join(folder, 'migrations', '0101_broken.sql'), 'create table half (id int); select 1/0;')
  await expect(migrate(url, log, folder)).rejects.toThrow(/0101_broken.sql failed/)
  expect(await ask(url, `select to_regclass('half') as made`)).toEqual([{ made: null }])
  expect(await names(url)).toEqual(['0100_baseline'])
  await drop()
})

test('a migration below the baseline is no migration any more', async () => {
  const folder = baselineAlone()
  mkdirSync(join(folder, 'migrations'))
  writeFileSync(join(folder, 'migrations', '0067_late.sql'), '')
  expect(() => readMigrations(join(folder, 'migrations'))).toThrow(/next number above 0100/)
})

test('a comment may be said better, a statement stays as it was applied', () => {
  const folder = baselineAlone()
  const { hash } = readBaseline(join(folder, 'schema'))
  appendFileSync(join(folder, 'schema', '01_kernel.sql'), '\r\n  -- Said better.\r\n')
  expect(readBaseline(join(folder, 'schema')).hash).toBe(hash)
  appendFileSync(join(folder, 'schema', '01_kernel.sql'), 'select 1;')
  expect(readBaseline(join(folder, 'schema')).hash).not.toBe(hash)
})

/** As the last version before the baseline left one, with a merchant in it; `kept` of its migrations are noted. */
async function oldDatabase(kept: number) {
  const old = await bareDatabase()
  await migrate(old.url, log, baselineAlone())
  await ask(old.url, `insert into merchant (id, code, name, type) values (7, 'ROOT', 'Kept', 'platform')`)
  await ask(old.url, 'delete from schema_migration')
  for (const line of CHAIN.slice(0, kept)) {
    const [name, hash] = line.split(' ')
    await ask(old.url, `insert into schema_migration (name, hash) values ('${name}.sql', '${hash}')`)
  }
  return old
}

test('a database with the whole chain before the baseline is taken over with what is in it', async () => {
  const old = await oldDatabase(CHAIN.length)
  const fresh = await freshDatabase()
  await Promise.all([migrate(old.url, log), migrate(old.url, log)])
  expect(await names(old.url)).toEqual(await names(fresh.url))
  expect(await ask(old.url, 'select code, name from merchant')).toEqual([{ code: 'ROOT', name: 'Kept' }])
  expect(await migrate(old.url, log)).toEqual([])
  await old.drop()
  await fresh.drop()
})

test('an older database, and one of another chain, are refused in words and stay as they are', async () => {
  const old = await oldDatabase(CHAIN.length - 1)
  const before = await names(old.url)
  await expect(migrate(old.url, log)).rejects.toThrow(
    /stopped at 0065_mode_of_the_day.sql. Start the version with migration 0066_codes_counted_once on it once/,
  )
  expect(await names(old.url)).toEqual(before)
  await ask(old.url, `insert into schema_migration (name, hash) values ('0066_other.sql', '')`)
  await expect(migrate(old.url, log)).rejects.toThrow(/0066_other.sql, which is not of a release/)
  expect(await ask(old.url, 'select code from merchant')).toEqual([{ code: 'ROOT' }])
  await old.drop()
})

const file = (name: string, hash = name) => ({ name, hash, sql: '' })

test('what was applied must be the beginning of what the code has', () => {
  const code = [file('0001_a.sql'), file('0002_b.sql'), file('0003_c.sql')]
  expect(pendingMigrations(code, [])).toEqual(code)
  expect(pendingMigrations(code, code.slice(0, 2))).toEqual([code[2]])
  expect(() => pendingMigrations(code.slice(0, 1), code)).toThrow(/newer/)
  expect(() => pendingMigrations(code, [file('0001_a.sql', 'other')])).toThrow(/changed/)
  expect(() => pendingMigrations(code, [file('0001_a.sql'), file('0003_c.sql')])).toThrow(/renumber/)
})
