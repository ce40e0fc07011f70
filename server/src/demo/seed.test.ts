import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSaleLawful } from '@aisle/contract/catalog/product'
import { defaultKdf, deriveKeys, equalBytes } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../db/pool'
import { freshDatabase } from '../db/testing'
import { openCredential, saltFor } from '../features/identity/password/credential'
import { summary } from '../features/merchant/licence.reads'
import { bookFaults } from '../features/settlement/check.reads'
import { contradictions } from '../features/trade/recount'
import type { Services } from '../kernel/context'
import { filesIn } from '../kernel/files/store'
import { seedDemo } from './seed'

const NOW = new Date('2026-11-20T06:30:00.000Z')
const small = { machines: 20, days: 7, password: 'aisle-demo' }
const key = () => randomBytes(32)
const keys = { id: 'test', auth: key(), salt: key(), fake: key(), device: key() }

type World = { pool: Pool; services: Services; dataDir: string; drop: () => Promise<void> }

async function emptyWorld(now = NOW): Promise<World> {
  const database = await freshDatabase()
  const pool = openPool(database.url, 3, () => undefined)
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-demo-'))
  const services = {
    db: pool.db,
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
    keys,
    dataDir,
    files: filesIn(dataDir),
  }
  const drop = async () => {
    await pool.close()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { pool, services, dataDir, drop }
}

let world: World
beforeAll(async () => {
  world = await emptyWorld()
  await seedDemo(world.services, small)
}, 300_000)
afterAll(() => world.drop())

async function ask<T>(statement: string): Promise<T[]> {
  return (await sql.raw<T>(statement).execute(world.pool.db)).rows
}
const counted = async (statement: string) => (await ask<{ n: number }>(`select count(*) as n from ${statement}`))[0]?.n

test('books and facts agree: balances, stock, totals, days', async () => {
  expect(await contradictions(world.pool.db)).toEqual([])
  expect(await bookFaults(world.pool.db)).toEqual([])
  expect(await counted('orders')).toBeGreaterThan(200)
  expect(await counted('ledger_transfer')).toBeGreaterThan(100)
})

test('plans, outbound orders and tours stand in every state that people meet', async () => {
  const states = async (table: string) =>
    (await ask<{ state: string }>(`select distinct state from ${table} order by 1`)).map(({ state }) => state)
  expect(await states('purchase_plan')).toEqual(['ordered', 'proposed'])
  expect(await states('outbound_order')).toEqual(['cancelled', 'closed', 'draft', 'loaded', 'picked'])
  expect(await states('replenishment_order')).toEqual(['cancelled', 'done', 'draft', 'loading', 'released', 'underWay'])
})

test('each transfer sums to zero, and beside sales cards were topped up and paid for by who issued them', async () => {
  expect(await ask('select transfer_id from ledger_entry group by 1 having sum(amount_fen) <> 0')).toEqual([])
  const kinds = await ask<{ kind: string }>('select distinct kind from ledger_transfer order by kind')
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'bank_receipt',
    'card_settlement',
    'card_top_up',
    'cash',
    'goods_receipt',
    'loss',
    'refund',
    'sale',
    'settlement',
    'statement',
    'supplier_payment',
    'withdrawal',
  ])
})

test('money without an order stands in several states, and bills and provider know of it', async () => {
  const states = await ask<{ state: string }>('select state from unclaimed_payment order by paid_at')
  expect(states.map(({ state }) => state)).toEqual(['refunded', 'failed', 'asked', 'open', 'open'])
  const inBills = `unclaimed_payment u join statement_line l on l.channel_no in (u.channel_no, u.channel_refund_no)`
  expect(await ask(`select u.state, l.kind, l.matched_id from ${inBills} order by l.at`)).toEqual([
    { state: 'refunded', kind: 'payment', matched_id: null },
    { state: 'refunded', kind: 'refund', matched_id: null },
    { state: 'failed', kind: 'payment', matched_id: null },
  ])
  expect(await counted(`${inBills} join settlement_difference d on d.line_id = l.id`)).toBe(0)
  const lines = readFileSync(join(world.dataDir, 'demo/provider.jsonl'), 'utf8').trim().split('\n')
  const known = lines.map((line) => JSON.parse(line) as { no: string; refunds: { no: string }[] })
  const nobodys = known.filter(({ no }) => /^(COUNTER|POSTER)/.test(no))
  expect(nobodys.flatMap(({ refunds }) => refunds.map(({ no }) => no))).toEqual(['UP0000000001'])
  expect(nobodys).toHaveLength(5)
})

test('a merchant that collects its own payment has no channel money in the ledger', async () => {
  const kinds = await ask<{ kind: string }>(`select distinct a.kind from ledger_entry e
    join ledger_account a on a.id = e.account_id join merchant m on m.id = a.merchant_id where m.collects_payment`)
  expect(kinds.filter(({ kind }) => kind !== 'cash_in_machine' && kind !== 'cash_owned')).toEqual([])
})

test('hours, machines and products of the rollups are what a recount gives', async () => {
  const off = await ask(`select 'hour' from rollup_hour r full join (
      select business_day, extract(hour from occurred_at at time zone 'Asia/Shanghai')::smallint as hour, merchant_id,
        count(*) as orders, sum(paid_fen) as paid_fen from orders group by 1, 2, 3) o
      using (business_day, hour, merchant_id) where r.orders is distinct from o.orders or r.paid_fen <> o.paid_fen
    union all select 'machine' from (select business_day, machine_id, sum(orders) as orders,
      sum(paid_fen) as paid_fen from rollup_day_machine group by 1, 2) r full join (
      select business_day, machine_id, count(*) as orders, sum(paid_fen) as paid_fen from orders group by 1, 2) o
      using (business_day, machine_id) where r.orders is distinct from o.orders or r.paid_fen <> o.paid_fen
    union all select 'product' from rollup_day_product r full join (
      select business_day, product_id, o.merchant_id, count(*) as quantity, sum(price_fen) as paid_fen
      from order_item i join orders o on o.id = i.order_id group by 1, 2, 3) o
      using (business_day, product_id, merchant_id)
      where coalesce(r.quantity, 0) <> coalesce(o.quantity, 0) or coalesce(r.paid_fen, 0) <> coalesce(o.paid_fen, 0)`)
  expect(off).toEqual([])
})

test('nothing lies in the future, and every order came to its end', async () => {
  const late = `orders where greatest(occurred_at, received_at, finished_at) > '${NOW.toISOString()}'`
  expect(await counted(late)).toBe(0)
  expect(await counted("orders where order_state <> 'done' or finished_at < paid_at or paid_at < occurred_at")).toBe(0)
  const days = "orders where business_day <> (occurred_at at time zone 'Asia/Shanghai')::date"
  expect(await counted(days)).toBe(0)
})

test('no slot holds what the machine may not sell, and no sale left a slot below zero', async () => {
  type Row = { mode: Parameters<typeof isSaleLawful>[0]; medicineClass: Parameters<typeof isSaleLawful>[1] }
  const slots = await ask<Row>(`select m.licence_mode as mode, p.medicine_class as "medicineClass"
    from slot s join machine m on m.id = s.machine_id join product p on p.id = s.product_id`)
  expect(slots.filter(({ mode, medicineClass }) => !isSaleLawful(mode, medicineClass))).toEqual([])
  expect(slots.some(({ medicineClass }) => medicineClass === 'rx')).toBe(true)
  expect(await counted('stock_level where quantity < 0')).toBe(0)
})

test('plays stand as their seeds drew them, and what hangs is owed or was collected', async () => {
  expect(await counted(`lottery_play where state = 'won'`)).toBeGreaterThan(0)
  expect(
    await counted(`orders o where is_lottery and not exists (select 1 from lottery_play p where p.id = o.id)`),
  ).toBe(0)
  const wrong = `lottery_play p join order_item i on i.order_id = p.id
    where (p.prize_state = 'dispensed') <> (i.state = 'dispensed')`
  expect(await counted(wrong)).toBe(0)
})

test('the counts of empty and low slots are those of the slots', async () => {
  const before = await ask('select machine_id, slot_count, empty_slots, low_slots from machine_state order by 1')
  await sql.raw('select recount_slots(array(select id from machine))').execute(world.pool.db)
  const after = await ask('select machine_id, slot_count, empty_slots, low_slots from machine_state order by 1')
  expect(after).toEqual(before)
})

test('packs are sold once, by the codes that they were put in with, and who is limited was checked', async () => {
  expect(await counted('trace_sale where not counts')).toBe(0)
  const sold = `trace_code t where t.state = 'sold' and exists (select 1 from trace_event e
    where e.trace_code_id = t.id and e.verb = 'load' and e.at < t.changed_at)`
  expect(await counted(sold)).toBeGreaterThan(50)
  expect(await counted(`trace_code where state = 'in_stock' and place_id is not null`)).toBeGreaterThan(100)
  expect(await counted('trace_account where is_on')).toBe(4)
  expect(await counted(`trace_upload where state = 'queued'`)).toBeGreaterThan(100)
  const modes = await ask(`select distinct m.licence_mode as mode, o.order_state as state from real_name_take t
    join orders o on o.id = t.order_id join machine m on m.id = o.machine_id where t.packs > 0`)
  expect(modes).toEqual([{ mode: 'hospital', state: 'done' }])
})

test('every product has its picture', async () => {
  const products = await ask<{ code: string; picture: string }>('select code, picture from product')
  expect(products.length).toBeGreaterThan(140)
  for (const { picture } of products) {
    expect(readFileSync(join(world.dataDir, picture), 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/)
  }
})

type FleetFile = { machines: { code: string; secret: string; slots: { code: string; stock: number }[] }[] }

test('the fleet file opens the machines and stands as the database does, for its owner alone', async () => {
  const path = join(world.dataDir, 'demo/fleet.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const { machines } = JSON.parse(readFileSync(path, 'utf8')) as FleetFile
  const known = await ask<{ code: string; secret_hash: Buffer }>('select code, secret_hash from machine order by code')
  const hashes = machines.map(({ code, secret }) => `${code} ${createHash('sha256').update(secret).digest('hex')}`)
  expect(hashes.sort()).toEqual(known.map((row) => `${row.code} ${row.secret_hash.toString('hex')}`).sort())
  const levels = await ask<{ key: string; quantity: number }>(`select m.code || '/' || s.code as key,
    coalesce(l.quantity, 0) as quantity from slot s join machine m on m.id = s.machine_id
    left join stock_level l on l.place_id = s.place_id`)
  const told = machines.flatMap(({ code, slots }) => slots.map((slot) => [`${code}/${slot.code}`, slot.stock]))
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(levels.map(({ key, quantity }) => [key, quantity])))
})

test('the demo password opens each account, and no other does', async () => {
  type Row = { id: number; account: string; stored_key: Buffer; server_key: Buffer }
  const found = await ask<Row>('select * from credential join app_user on id = user_id order by id')
  expect(found.map(({ account }) => account)).toEqual([
    'admin',
    'merchant',
    'operator',
    'maintainer',
    'pharmacist',
    'doctor',
    'finance',
    'deputy',
    'treasurer',
  ])
  const opens = (row: Row, password: string) => {
    const sealed = { storedKey: row.stored_key, serverKey: row.server_key }
    const { storedKey } = deriveKeys(password, saltFor(keys, row.account), defaultKdf)
    return equalBytes(openCredential(keys, row.id, sealed).storedKey, storedKey)
  }
  expect(found.every((row) => opens(row, small.password))).toBe(true)
  expect(found.slice(0, 1).some((row) => opens(row, 'aisle-dem0'))).toBe(false)
})

test('a second call changes nothing', async () => {
  const path = join(world.dataDir, 'demo/fleet.json')
  const before = readFileSync(path, 'utf8')
  await seedDemo(world.services, { ...small, machines: 30 })
  expect(await counted('machine')).toBe(20)
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('a database with a business of its own is left alone', async () => {
  const other = await emptyWorld()
  await sql`insert into merchant (code, name, type) values ('OWN', 'own', 'platform')`.execute(other.pool.db)
  await expect(seedDemo(other.services, small)).rejects.toThrow('business of its own')
  expect((await sql`select 1 from machine`.execute(other.pool.db)).rows).toEqual([])
  await other.drop()
})

test('a seed that fails at its last step leaves nothing behind and can be run again', async () => {
  const other = await emptyWorld()
  writeFileSync(join(other.dataDir, 'demo'), 'in the way of the folder')
  const tiny = { machines: 2, days: 2, password: 'aisle-demo' }
  await expect(seedDemo(other.services, tiny)).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect((await sql`select 1 from merchant`.execute(other.pool.db)).rows).toEqual([])
  rmSync(join(other.dataDir, 'demo'))
  await seedDemo(other.services, tiny)
  expect((await sql`select 1 from machine`.execute(other.pool.db)).rows).toHaveLength(2)
  await other.drop()
}, 180_000)

/** Who is at work, open and due differs with the hour: `HOURS=0,1,…` plays others. In UTC. */
const hours = (process.env.HOURS ?? '5').split(',')

test.each(hours)('it can be seeded at %s:32 too, and its books agree', { timeout: 180_000 }, async (hour) => {
  const other = await emptyWorld(new Date(`2026-11-29T${hour.padStart(2, '0')}:32:00.000Z`))
  await seedDemo(other.services, { machines: 12, days: 8, password: 'aisle-demo' })
  expect(await bookFaults(other.pool.db)).toEqual([])
  await other.drop()
})

test('licences stand in every state, an account change waits, and hospitals have their machines', async () => {
  const { db, clock } = world.services
  expect(await summary(db, { kind: 'all' }, clock.now())).toEqual({
    expired: expect.any(Number),
    expiring: expect.any(Number),
    valid: expect.any(Number),
    revoked: 1,
  })
  const facts = await sql<Record<string, number>>`select
      (select count(*) from bank_account where state = 'pending') as pending,
      (select count(*) from member) as members,
      (select count(*) from point where kind = 'hospital' and hospital_id is null) as homeless,
      (select count(*) from integration_config where state = 'enabled') as enabled`.execute(db)
  expect(facts.rows).toEqual([{ pending: 1, members: 306, homeless: 0, enabled: 5 }])
})
