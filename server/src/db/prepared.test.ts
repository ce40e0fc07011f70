import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareStatements } from './prepared'
import { freshDatabase } from './testing'

let url: string
let drop: () => Promise<void>
const open: pg.Client[] = []

beforeAll(async () => ({ url, drop } = await freshDatabase()))
afterAll(async () => {
  for (const client of open) await client.end()
  await drop()
})

async function connect(most?: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  open.push(client)
  await client.connect()
  prepareStatements(client, { most })
  return client
}

const twice = async (client: pg.Client, text: string, values: unknown[] = []) => {
  await client.query(text, values)
  return (await client.query(text, values)).rows
}

const kept = async (client: pg.Client): Promise<string[]> =>
  (await client.query('select name from pg_prepared_statements order by prepare_time')).rows.map(({ name }) => name)

test('what is asked a second time is prepared, under a name that one can read', async () => {
  const client = await connect()
  await client.query('select $1::int as once', [1])
  expect(await twice(client, '/* order.page */\n  select $1::int as n', [7])).toEqual([{ n: 7 }])
  expect(await twice(client, 'select 1 as bare')).toEqual([{ bare: 1 }])
  expect(await kept(client)).toEqual([
    expect.stringMatching(/^\/\* order\.page \*\/ select \$1::int as n [\da-f]{16}$/),
    expect.stringMatching(/^select 1 as bare [\da-f]{16}$/),
  ])
})

test('statements that begin alike are told apart, and a name fits into what PostgreSQL keeps of it', async () => {
  const client = await connect()
  const same = `select '${'长'.repeat(30)}${'x'.repeat(60)}'`
  expect(await twice(client, `${same} as a where $1`, [true])).toHaveLength(1)
  expect(await twice(client, `${same} as b where $1`, [true])).toHaveLength(1)
  const names = await kept(client)
  expect(new Set(names).size).toBe(2)
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(64)
})

test('behind a pooler that forgets names none are given', async () => {
  const client = new pg.Client({ connectionString: url })
  open.push(client)
  await client.connect()
  prepareStatements(client, { isPrepared: false })
  for (let n = 0; n < 3; n += 1) expect(await twice(client, 'select $1::int as n', [n])).toEqual([{ n }])
  expect(await kept(client)).toEqual([])
})

test('several statements in one text, transactions and settings are left alone', async () => {
  const client = await connect()
  for (const text of ['select 1; select 2', 'begin', 'set local work_mem = 5000', 'commit']) {
    await client.query(text, [])
    await client.query(text, [])
  }
  expect(await kept(client)).toEqual([])
})

test('those asked least recently are given up for new ones, also while a transaction has failed', async () => {
  const client = await connect(3)
  for (const n of [1, 2, 3]) await twice(client, `select $1::int as a${n}`, [1])
  await client.query('select $1::int as a1', [1])
  await twice(client, 'select $1::int as a4', [1])
  expect((await kept(client)).map((name) => name.split(' ')[3])).toEqual(['a1', 'a3', 'a4'])

  await client.query('begin')
  await expect(client.query('select $1::int / 0', [1])).rejects.toThrow('division by zero')
  await expect(client.query('select $1::int as a5', [1])).rejects.toThrow('aborted')
  await client.query('rollback')
  for (const n of [2, 3, 4, 5, 6])
    expect(await twice(client, `select $1::int as a${n}`, [n])).toEqual([{ [`a${n}`]: n }])
  expect(await kept(client)).toHaveLength(3)
})

test('a statement whose columns a migration changed is prepared anew; only a transaction is lost', async () => {
  const [client, other] = [await connect(), await connect()]
  await client.query('create table changing (n int)')
  const read = () => client.query('select * from changing where $1', [true])
  await client.query('insert into changing values (1)')
  for (let i = 0; i < 3; i++) expect((await read()).rows).toEqual([{ n: 1 }])

  await other.query('alter table changing add column more text')
  expect((await read()).rows).toEqual([{ n: 1, more: null }])

  await read()
  await other.query('alter table changing drop column more')
  await client.query('begin')
  await expect(read()).rejects.toThrow('cached plan must not change result type')
  await client.query('rollback')
  await client.query('begin')
  expect((await read()).rows).toEqual([{ n: 1 }])
  await client.query('commit')
})
