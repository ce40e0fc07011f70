import { DRY_RUN_DAYS, DRY_RUN_ORDERS, type dryRunPlan } from '@aisle/contract/promotion/plan'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { CardType } from '@aisle/contract/member/card'
import type { MedicineClass } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { clockTime } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { must } from '../../kernel/must'
import { existing } from '../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { dryRunOf, type PastOrder } from './dryRun.rules'
import { findCategories, findGroups, findWith } from './price.reads'

type Bought = { productId: number; medicineClass: MedicineClass | null; listFen: number; costFen: number }
type Row = {
  id: number
  at: Date
  machineId: number
  merchantId: number
  timeZone: string
  level: number | null
  cardType: CardType | null
  items: Bought[]
}

/** Orders of machines in sight that were paid, from the oldest on, with the pieces that came out. */
async function findOrders(db: Reader, sight: Sight, merchantId: number, now: Date): Promise<Row[]> {
  const found = await sql<Row>`
    select o.id, o.occurred_at as at, o.machine_id as "machineId", o.merchant_id as "merchantId",
      a.time_zone as "timeZone", coalesce(b.level, c.level)::int as level, c.type as "cardType", lines.items
    from (
      select w.* from orders w join merchant m on m.id = w.merchant_id
      where m.path @> array[${merchantId}]::bigint[] and w.paid_fen > 0 and not w.is_lottery
        and w.method <> 'pickup_code' and w.occurred_at <= ${now}
        and w.occurred_at > ${now}::timestamptz - make_interval(days => ${sql.lit(DRY_RUN_DAYS)})
        and ${machineInSight(sight, sql`w.machine_id`)}
      order by w.occurred_at desc, w.id desc limit ${sql.lit(DRY_RUN_ORDERS + 1)}) o
    join machine a on a.id = o.machine_id
    left join member_card_charge h on h.order_id = o.id left join member_card c on c.id = h.card_id
    left join member b on b.id = c.member_id
    cross join lateral (
      select json_agg(json_build_object('productId', i.product_id, 'medicineClass', p.medicine_class,
        'listFen', i.list_price_fen, 'costFen', i.cost_fen) order by i.index) as items
      from order_item i join product p on p.id = i.product_id
      where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
        and i.state = 'dispensed') lines
    where lines.items is not null order by o.occurred_at, o.id`.execute(db)
  return found.rows
}

/** What the last 30 days would have come to: computed from the orders themselves. */
export async function dryRun(ctx: QueryContext, id: number): Promise<OutputOf<typeof dryRunPlan>> {
  const sight = sightOf(ctx.actor)
  const owner = await sql<{ merchantId: number }>`select p.merchant_id as "merchantId" from promotion_plan p
    where p.id = ${id} and ${merchantInSight(sight, sql`p.merchant_id`)}`.execute(ctx.db)
  const { merchantId } = existing(owner.rows[0])
  const rows = await findOrders(ctx.db, sight, merchantId, ctx.now())
  const of = <K extends keyof Row>(key: K) => [...new Set(rows.map((row) => row[key]))]
  const plans = await findWith(ctx.db, [merchantId, ...of('merchantId')], id)
  const categories = await findCategories(
    ctx.db,
    rows.flatMap(({ items }) => items.map(({ productId }) => productId)),
  )
  const groups = await findGroups(ctx.db, of('machineId'))
  const orders = rows.map(
    ({ at, machineId, merchantId: seller, timeZone, level, cardType, items }): PastOrder => ({
      basket: {
        machine: { id: machineId, merchantId: seller, groupIds: groups.get(machineId) ?? [] },
        at: clockTime(at, timeZone),
        // Who had bought before that is not known any more.
        buyer: level === null || cardType === null ? null : { level, cardType, isFirst: false },
        items: items.map((item) => ({ ...item, categoryIds: categories.get(item.productId) ?? [], cut: null })),
      },
      costFen: items.reduce((sum, { costFen }) => sum + costFen, 0),
    }),
  )
  const plan = must(
    plans.find(({ planId }) => planId === id),
    `plan ${id}`,
  )
  const run = dryRunOf(undated(plan), plans.map(undated), orders.slice(-DRY_RUN_ORDERS))
  return { ...run, isPartial: orders.length > DRY_RUN_ORDERS }
}

/** As if its days had been those that are looked at. */
const undated = <P extends { startsOn: string | null; endsOn: string | null }>(plan: P): P => ({
  ...plan,
  startsOn: null,
  endsOn: null,
})
