import type { ListEndpoint } from '@aisle/contract/kernel/endpoint'
import { getPayments, listPayments } from '@aisle/contract/report/payments'
import { rankGoods, rankMachines, rankProducts, rankRunners } from '@aisle/contract/report/ranking'
import { listOrders } from '@aisle/contract/trade/order'
import { paymentMethods } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machineInSight, type Sight } from '../../kernel/scope'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { addRandomSale, randomFrom } from '../../testing/trade'
import { openWorld, type World } from '../../testing/world'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { routes } from './trade.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const seed = Number(process.env.SEED ?? 1)

let world: World
let http: HttpWorld
let who: { name: string; sight: Sight; token: string }[]
let machines: BuiltMachine[]
let unsold: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...orderRoutes))
  const { db } = world.services
  const platform = await addMerchant(db)
  const ours = await addMerchant(db, { parentId: platform })
  const theirs = await addMerchant(db, { parentId: platform })
  const products = [await addProduct(db, { merchantId: platform }), await addProduct(db, { merchantId: platform })]
  const owners = [ours, ours, ours, theirs, theirs, theirs]
  machines = await Promise.all(owners.map((merchantId) => addMachine(db, { merchantId, products })))
  const [first, second, third, fourth, lent] = machines as [BuiltMachine, ...BuiltMachine[]]
  await runBy(ours, [first, second as BuiltMachine])
  await standAt(ours, [second as BuiltMachine, fourth as BuiltMachine])
  const random = randomFrom(seed)
  // Before the first period: sales that only a comparison may count.
  for (let at = 0; at < 90; at += 1) {
    const machine = machines[random(machines.length)]
    if (machine) await addRandomSale(db, machine, random, { now: NOON, days: 80 })
  }
  unsold = (await addProduct(db, { merchantId: ours })).id
  await sql`update slot set product_id = ${unsold} where id = ${third?.slots[0]?.id}`.execute(db)
  await sql`update machine set retired_at = ${NOON} where id = ${second?.id}`.execute(db)
  await sql`insert into machine_grant_merchant (machine_id, merchant_id) values (${lent?.id}, ${ours})`.execute(db)
  who = [
    await person('platform', { merchantId: platform, kind: 'platform_admin' }, () => ({ kind: 'all' })),
    await person('subtree', { merchantId: ours }, () => ({ kind: 'subtree', merchantId: ours })),
    await person(
      'granted',
      { merchantId: ours, kind: 'ordinary', machineIds: [first.id, lent?.id ?? 0] },
      (userId) => ({ kind: 'granted', userId, merchantId: ours }),
    ),
  ]
}, 120_000)
afterAll(async () => {
  await http.close()
  await world.close()
})

async function runBy(merchantId: number, run: readonly BuiltMachine[]): Promise<void> {
  const { db } = world.services
  const unit = await sql<{ id: number }>`insert into organisation (merchant_id, name, kind)
    values (${merchantId}, '城东运营', 'operator') returning id`.execute(db)
  const ids = run.map(({ id }) => id)
  await sql`update machine set operator_id = ${unit.rows[0]?.id} where id = any(${ids}::bigint[])`.execute(db)
}

async function standAt(merchantId: number, standing: readonly BuiltMachine[]): Promise<void> {
  const { db } = world.services
  const made = await sql<{ id: number }>`insert into hospital (merchant_id, name, level, province, city)
    values (${merchantId}, '第一人民医院', 'iii_a', '浙江', '杭州') returning id`.execute(db)
  await sql`update point set kind = 'hospital', hospital_id = ${made.rows[0]?.id}
    where id in (select point_id from machine where id = any(${standing.map(({ id }) => id)}::bigint[]))`.execute(db)
}

async function person(
  name: string,
  user: Parameters<typeof addUser>[1],
  sightOf: (id: number) => Sight,
): Promise<(typeof who)[number]> {
  const { db } = world.services
  const { id } = await addUser(db, { ...user, grants: ['report.read', 'order.read', 'product.read'] })
  return { name, sight: sightOf(id), token: await addSession(db, id, NOON) }
}

type Row = Record<string, unknown> & { id: number; rank: number | null; paidFen: number }
type Answer = { items: Row[]; total: number; nextCursor: string | null; sums: Record<string, number> }

/** All pages, so that a row that is missed or comes twice shows, and what they are counted as beside. */
async function all(endpoint: ListEndpoint, input: Record<string, unknown>, token: string): Promise<Answer> {
  const { sort: _, ...filter } = input
  const counted = await http.call(endpoint.count, filter, { token })
  const items: Row[] = []
  let cursor: string | undefined
  for (;;) {
    const answer = await http.call(endpoint, { ...input, pageSize: 2, ...(cursor ? { cursor } : {}) }, { token })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    const page = answer.body.data as Answer
    items.push(...page.items)
    if (!page.nextCursor) return { ...page, ...(counted.body.data as Answer), items }
    cursor = page.nextCursor
  }
}

const rows = async (query: RawBuilder<unknown>) =>
  (await sql<Record<string, number>>`${query}`.execute(world.services.db)).rows

const period = { from: '2026-10-20', to: '2026-11-20' }
const before = { from: '2026-09-18', to: '2026-10-19' }
type Days = typeof period

/** The facts themselves: each order that was paid, under the key that is ranked. */
const sold = (key: RawBuilder<unknown>, sight: Sight, { from, to }: Days) => sql`
  select coalesce(${key}, 0)::int as id, count(*)::int as orders, sum(o.paid_fen)::int as paid
  from orders o join machine m on m.id = o.machine_id join point p on p.id = o.point_id
  where o.paid_at is not null and o.business_day between ${from}::date and ${to}::date
    and ${machineInSight(sight, sql.ref('o.machine_id'))} group by 1 order by 1`
const pieces = (sight: Sight, { from, to }: Days) => sql`
  select i.product_id::int as id, count(*)::int as orders, sum(i.price_fen)::int as paid
  from orders o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at
    and i.order_id = o.id
  where o.paid_at is not null and o.business_day between ${from}::date and ${to}::date
    and ${machineInSight(sight, sql.ref('o.machine_id'))} group by 1 order by 1`

const byId = (items: readonly Row[]) => items.toSorted((one, other) => one.id - other.id)

test(`each ranking is what its orders sum to, for everybody, now and in the time before (seed ${seed})`, async () => {
  const rankings = [
    [rankMachines, {}, sql`m.id`],
    [rankRunners, { by: 'operator' }, sql`m.operator_id`],
    [rankRunners, { by: 'hospital' }, sql`p.hospital_id`],
    [rankProducts, {}, null],
  ] as const
  for (const { name, sight, token } of who) {
    for (const [endpoint, input, key] of rankings) {
      const answer = await all(endpoint, { ...period, ...input }, token)
      const count = endpoint === rankProducts ? 'quantity' : 'orders'
      const factsOf = (days: Days) => rows(key ? sold(key, sight, days) : pieces(sight, days))
      const now = byId(answer.items).filter((row) => row[count] !== 0)
      expect([name, now.map((row) => ({ id: row.id, orders: row[count], paid: row.paidFen }))]).toEqual([
        name,
        await factsOf(period),
      ])
      const then = byId(answer.items).filter((row) => row[`${count}Before`] !== 0)
      expect(then.map((row) => ({ id: row.id, orders: row[`${count}Before`], paid: row.beforeFen }))).toEqual(
        await factsOf(before),
      )
      const sum = (field: string) => answer.items.reduce((so, row) => so + Number(row[field]), 0)
      expect(answer.total).toBe(answer.items.length)
      for (const field of ['paidFen', 'beforeFen', 'refundedFen', 'netFen', count, `${count}Before`]) {
        expect([field, answer.sums[field]]).toEqual([field, sum(field)])
      }
    }
  }
})

test('most come first and least last, ties share a rank, and what belongs to nobody has none', async () => {
  const [platform] = who
  const token = platform?.token ?? ''
  const most = await all(rankMachines, { ...period, sort: 'orders' }, token)
  const least = await all(rankMachines, { ...period, sort: 'ordersLeast' }, token)
  const counts = most.items.map((row) => Number(row.orders))
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  expect(least.items.map((row) => row.orders)).toEqual(counts.toReversed())
  for (const { orders, rank } of [...most.items, ...least.items]) {
    expect(rank).toBe(1 + counts.filter((count) => count > Number(orders)).length)
  }
  const quiet = { from: '2026-01-05', to: '2026-01-05' }
  const nothing = await all(rankMachines, quiet, token)
  expect(nothing.items.map(({ rank, sharePermille }) => ({ rank, sharePermille }))).toEqual(
    nothing.items.map(() => ({ rank: 1, sharePermille: null })),
  )
  for (const sort of ['paid', 'paidLeast', 'change']) {
    const { items } = await all(rankRunners, { ...period, sort }, token)
    expect(items.at(-1)).toMatchObject({ id: 0, name: '没有运营方', rank: null, standing: null, drill: {} })
  }
})

test('what is offered and sells nothing stands last; what is gone keeps its sales under its present name', async () => {
  const [, subtree] = who
  const token = subtree?.token ?? ''
  const { db } = world.services
  const products = await all(rankProducts, { ...period, sort: 'quantityLeast' }, token)
  expect(products.items[0]).toMatchObject({ id: unsold, quantity: 0, standing: 'current', rankBefore: null })
  expect(products.sums).toMatchObject({ things: products.items.length, selling: products.items.length - 1 })
  const gone = machines[1]?.id
  await sql`update machine set name = '新名字' where id = ${gone}`.execute(db)
  const ranked = await all(rankMachines, period, token)
  expect(ranked.items.find(({ id }) => id === gone)).toMatchObject({ name: '新名字', standing: 'past' })
  const idle = await all(rankMachines, { from: '2026-01-05', to: '2026-01-05' }, token)
  expect(idle.items.map(({ id }) => id)).not.toContain(gone)
  const runners = await all(rankRunners, period, token)
  expect(runners.items.find(({ name }) => name === '城东运营')).toMatchObject({ machineCount: 1, standing: 'current' })
})

test('an operator opens its machines and its orders, and their sum is its own', async () => {
  for (const { name, token } of who) {
    const { items } = await all(rankRunners, period, token)
    const operator = items.find((row) => row.name === '城东运营')
    const search = operator?.drill as Record<string, string>
    const opened = await all(rankMachines, search, token)
    expect([name, opened.sums.paidFen]).toEqual([name, operator?.paidFen])
    const orders = await all(listOrders, (operator?.orderSearch ?? {}) as Record<string, string>, token)
    expect([name, orders.items.length, orders.sums.paidFen]).toEqual([name, operator?.orders, operator?.paidFen])
    const hospitals = await all(rankRunners, { ...period, by: 'hospital' }, token)
    const [hospital] = hospitals.items.filter(({ id }) => id > 0)
    const wards = await all(rankMachines, (hospital?.drill ?? {}) as Record<string, string>, token)
    if (hospital) expect([name, wards.sums.paidFen]).toEqual([name, hospital.paidFen])
  }
})

test('hours that slots stood empty are counted within the time', async () => {
  const { db } = world.services
  const machine = machines[0] as BuiltMachine
  const [slot] = machine.slots
  await sql`delete from stock_out`.execute(db)
  const out = (productId: number | undefined, began: string, ended: string | null) =>
    sql`insert into stock_out (place_id, product_id, began_at, ended_at, ended_by)
      values (${slot?.placeId}, ${productId}, ${began}::timestamptz, ${ended}::timestamptz,
        ${ended === null ? null : 'goods'})`.execute(db)
  const hoursOf = async (days: Days) => {
    const { items } = await all(rankMachines, { ...days, machineCode: machine.code }, who[0]?.token ?? '')
    return items[0]?.stockOutHours
  }
  await out(slot?.productId, '2026-11-18T22:00:00+08', '2026-11-19T03:00:00+08')
  expect(await hoursOf({ from: '2026-11-19', to: '2026-11-19' })).toBe(3)
  // Still empty at noon, when the clock of the test stands.
  await out(slot?.productId, '2026-11-20T10:00:00+08', null)
  expect(await hoursOf({ from: '2026-11-18', to: '2026-11-20' })).toBe(5 + 2)
})

test(`payments by method, by day and over time come to what was paid (seed ${seed})`, async () => {
  const facts = (sight: Sight, key: RawBuilder<unknown>, days: Days) =>
    rows(sql`select ${key} as key, o.method, count(*)::int as orders, sum(o.paid_fen)::int as paid from orders o
      where o.paid_at is not null and o.business_day between ${days.from}::date and ${days.to}::date
        and ${machineInSight(sight, sql.ref('o.machine_id'))} group by 1, 2
      order by 1 desc, array_position(${[...paymentMethods]}::text[], o.method)`)
  const keys = { day: sql`to_char(o.business_day, 'YYYY-MM-DD')`, month: sql`to_char(o.business_day, 'YYYY-MM')` }
  const spans = [period, { from: '2026-11-20', to: '2026-11-20' }, { from: '2026-08-17', to: '2026-11-20' }]
  for (const { name, sight, token } of who) {
    for (const days of spans) {
      for (const by of ['day', 'month'] as const) {
        const { items } = await all(listPayments, { ...days, by, sort: 'group' }, token)
        const said = items
          .filter(({ orders }) => orders !== 0)
          .map((row) => ({ key: row.name, method: row.method, orders: row.orders, paid: row.paidFen }))
        expect([name, by, said]).toEqual([name, by, await facts(sight, keys[by], days)])
      }
      const whole = await all(listPayments, days, token)
      const over = (await http.call(getPayments, days, { token })).body.data as {
        places: unknown[]
        methods: {
          method: string
          orders: number
          paidFen: number
          beforeFen: number
          trend: Record<string, number>[]
        }[]
      }
      for (const { method, orders, paidFen, beforeFen, trend } of over.methods) {
        const sum = (field: string) => trend.reduce((so, point) => so + (point[field] ?? 0), 0)
        expect([trend.length, sum('orders'), sum('paidFen')]).toEqual([over.places.length, orders, paidFen])
        const row = whole.items.find((each) => each.method === method)
        expect([method, row?.orders ?? 0, row?.paidFen ?? 0, row?.beforeFen ?? 0]).toEqual([
          method,
          orders,
          paidFen,
          beforeFen,
        ])
      }
      expect(whole.sums.paidFen).toBe(over.methods.reduce((so, { paidFen }) => so + paidFen, 0))
    }
  }
})

test('goods of a branch are ranked with all below it, each with what is left, and lead to the product', async () => {
  const { db } = world.services
  const [platform] = who
  const token = platform?.token ?? ''
  const whole = await all(rankGoods, period, token)
  const ranked = await all(rankProducts, period, token)
  expect(whole.items.map(({ id, rank, paidFen }) => ({ id, rank, paidFen }))).toEqual(
    ranked.items.map(({ id, rank, paidFen }) => ({ id, rank, paidFen })),
  )
  const one = whole.items.find(({ paidFen }) => paidFen > 0)?.id ?? 0
  const made = await sql<{ id: number; parentId: number }>`
    with above as (insert into category (merchant_id, tree, name)
      select merchant_id, 'goods', 'Drinks' from product where id = ${one} returning id, merchant_id)
    insert into category (merchant_id, tree, parent_id, name) select merchant_id, 'goods', id, 'Cola' from above
    returning id, parent_id as "parentId"`.execute(db)
  const [branch] = made.rows
  await sql`update product set category_id = ${branch?.id} where id = ${one}`.execute(db)
  const { items, sums } = await all(rankGoods, { ...period, categoryId: branch?.parentId }, token)
  const left = await rows(sql`select coalesce(sum(l.quantity), 0)::int as stock from slot s join stock_level l
    on l.place_id = s.place_id and l.product_id = s.product_id where s.product_id = ${one}`)
  expect(items).toEqual([
    expect.objectContaining({
      id: one,
      rank: 1,
      categoryName: 'Cola',
      stock: left[0]?.stock,
      productSearch: expect.objectContaining({ open: String(one) }),
      categorySearch: { categoryId: String(branch?.id) },
    }),
  ])
  expect(sums.paidFen).toBe(items[0]?.paidFen)
  expect((await all(rankGoods, { ...period, kind: 'medicine' }, token)).items).toEqual([])
})
