import type { ListEndpoint } from '@aisle/contract/kernel/endpoint'
import { listProductSales, productGroups } from '@aisle/contract/report/goods'
import { listSalesSummary } from '@aisle/contract/report/sales'
import { listPointTrade, pointTradeGroups } from '@aisle/contract/report/statistics/point'
import { listPurchaseStatistics, purchaseGroups } from '@aisle/contract/report/statistics/purchase'
import {
  listMerchantPayments,
  listPaymentSettlement,
  listSubMerchantTrade,
  merchantPaymentGroups,
  settlementGroups,
  subMerchantGroups,
} from '@aisle/contract/report/statistics/settled'
import {
  hospitalTradeGroups,
  listHospitalTrade,
  listMachineTrade,
  listProductTrade,
  machineTradeGroups,
} from '@aisle/contract/report/statistics/trade'
import { listVoucherStatistics, voucherGroups } from '@aisle/contract/report/statistics/voucher'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { inserted } from '../../../testing/inserted'
import { routesWith } from '../../../testing/stubs'
import { addRandomSale, randomFrom } from '../../../testing/trade'
import { openWorld, type World } from '../../../testing/world'
import { routes as pointRoutes } from '../../fleet/place/point'
import { routes } from '../trade.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const seed = Number(process.env.SEED ?? 1)
const period = { from: '2026-10-01', to: '2026-11-15' }

let world: World
let http: HttpWorld
let ours: number
let theirs: number
let machines: BuiltMachine[]
let hospitalId: number
let token: string
let granted: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...pointRoutes))
  const { db } = world.services
  const platform = await addMerchant(db)
  ours = await addMerchant(db, { parentId: platform })
  theirs = await addMerchant(db, { parentId: platform })
  const products = [await addProduct(db, { merchantId: platform }), await addProduct(db, { merchantId: platform })]
  machines = []
  for (const merchantId of [ours, ours, ours, theirs]) machines.push(await addMachine(db, { merchantId, products }))
  await sql`update product set cost_fen = 70`.execute(db)
  hospitalId = await inserted(
    db,
    sql`insert into hospital (merchant_id, name, level, province, city)
      values (${ours}, 'Ruijin', 'iii_a', 'Shanghai', 'Shanghai')`,
  )
  const [first, second] = machines
  await sql`update point set hospital_id = ${hospitalId}, kind = 'hospital', building = 'East'
    where id = (select point_id from machine where id = ${first?.id})`.execute(db)
  const random = randomFrom(seed)
  const sell = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const machine = machines[random(machines.length)]
      if (machine) await addRandomSale(db, machine, random, { now: NOON, days: 60 })
    }
  }
  await sell(80)
  await sql`update machine set point_id = (select point_id from machine where id = ${second?.id})
    where id = ${first?.id}`.execute(db)
  await sell(60)
  await sql`select fold_rollups('2026-11-01')`.execute(db)
  token = await signIn({ merchantId: ours })
  granted = await signIn({ merchantId: ours, kind: 'ordinary', machineIds: [second?.id ?? 0] })
}, 120_000)
afterAll(async () => {
  await http.close()
  await world.close()
})

async function signIn(user: Parameters<typeof addUser>[1]): Promise<string> {
  const { db } = world.services
  const { id } = await addUser(db, { ...user, grants: ['*'] })
  return addSession(db, id, NOON)
}

type Row = Record<string, unknown> & { id: number; name: string }

async function rowsOf(endpoint: ListEndpoint, input: Record<string, unknown>, as = token): Promise<Row[]> {
  const answer = await http.call(endpoint, { pageSize: 100, ...input }, { token: as })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return (answer.body.data as { items: Row[] }).items
}

async function sumsOf(endpoint: ListEndpoint, input: Record<string, unknown>, as = token) {
  const answer = await http.call(endpoint.count, input, { token: as })
  expect(answer.status).toBe(200)
  return (answer.body.data as { sums: Record<string, number> }).sums
}

const ask = async <R>(query: ReturnType<typeof sql<R>>) => (await query.execute(world.services.db)).rows

test(`machines and products are told as the reports that they share figures with (seed ${seed})`, async () => {
  for (const by of machineTradeGroups) {
    const said = await rowsOf(listMachineTrade, { ...period, by, sort: 'group' })
    const known = await rowsOf(listSalesSummary, { ...period, by, sort: 'group' })
    expect(known.length).toBeGreaterThan(0)
    expect(said).toMatchObject(known)
  }
  for (const by of productGroups) {
    const said = await rowsOf(listProductTrade, { ...period, by, sort: 'group' })
    expect(said).toMatchObject(await rowsOf(listProductSales, { ...period, by, sort: 'group' }))
  }
})

test('a machine opens its days, which come to what it sold', async () => {
  const [best] = await rowsOf(listMachineTrade, period)
  const days = await rowsOf(listMachineTrade, best?.drill as Record<string, string>)
  expect(days.reduce((so, { netFen }) => so + Number(netFen), 0)).toBe(best?.netFen)
  expect(days.every(({ stockOutHours }) => stockOutHours === null)).toBe(true)
})

test(`a hospital's sales are those of its points, wherever the machine stands now (seed ${seed})`, async () => {
  const [there] = await ask<{ orders: number; fen: number }>(sql`
    select count(*)::int as orders, sum(paid_fen)::int as fen from orders o join point p on p.id = o.point_id
    where p.hospital_id = ${hospitalId} and o.paid_at is not null
      and o.business_day between ${period.from} and ${period.to}`)
  expect(there?.orders).toBeGreaterThan(0)
  for (const by of hospitalTradeGroups) {
    const said = await rowsOf(listHospitalTrade, { ...period, by })
    const sum = (name: string) => said.reduce((so, row) => so + Number(row[name]), 0)
    expect({ by, orders: sum('orders'), fen: sum('paidFen') }).toEqual({ by, ...there })
  }
  const [building] = await rowsOf(listHospitalTrade, { ...period, by: 'building' })
  expect(building).toMatchObject({ name: 'East', code: 'Ruijin', orderSearch: { hospitalId: String(hospitalId) } })
})

test('a report stands beside the time that was asked for', async () => {
  const asked = { from: '2026-11-01', to: '2026-11-10', by: 'merchant' }
  for (const [against, days] of [
    ['lastYear', { from: '2025-11-01', to: '2025-11-10' }],
    ['2026-10-05', { from: '2026-10-05', to: '2026-10-14' }],
  ] as const) {
    const before = await sumsOf(listMachineTrade, { ...days, by: 'merchant' })
    expect((await sumsOf(listMachineTrade, { ...asked, against })).beforeFen).toBe(before.netFen)
  }
})

const settle = (merchantId: number, method: string, day: string, gross: number) =>
  ask(sql`insert into settlement (merchant_id, method, funds_mode, business_day, orders, refunds, gross_fen,
      refund_fen, channel_fee_fen, function_fee_fen, tax_fen, split_fen, net_fen, rounding_ufen,
      posted_at)
    values (${merchantId}, ${method}, 'direct', ${day}, 1, 0, ${gross}, 0, 3, 2, 7, 8, ${gross - 20}, 0, ${NOON})`)

test('what is settled stands beside what was collected, and the rest is open', async () => {
  await settle(ours, 'wechat', '2026-10-20', 500)
  await settle(ours, 'wechat', '2026-11-16', 900)
  await settle(theirs, 'alipay', '2026-10-20', 700)
  const [sold] = await ask<{ due: number; net: number }>(sql`select sum(case when method in ('cash', 'pickup_code')
      then 0 else paid_fen - refunded_fen end)::int as due, sum(paid_fen - refunded_fen)::int as net
    from rollup_day where merchant_id = ${ours} and business_day between ${period.from} and ${period.to}`)
  const whole = {
    netFen: sold?.net,
    feeFen: 5,
    taxFen: 7,
    splitFen: 8,
    settledFen: 480,
    openFen: (sold?.due ?? 0) - 500,
  }
  for (const [endpoint, groups] of [
    [listPaymentSettlement, settlementGroups],
    [listMerchantPayments, merchantPaymentGroups],
    [listSubMerchantTrade, subMerchantGroups],
  ] as const) {
    for (const by of groups)
      expect({ by, ...(await sumsOf(endpoint, { ...period, by })) }).toMatchObject({ by, ...whole })
  }
  const [day] = await rowsOf(listPaymentSettlement, {
    from: '2026-10-20',
    to: '2026-10-20',
    method: 'wechat',
    by: 'day',
  })
  expect(day).toMatchObject({ name: '2026-10-20', method: 'wechat', settledFen: 480 })
  const [single] = await rowsOf(listPaymentSettlement, period, granted)
  expect(single).toMatchObject({ settledFen: null, openFen: null })
})

test('a merchant sees those right below it, each with all below, and opens them down to their months', async () => {
  const { db } = world.services
  const below = await addMerchant(db, { parentId: ours })
  const deeper = await addMerchant(db, { parentId: below })
  for (const [of, fen] of [
    [ours, 100],
    [below, 200],
    [deeper, 400],
  ] as const)
    await settle(of, 'other', '2026-09-20', fen)
  const days = { from: '2026-09-20', to: '2026-09-20', method: 'other' }
  const told = async (search: Record<string, unknown>) =>
    (await rowsOf(listSubMerchantTrade, search)).map(({ id, settledFen, taxFen }) => [id, settledFen, taxFen])
  expect(await told({ ...days, sort: 'group' })).toEqual([
    [below, 560, 14],
    [ours, 80, 7],
  ])
  const [branch] = await rowsOf(listSubMerchantTrade, { ...days, sort: 'group' })
  expect(branch?.orderSearch).toMatchObject({ merchantId: String(below) })
  expect(await told({ ...(branch?.drill as object), sort: 'group' })).toEqual([
    [deeper, 380, 7],
    [below, 180, 7],
  ])
  const leaves = await rowsOf(listSubMerchantTrade, { ...(branch?.drill as object), sort: 'group' })
  expect(leaves.map(({ drill }) => drill)).toEqual([expect.objectContaining({ by: 'month' }), null])
})

test(`a point is left what goods and the rent of then leave it (seed ${seed})`, async () => {
  const { db } = world.services
  const pointId = (await ask<{ id: number }>(sql`select point_id as id from machine where id = ${machines[1]?.id}`))[0]
    ?.id
  await sql`insert into point_rent values (${pointId}, '2026-09-01', 310000), (${pointId}, '2026-11-11', 0)
    on conflict (point_id, from_day) do update set rent_fen = excluded.rent_fen`.execute(db)
  const counted = await ask<{ id: number; net: number; cost: number }>(sql`
    select point_id as id, sum(net)::int as net, sum(cost)::int as cost from (
      select point_id, paid_fen as net, 0 as cost, merchant_id, business_day from orders where paid_at is not null
      union all
      select o.point_id, -f.amount_fen, 0, o.merchant_id, f.business_day from refund_done f
        join orders o using (merchant_id, occurred_at, id)
      union all
      select o.point_id, 0, i.cost_fen, o.merchant_id, o.business_day from orders o
        join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
        where o.paid_at is not null
      union all
      select o.point_id, 0, -i.cost_fen, o.merchant_id, f.business_day from refund_done f
        join orders o using (merchant_id, occurred_at, id)
        join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
        join refund_item p on p.refund_id = f.refund_id and p.item_index = i.index) f
    where merchant_id = ${ours} and business_day between ${period.from} and ${period.to} group by 1 order by 1`)
  const said = (await rowsOf(listPointTrade, { ...period, sort: 'group' })).filter(({ netFen }) => netFen !== 0)
  expect(said.map(({ id, netFen, costFen }) => ({ id, net: netFen, cost: costFen }))).toEqual(counted)
  // October whole, and ten of November's thirty days.
  const rent = 310_000 + Math.round((310_000 * 10) / 30)
  const row = said.find(({ id }) => id === pointId)
  expect(row).toMatchObject({ rentFen: rent, profitFen: Number(row?.marginFen) - rent })
  const { beforeFen: _, ...whole } = await sumsOf(listPointTrade, period)
  for (const by of pointTradeGroups)
    expect({ by, ...(await sumsOf(listPointTrade, { ...period, by })) }).toMatchObject({ by, ...whole })
  expect((await rowsOf(listPointTrade, period, granted))[0]).toMatchObject({ rentFen: null, profitFen: null })
})

test('purchases count what was put away and not reversed, by what a piece cost then and now', async () => {
  const { db } = world.services
  const [product] = await ask<{ id: number; code: string }>(sql`select id, code from product order by id limit 1`)
  const supplier = await inserted(
    db,
    sql`insert into supplier (merchant_id, name, state, created_at) values (${ours}, 'Metro', 'qualified', ${NOON})`,
  )
  const place = await inserted(db, sql`insert into place (merchant_id, kind) values (${ours}, 'warehouse')`)
  const warehouse = await inserted(
    db,
    sql`insert into warehouse (merchant_id, place_id, name, created_at) values (${ours}, ${place}, 'North', ${NOON})`,
  )
  const receive = async (no: string, at: string, counted: number, fen: number, state = 'putAway') => {
    const id = await inserted(
      db,
      sql`insert into goods_receipt (merchant_id, no, supplier_id, warehouse_id, state, second, receiver, received_at,
          decider, decided_at, reversed_at)
        values (${ours}, ${no}, ${supplier}, ${warehouse}, ${state}, '{noOrder}', 'Li', ${at}, 'Wu', ${at},
          ${state === 'reversed' ? at : null})`,
    )
    await sql`insert into goods_receipt_line (receipt_id, line, product_id, announced, counted, damaged, refused,
        price_fen, pack_units, cost_fen) values (${id}, 1, ${product?.id}, ${counted}, ${counted}, 0, 0, ${fen}, 1,
        ${counted * fen})`.execute(db)
  }
  await receive('R1', '2026-10-03T02:00:00Z', 100, 50)
  await receive('R2', '2026-11-03T02:00:00Z', 100, 70)
  await receive('R3', '2026-11-04T02:00:00Z', 900, 10, 'reversed')
  const months = await rowsOf(listPurchaseStatistics, { ...period, by: 'month', sort: 'group' })
  expect(months.map(({ name, pieceFen, boughtFen }) => [name, pieceFen, boughtFen])).toEqual([
    ['2026-11', 70, 7000],
    ['2026-10', 50, 5000],
  ])
  for (const by of purchaseGroups) {
    expect(await sumsOf(listPurchaseStatistics, { ...period, by })).toMatchObject({
      receipts: 2,
      pieces: 200,
      boughtFen: 12_000,
    })
  }
  const [now] = await rowsOf(listPurchaseStatistics, { from: '2026-11-01', to: '2026-11-15', against: '2026-10-01' })
  expect(now).toMatchObject({
    name: 'Metro',
    pieceFen: 70,
    pieceBeforeFen: 50,
    changeFen: 2000,
    receiptSearch: { supplierId: String(supplier), doneFrom: '2026-11-01', doneTo: '2026-11-15' },
  })
})

test('nothing of coupons is told where none were given out', async () => {
  for (const by of voucherGroups) expect(await rowsOf(listVoucherStatistics, { ...period, by })).toEqual([])
})
