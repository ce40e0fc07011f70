import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { migrate, pendingMigrations } from './migrate'
import { freshDatabase } from './testing'

const log = { info: () => undefined }

async function names(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from schema_migration order by name')
  await client.end()
  return rows.map(({ name }) => name)
}

test('a migrated database has nothing pending, however many ask at once', async () => {
  const { url, drop } = await freshDatabase()
  expect(await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)])).toEqual([[], [], []])
  expect((await names(url)).length).toBeGreaterThan(0)
  await drop()
})

test('a migration that fails changes nothing and names itself', async () => {
  const { url, drop } = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'aisle-migrations-'))
  writeFileSync(join(folder, '0001_broken.sql'), 'create table half (id int); select 1/0;')
  await expect(migrate(url, log, folder)).rejects.toThrow(/The database is newer/)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('delete from schema_migration')
  await expect(migrate(url, log, folder)).rejects.toThrow(/0001_broken.sql failed/)
  expect((await client.query(`select to_regclass('half') as made`)).rows).toEqual([{ made: null }])
  await client.end()
  await drop()
  rmSync(folder, { recursive: true })
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
