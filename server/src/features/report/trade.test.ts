import { listCrossSummary, listMedicineSales, listProductSales } from '@aisle/contract/report/goods'
import { getOverview } from '@aisle/contract/report/overview'
import { listBusinessTypeSales, listSalesSummary, summaryGroups } from '@aisle/contract/report/sales'
import type { ListEndpoint } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machineInSight, type Sight } from '../../kernel/scope'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { addRandomSale, randomFrom } from '../../testing/trade'
import { openWorld, type World } from '../../testing/world'
import { contradictions } from '../trade/public'
import { routes } from './trade.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
/** Order of UTF-16 for both sides: pages and the database each sort words by a collation of their own (P998, P1000). */
const byKey = (a: Record<string, unknown>, b: Record<string, unknown>) => (String(a.key) < String(b.key) ? -1 : 1)
const DAYS = 95
const seed = Number(process.env.SEED ?? 1)

let world: World
let http: HttpWorld
let who: { name: string; sight: Sight; token: string }[]

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const platform = await addMerchant(db)
  const ours = await addMerchant(db, { parentId: platform })
  const below = await addMerchant(db, { parentId: ours })
  const theirs = await addMerchant(db, { parentId: platform })
  const products = [
    await addProduct(db, { merchantId: platform }),
    await addProduct(db, { merchantId: platform, medicineClass: 'otc_b' }),
    await addProduct(db, { merchantId: platform, medicineClass: 'rx' }),
  ]
  const machines: BuiltMachine[] = []
  for (const merchantId of [ours, ours, below, below, theirs, theirs, theirs]) {
    machines.push(await addMachine(db, { merchantId, products }))
  }
  await trade(machines, { ours, below, theirs })
  const [, mine, , , lent] = machines
  await sql`insert into machine_grant_merchant (machine_id, merchant_id) values (${lent?.id}, ${ours})`.execute(db)
  who = [
    await person('platform', { merchantId: platform, kind: 'platform_admin' }, () => ({ kind: 'all' })),
    await person('subtree', { merchantId: ours }, () => ({ kind: 'subtree', merchantId: ours })),
    await person(
      'granted',
      { merchantId: ours, kind: 'ordinary', machineIds: [mine?.id ?? 0, lent?.id ?? 0] },
      (id) => ({
        kind: 'granted',
        userId: id,
        merchantId: ours,
      }),
    ),
  ]
}, 120_000)
afterAll(async () => {
  await http.close()
  await world.close()
})

/** Machines sell, change hands, move to other points and sell on, merchants move too; days are folded in between. */
async function trade(
  machines: readonly BuiltMachine[],
  to: { ours: number; below: number; theirs: number },
): Promise<void> {
  const { db } = world.services
  const random = randomFrom(seed)
  const some = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const machine = machines[random(machines.length)]
      if (machine) await addRandomSale(db, machine, random, { now: NOON, days: DAYS })
    }
  }
  await some(150)
  await sql`select fold_rollups('2026-10-05')`.execute(db)
  const [first, , , , , gained] = machines
  await sql`update machine set merchant_id = ${to.theirs} where id = ${first?.id}`.execute(db)
  await sql`update machine set merchant_id = ${to.ours},
    point_id = (select point_id from machine where id = ${first?.id}) where id = ${gained?.id}`.execute(db)
  await sql`update merchant set parent_id = ${to.theirs} where id = ${to.below}`.execute(db)
  await some(150)
  await sql`select fold_rollups('2026-11-12')`.execute(db)
  await sql`update merchant set parent_id = ${to.ours} where id = ${to.below}`.execute(db)
  await some(60)
}

async function person(
  name: string,
  user: Parameters<typeof addUser>[1],
  sightOf: (id: number) => Sight,
): Promise<(typeof who)[number]> {
  const { db } = world.services
  const { id } = await addUser(db, { ...user, grants: ['*'] })
  return { name, sight: sightOf(id), token: await addSession(db, id, NOON) }
}

type Row = Record<string, unknown> & { id: number }
type Answer = { items: Row[]; total: number; nextCursor: string | null; sums: Record<string, number> }

/** All pages, so that a row that is missed or comes twice shows, and what they are counted as beside. */
async function all(endpoint: ListEndpoint, input: Record<string, unknown>, token: string): Promise<Answer> {
  const { sort: _, ...filter } = input
  const counted = await http.call(endpoint.count, filter, { token })
  const items: Row[] = []
  let cursor: string | undefined
  for (;;) {
    const answer = await http.call(endpoint, { ...input, pageSize: 7, ...(cursor ? { cursor } : {}) }, { token })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    const page = answer.body.data as Answer
    items.push(...page.items)
    if (!page.nextCursor) return { ...page, ...(counted.body.data as Answer), items }
    cursor = page.nextCursor
  }
}

const rows = async (query: RawBuilder<unknown>) => (await sql<Row>`${query}`.execute(world.services.db)).rows

const periods = [
  { from: '2026-08-17', to: '2026-11-20' },
  { from: '2026-09-01', to: '2026-10-31' },
  { from: '2026-10-20', to: '2026-11-03' },
  { from: '2026-11-20', to: '2026-11-20' },
]

/** The items were handed out by nobody, so that the stock is not asked. */
const wrong = async () => (await contradictions(world.services.db)).filter((what) => what.startsWith('rollup'))

/** The facts themselves, row by row: one of each order that was paid and of each refund that arrived. */
const facts = (sight: Sight, { from, to }: { from: string; to: string }) => sql`
  select * from (
    select business_day, merchant_id, machine_id, point_id, method, business_type, 1 as orders, paid_fen,
      0 as refunds, 0 as refunded_fen from orders where paid_at is not null
    union all
    select f.business_day, o.merchant_id, o.machine_id, o.point_id, o.method, o.business_type, 0, 0, 1, f.amount_fen
    from refund_done f join orders o using (merchant_id, occurred_at, id)) f
  where business_day between ${from}::date and ${to}::date and ${machineInSight(sight, sql.ref('machine_id'))}`

const keyOf: Record<string, RawBuilder<unknown>> = {
  day: sql`to_char(business_day, 'YYYY-MM-DD')`,
  week: sql`to_char(date_trunc('week', business_day), 'YYYY-MM-DD') || ' – '
    || to_char(date_trunc('week', business_day) + interval '6 days', 'YYYY-MM-DD')`,
  month: sql`to_char(business_day, 'YYYY-MM')`,
  merchant: sql`(select code from merchant where id = merchant_id)`,
  machine: sql`(select code from machine where id = machine_id)`,
  point: sql`point_id::text`,
  method: sql`method`,
}

test(`figures are what their facts sum to, whatever became of machines (seed ${seed})`, async () => {
  expect(await wrong()).toEqual([])
})

test(`every summary is exact to the fen for everybody (seed ${seed})`, async () => {
  for (const { name, sight, token } of who) {
    for (const period of periods) {
      for (const by of summaryGroups.filter((each) => each !== 'method')) {
        const answer = await all(listSalesSummary, { ...period, by }, token)
        const key = keyOf[by] ?? sql`''`
        const counted = await rows(sql`select ${key} as key, sum(orders)::int as orders, sum(paid_fen)::int as paid,
          sum(refunds)::int as refunds, sum(refunded_fen)::int as refunded from (${facts(sight, period)}) f group by 1`)
        const said = answer.items
          .map((row) => ({
            key: by === 'merchant' || by === 'machine' ? row.code : by === 'point' ? String(row.id) : row.name,
            orders: row.orders,
            paid: row.paidFen,
            refunds: row.refunds,
            refunded: row.refundedFen,
          }))
          .filter(({ orders, refunds }) => orders !== 0 || refunds !== 0)
        expect({ name, by, period, rows: said.toSorted(byKey) }).toEqual({
          name,
          by,
          period,
          rows: counted.toSorted(byKey),
        })
        const sum = (field: 'paid' | 'refunded') => said.reduce((so, row) => so + Number(row[field]), 0)
        expect(answer.sums).toMatchObject({ paidFen: sum('paid'), refundedFen: sum('refunded') })
      }
    }
  }
})

test(`the overview, kinds of business and their trends say the same (seed ${seed})`, async () => {
  for (const { name, sight, token } of who) {
    for (const period of periods) {
      const [counted] = await rows(sql`select count(*) filter (where orders = 1)::int as orders,
        coalesce(sum(paid_fen), 0)::int as paid, coalesce(sum(refunded_fen), 0)::int as refunded
        from (${facts(sight, period)}) f`)
      const answer = await http.call(getOverview, period, { token })
      const said = answer.body.data as {
        totals: Record<string, number>
        trend: { paidFen: number; orders: number }[]
        methods: { paidFen: number; trend: number[] }[]
        types: { paidFen: number }[]
      }
      expect({ name, ...said.totals }).toMatchObject({
        name,
        orders: counted?.orders,
        paidFen: counted?.paid,
        refundedFen: counted?.refunded,
      })
      const sum = (values: readonly number[]) => values.reduce((so, value) => so + value, 0)
      for (const parts of [said.trend, said.methods, said.types]) {
        expect([name, sum(parts.map(({ paidFen }) => paidFen))]).toEqual([name, counted?.paid])
      }
      expect(sum(said.methods.flatMap(({ trend }) => trend))).toBe(counted?.paid)
      const types = await all(listBusinessTypeSales, period, token)
      expect(types.sums).toMatchObject({ paidFen: counted?.paid, refundedFen: counted?.refunded })
    }
  }
})

test(`products and medicines are exact to the fen for everybody (seed ${seed})`, async () => {
  const items = (sight: Sight, { from, to }: { from: string; to: string }) => sql`
    orders o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    join product p on p.id = i.product_id
    where o.business_day between ${from}::date and ${to}::date
      and ${machineInSight(sight, sql.ref('o.machine_id'))}`
  for (const { name, sight, token } of who) {
    for (const period of periods) {
      const sold = await rows(sql`select p.code as key, count(*)::int as quantity, sum(i.price_fen)::int as paid,
        sum(i.cost_fen)::int as cost from ${items(sight, period)} group by 1`)
      const said = await all(listProductSales, { ...period, sort: 'group' }, token)
      const figures = said.items
        .filter(({ quantity }) => quantity !== 0)
        .map(({ code, quantity, paidFen }) => ({ key: code, quantity, paid: paidFen }))
      expect(figures.toSorted(byKey)).toEqual(sold.map(({ cost: _, ...row }) => row).toSorted(byKey))
      const out =
        await rows(sql`select p.code || i.batch as key, count(*)::int as quantity, sum(i.price_fen)::int as paid
        from ${items(sight, period)} and p.medicine_class is not null and i.state = 'dispensed' group by 1`)
      const told = await all(listMedicineSales, { ...period, by: 'batch' }, token)
      const batches = told.items
        .filter(({ quantity }) => quantity !== 0)
        .map(({ orderSearch, quantity, paidFen }) => {
          const search = orderSearch as Record<string, string>
          return { key: `${search.productCode}${search.batch}`, quantity, paid: paidFen }
        })
      expect(batches.toSorted(byKey), `${name} ${period.from}`).toEqual(out.toSorted(byKey))
      const whole = await all(listCrossSummary, { ...period, by: 'machine' }, token)
      expect(whole.sums).toMatchObject({ paidFen: said.sums.paidFen, netFen: said.sums.netFen })
    }
  }
})

test('a period at the end of what can be asked for is answered, and one beyond refused', async () => {
  const token = who[0]?.token ?? ''
  for (const endpoint of [getOverview, listBusinessTypeSales, listProductSales, listCrossSummary]) {
    expect((await http.call(endpoint, { from: '1900-01-01', to: '1900-01-01' }, { token })).status).toBe(200)
    expect((await http.call(endpoint, { from: '1899-12-31', to: '1900-01-01' }, { token })).status).toBe(422)
    expect((await http.call(endpoint, { from: '2999-12-31', to: '3000-01-01' }, { token })).status).toBe(422)
  }
})

test(`rebuilt from the facts, every figure is what it was (seed ${seed})`, async () => {
  const { db } = world.services
  const kept = () =>
    sql`select * from rollup_day_machine where orders <> 0 or refunds <> 0
    order by business_day, machine_id, merchant_id, point_id, method, business_type`.execute(db)
  const before = await kept()
  await sql`select rebuild_rollups()`.execute(db)
  expect((await kept()).rows).toEqual(before.rows)
  expect(await wrong()).toEqual([])
})
