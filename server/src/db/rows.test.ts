import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from './pool'
import { rows } from './rows'
import { freshDatabase } from './testing'

let pool: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  pool = openPool(fresh.url, 1, () => undefined)
})
afterAll(async () => {
  await pool.close()
  await drop()
})

const back = async (query: RawBuilder<unknown>) => (await query.execute(pool.db)).rows

test('texts come back to the letter: quotes, braces, commas, the word NULL, nothing at all', async () => {
  const texts = ['', ' ', 'NULL', 'null', '"', '\\', '\\"', "'", '{a,b}', 'a,b', '\n\t', '\\x41', '中文 · é 🙂', '$1']
  const said = texts.map((text, n) => ({ n, text }))
  expect(await back(sql`select n, text from ${rows('t', said, { n: 'int', text: 'text' })} order by n`)).toEqual(said)
})

test('every kind of column comes back as it went, and null with it', async () => {
  const row = {
    id: Number.MAX_SAFE_INTEGER,
    count: -1,
    isOn: false,
    at: new Date('2026-02-28T23:59:59.999Z'),
    day: '2026-02-28',
    hash: Buffer.from([0, 34, 92, 255]),
    data: JSON.stringify({ a: ['"', '\\', null] }),
    degrees: -0.5,
  }
  const none = Object.fromEntries(Object.keys(row).map((name) => [name, null]))
  const found = await back(
    sql`select * from ${rows('r', [row, none], {
      id: 'bigint',
      count: 'smallint',
      isOn: 'boolean',
      at: 'timestamptz',
      day: 'date',
      hash: 'bytea',
      data: 'jsonb',
      degrees: 'real',
    })} order by id`,
  )
  expect(found).toEqual([
    { ...row, isOn: undefined, is_on: false, data: { a: ['"', '\\', null] } },
    { ...none, isOn: undefined, is_on: null },
  ])
})

test('no rows are an empty table', async () =>
  expect(await back(sql`select * from ${rows('t', [] as { a: string }[], { a: 'text' })}`)).toEqual([]))
