import { listMedicineSales, listProductSales } from '@aisle/contract/report/goods'
import { getOverview } from '@aisle/contract/report/overview'
import { getPayments } from '@aisle/contract/report/payments'
import { rankMachines, rankProducts, rankRunners } from '@aisle/contract/report/ranking'
import { listBusinessTypeSales, listSalesSummary } from '@aisle/contract/report/sales'
import { listPointTrade } from '@aisle/contract/report/statistics/point'
import { listPaymentSettlement, listSubMerchantTrade } from '@aisle/contract/report/statistics/settled'
import { listHospitalTrade, listMachineTrade } from '@aisle/contract/report/statistics/trade'
import { type RawBuilder, sql } from 'kysely'
import { completeness } from '../../server/src/features/report/completeness.reads'
import { listMedicinesIn, listProductsIn } from '../../server/src/features/report/goods.reads'
import { overview } from '../../server/src/features/report/overview.reads'
import { payments } from '../../server/src/features/report/payments.reads'
import { periodOf } from '../../server/src/features/report/period.rules'
import { machineRanking, productRanking, runnerRanking } from '../../server/src/features/report/ranking.lists'
import { listSalesIn } from '../../server/src/features/report/sales.reads'
import { listPointsIn } from '../../server/src/features/report/statistics/point.reads'
import { listSettledIn } from '../../server/src/features/report/statistics/settled.reads'
import { listTradeIn } from '../../server/src/features/report/statistics/trade.reads'
import { addDays } from '../../server/src/kernel/businessDay'
import type { Reader } from '../../server/src/kernel/context'
import { type Listing, MOST_COUNTED } from '../../server/src/kernel/list'
import type { Sight } from '../../server/src/kernel/scope'
import { type Bench, compared, type Line } from './kit/figure'
import { inRotation, timed } from './kit/rounds'

/** Merchant 2 is a region of every fourth machine (network.ts). */
const sights: Record<string, Sight> = { platform: { kind: 'all' }, region: { kind: 'subtree', merchantId: 2 } }

type Report = { what: string; ours: (sight: Sight) => Promise<unknown>; raw: RawBuilder<unknown> }

/** Each report over a year of orders, with its sums, beside the same grouping of the orders themselves. */
export async function p3a({ orders, rounds, rows, say }: Bench): Promise<Line[]> {
  const { pool } = await orders()
  const { db } = pool
  say('making the figures')
  await sql`select rebuild_rollups()`.execute(db)
  await pool.raw.query('vacuum analyze')
  const today = new Date().toISOString().slice(0, 10)
  const period = periodOf({ from: addDays(today, -364), to: today }, today)
  if (!period) throw new Error('a year is a period')
  const lines: Line[] = []
  for (const { what, ours, raw } of [
    ...reportsOf(db, period),
    ...rankingsOf(db, period),
    ...statisticsOf(db, period),
  ]) {
    for (const [name, sight] of Object.entries(sights)) {
      const measured = await inRotation(
        {
          anchor: async () => 1_000 * (await timed(() => raw.execute(db))),
          ours: async () => 1_000 * (await timed(() => ours(sight))),
        },
        rounds,
      )
      const described = `${what} of a year of ${rows.toLocaleString('en')}, ${name}`
      const goal = { atMost: 0.01 }
      lines.push(compared({ id: 'P3a', what: described, beside: 'raw group by', unit: 'ms', goal }, measured))
    }
  }
  return lines
}

/** As a page asks for it: its rows, and what all of them come to beside. */
async function whole(db: Reader, read: Listing<unknown> | Promise<Listing<unknown>>): Promise<unknown> {
  const list = await read
  return Promise.all([list.page(db, { pageSize: 20 }), list.count(db, MOST_COUNTED)])
}

type Period = NonNullable<ReturnType<typeof periodOf>>

const items = sql`orders o join order_item i
  on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id`

const rawOf =
  ({ from, to }: Period) =>
  (keys: RawBuilder<unknown>, source: RawBuilder<unknown>, fen: RawBuilder<unknown>) =>
    sql`select ${keys}, count(*), sum(${fen}) from ${source} where o.paid_at is not null
      and o.business_day between ${from}::date and ${to}::date group by ${keys}`

/** The home charts opened full; beside a group by of one time, though they compare two. */
function rankingsOf(db: Reader, period: Period): Report[] {
  const { from, to } = period
  const raw = rawOf(period)
  const ofOrders = (key: string) => raw(sql.ref(`o.${key}`), sql`orders o`, sql`o.paid_fen`)
  const when = { period, now: new Date(`${to}T12:00:00Z`), nobody: '' }
  return [
    {
      what: 'payments over time',
      ours: (sight) => payments(db, sight, getPayments.input.parse({ from, to }), period),
      raw: raw(sql`o.method, date_trunc('month', o.business_day)`, sql`orders o`, sql`o.paid_fen`),
    },
    {
      what: 'products ranked',
      ours: (sight) => whole(db, productRanking(db, sight, rankProducts.input.parse({ from, to }), period)),
      raw: raw(sql`i.product_id`, items, sql`i.price_fen`),
    },
    {
      what: 'machines ranked',
      ours: (sight) => whole(db, machineRanking(sight, rankMachines.input.parse({ from, to }), when)),
      raw: ofOrders('machine_id'),
    },
    {
      what: 'hospitals ranked',
      ours: (sight) => whole(db, runnerRanking(sight, rankRunners.input.parse({ from, to, by: 'hospital' }), when)),
      raw: ofOrders('point_id'),
    },
  ]
}

/** What an analyst opens: machines, points, hospitals, settled money, merchants below, and how whole it all is. */
function statisticsOf(db: Reader, period: Period): Report[] {
  const { from, to } = period
  const raw = rawOf(period)
  const ofOrders = (key: string) => raw(sql.ref(`o.${key}`), sql`orders o`, sql`o.paid_fen`)
  const now = new Date(`${to}T12:00:00Z`)
  const settled = (list: typeof listPaymentSettlement | typeof listSubMerchantTrade) => (sight: Sight) =>
    whole(
      db,
      listSettledIn(db, sight, list.input.parse({ from, to }), period, { wordOf: (method) => method, ownId: 1 }),
    )
  return [
    {
      what: 'machine statistics',
      ours: (sight) => whole(db, listTradeIn(db, sight, listMachineTrade.input.parse({ from, to }), { period, now })),
      raw: ofOrders('machine_id'),
    },
    {
      what: 'hospital statistics',
      ours: (sight) => {
        const filter = { ...listHospitalTrade.input.parse({ from, to }), isAtHospital: true }
        return whole(db, listTradeIn(db, sight, filter, { period, now }))
      },
      raw: ofOrders('point_id'),
    },
    {
      what: 'point statistics with profit',
      ours: (sight) =>
        whole(
          db,
          listPointsIn(sight, listPointTrade.input.parse({ from, to }), period, (kind) => kind),
        ),
      raw: raw(sql`o.point_id`, items, sql`i.price_fen`),
    },
    { what: 'payments and settlement', ours: settled(listPaymentSettlement), raw: ofOrders('method') },
    { what: 'trade of sub-merchants', ours: settled(listSubMerchantTrade), raw: ofOrders('merchant_id') },
    {
      what: 'how whole the figures are',
      ours: (sight) => completeness(db, sight, {}, { period, today: to, now }),
      raw: ofOrders('machine_id'),
    },
  ]
}

function reportsOf(db: Reader, period: Period): Report[] {
  const { from, to } = period
  const raw = rawOf(period)
  const ofOrders = (key: string) => raw(sql.ref(`o.${key}`), sql`orders o`, sql`o.paid_fen`)
  const summary = (by: 'day' | 'machine' | 'merchant') => ({
    what: `sales by ${by}`,
    ours: (sight: Sight) =>
      whole(
        db,
        listSalesIn(db, sight, listSalesSummary.input.parse({ from, to, by, sort: 'net' }), period, (_, key) => key),
      ),
    raw: ofOrders(by === 'day' ? 'business_day' : `${by}_id`),
  })
  return [
    summary('day'),
    summary('machine'),
    summary('merchant'),
    {
      what: 'kinds of business',
      ours: (sight) =>
        whole(
          db,
          listSalesIn(db, sight, listBusinessTypeSales.input.parse({ from, to }), period, (_, key) => key),
        ),
      raw: ofOrders('business_type'),
    },
    {
      what: 'overview',
      ours: (sight) => overview(db, sight, getOverview.input.parse({ from, to }), period),
      raw: raw(sql`o.method, o.business_type, date_trunc('month', o.business_day)`, sql`orders o`, sql`o.paid_fen`),
    },
    {
      what: 'products',
      ours: (sight) => whole(db, listProductsIn(db, sight, listProductSales.input.parse({ from, to }), period)),
      raw: raw(sql`i.product_id`, items, sql`i.price_fen`),
    },
    {
      what: 'medicines',
      ours: (sight) =>
        whole(
          db,
          listMedicinesIn(db, sight, listMedicineSales.input.parse({ from, to }), period, (key) => key),
        ),
      raw: raw(sql`i.product_id, i.batch`, items, sql`i.price_fen`),
    },
  ]
}
