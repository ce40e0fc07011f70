import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { CrossRow, listCrossSummary } from '@aisle/contract/report/goods'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, type Listing, listRows, mapRows, type Order, summed } from '../../kernel/list'
import { endOf, midnight } from '../../kernel/platformDays'
import { machineRowInSight, type Sight } from '../../kernel/scope'
import { figuresOf, hasMoved } from './figures.source'
import { ordersOf, productIs, searchOf } from './goods.reads'
import { difference, inOrder, isSomething, largest, total } from './grouped.reads'
import type { Period } from './period.rules'

type Filter = InputOf<typeof listCrossSummary>

const keys = { merchant: 'merchant_id', machine: 'machine_id', product: 'product_id' } as const
const tables = { merchant: 'merchant', machine: 'machine', product: 'product' } as const

const orders: Record<Filter['sort'], Order> = {
  net: largest('netFen'),
  stock: largest('stockFen'),
  quantity: largest('quantity'),
  group: inOrder(false),
}

const sold: Record<string, (which: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  quantity: total('quantity'),
  paidFen: total('paid_fen'),
  refundedQuantity: total('refunded_quantity'),
  refundedFen: total('refunded_fen'),
  netFen: difference('paid_fen', 'refunded_fen'),
}
const handled = ['filledUnits', 'removedUnits', 'stockUnits', 'stockFen']
const all = [...Object.keys(sold), ...handled]

type Row = Omit<CrossRow, 'orderSearch'>

/** Sales by whose machine it was, stock by whose machine it is: both of machines in sight. */
export async function listCrossIn(
  db: Reader,
  sight: Sight,
  filter: Filter,
  period: Period,
): Promise<Listing<CrossRow>> {
  const rows = rowsOf(sight, filter, period, await hasMoved(db, sight))
  const sums = summed(...all.filter((name) => name !== 'refundedQuantity'))
  return mapRows(listRows({ rows, order: orders[filter.sort], sums, isCountedWhole: true }), (found) =>
    found.map((row) => ({ ...row, orderSearch: ordersOf(searchOf(filter, period, row)) })),
  )
}

function rowsOf(sight: Sight, filter: Filter, period: Period, isMoved: boolean): RawBuilder<Row> {
  const { merchantId, machineCode, productCode, by } = filter
  const key = sql.ref(keys[by])
  const reach = { isByMachine: by === 'machine', isByMerchant: by === 'merchant', isMoved }
  const scope = { sight, merchantId, machineCode, where: productIs(productCode), ...reach }
  const sales = Object.entries(sold).map(([name, measure]) => sql`${measure(sql`true`)} as ${sql.ref(name)}`)
  const none = (names: readonly string[]) => sql.join(names.map((name) => sql`0::bigint as ${sql.ref(name)}`))
  return sql`
    with slots as materialized (${slotsInSight(sight, filter)})
    select g.*, x.name, x.code from (
      select id, ${summed(...all)} from (
        select *, ${none(handled)} from (select ${key} as id, ${sql.join(sales)}
          from (${figuresOf('pieces', period, scope)}) f group by 1) sold where ${isSomething(Object.keys(sold))}
        union all
        select ${key}, ${none(Object.keys(sold))}, ${movedUnits}
          from (${movesOf(period)}) f where ${allOf(productIs(productCode))} group by 1
        union all
        select ${key}, ${none(Object.keys(sold))}, 0, 0, sum(quantity), sum(quantity * cost_fen)
          from (select s.merchant_id, s.machine_id, l.product_id, l.quantity, p.cost_fen from slots s
            join stock_level l on l.place_id = s.place_id join product p on p.id = l.product_id) f
          where ${allOf(productIs(productCode))} group by 1) parts
      group by id) g join ${sql.table(tables[by])} x on x.id = g.id`
}

const slotsInSight = (sight: Sight, { merchantId, machineCode }: Filter): RawBuilder<unknown> => sql`
  select m.merchant_id, m.id as machine_id, s.place_id from machine m join slot s on s.machine_id = m.id
  where ${machineRowInSight(sight, 'm')} and ${allOf([
    machineCode && sql`m.code = ${machineCode}`,
    merchantId && sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])}`

const movedUnits = sql`sum(filled) as "filledUnits", sum(removed) as "removedUnits", 0, 0`

/** What came into slots and left them otherwise than to a customer. */
const movesOf = ({ from, to }: Period): RawBuilder<unknown> => sql`
  select s.merchant_id, s.machine_id, v.product_id, v.quantity as filled, 0 as removed
    from stock_move v join slots s on s.place_id = v.to_place_id
    where v.cause <> 'vend' and v.moved_at >= ${midnight(from)} and v.moved_at < ${endOf(to)}
  union all
  select s.merchant_id, s.machine_id, v.product_id, 0, v.quantity
    from stock_move v join slots s on s.place_id = v.from_place_id
    where v.cause <> 'vend' and v.moved_at >= ${midnight(from)} and v.moved_at < ${endOf(to)}`
