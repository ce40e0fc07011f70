import { listOrders } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../../db/pool'
import { withSettings } from '../../../db/testing'
import type { Reader } from '../../../kernel/context'
import { MOST_COUNTED } from '../../../kernel/list'
import type { Sight } from '../../../kernel/scope'
import { addOrder } from '../../../testing/builders'
import { addFamily, type Family } from '../../../testing/fixtures'
import { openWorld, type World } from '../../../testing/world'
import { listing } from './order.reads'
import { orderAccessPath } from './order.accessPath'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let family: Family
let sight: Sight

beforeAll(async () => {
  world = await openWorld(NOON)
  family = await addFamily(world.services.db, NOON)
  sight = { kind: 'subtree', merchantId: family.ours.merchantId }
})
afterAll(() => world.close())

const found = async (db: Reader, by: Sight, given: Record<string, unknown> = {}) => {
  const filter = filterOf(given)
  const list = listing(await orderAccessPath(db, by, filter), filter)
  return { ...(await list.page(db, filter)), ...(await list.count(db, MOST_COUNTED)) }
}

const filterOf = (given: Record<string, unknown> = {}) => listOrders.input.parse(given)

test('a machine that is owned and authorised too shows its orders once', async () => {
  const { db } = world.services
  const { items: before } = await found(db, sight)
  await sql`insert into machine_grant_merchant (machine_id, merchant_id)
    select id, merchant_id from machine where merchant_id = ${family.ours.merchantId}`.execute(db)
  const ours = await sql<{ count: number }>`select count(*)::int as count from orders
    where merchant_id = ${family.ours.merchantId}`.execute(db)
  expect(before).toHaveLength(ours.rows[0]?.count ?? 0)
  expect(before).not.toEqual([])
  expect((await found(db, sight)).items).toEqual(before)
})

test('a business day is whole whatever time zone the database is set to', async () => {
  const [machine] = family.ours.machines
  if (!machine) throw new Error('no machine')
  const { id } = await addOrder(world.services.db, machine, new Date('2026-11-18T16:05:00Z'))
  await sql`update orders set business_day = '2026-11-19' where id = ${id}`.execute(world.services.db)
  const western = openPool(withSettings(world.url, { timezone: 'America/Los_Angeles' }), 1, () => undefined)
  const { items } = await found(western.db, sight, { from: '2026-11-19', to: '2026-11-19' })
  await western.close()
  expect(items.map((order) => order.id)).toEqual([id])
})

test.each([
  ['one of few machines', () => sight],
  ['all machines', (): Sight => ({ kind: 'all' })],
])('a number is found without reading the others, by who sees %s', async (_, seen) => {
  const { db } = world.services
  const [machine] = family.ours.machines
  if (!machine) throw new Error('no machine')
  const { orderNo, id } = await addOrder(db, machine, NOON)
  await sql`insert into orders select id + g::bigint * 1000000, merchant_id, machine_id, order_no || '-' || g,
      machine_order_no, business_type, method, payment_state, ship_state, order_state, problem, is_lottery, is_offline,
      item_count, total_fen, discount_fen, paid_fen, refunded_fen, 'W-' || id || '-' || g,
      occurred_at - g * interval '1 minute', received_at, business_day, paid_at, null, null, null, null, null, 0,
      point_id
    from orders, generate_series(1, 20000) g where id = ${id}`.execute(db)
  await sql`vacuum analyze orders`.execute(db)
  const touched = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const stat = await sql<{ touched: number }>`select sum(seq_tup_read) + sum(idx_tup_fetch) as touched
      from pg_stat_user_tables where relname like 'orders\\_%'`.execute(db)
    return stat.rows[0]?.touched ?? 0
  }
  const before = await touched()
  for (const [number, count] of [
    [orderNo, 1],
    [`W-${id}-77`, 1],
    ['nothing', 0],
  ] as const) {
    const { items, total } = await found(db, seen(), { orderNo: number })
    expect([items.length, total]).toEqual([count, count])
  }
  expect((await touched()) - before).toBeLessThan(100)
})
