import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type {
  listMerchantPayments,
  listPaymentSettlement,
  listSubMerchantTrade,
  SettledRow,
} from '@aisle/contract/report/statistics/settled'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, mapRows } from '../../../kernel/list'
import { merchantInSight, type Sight, subtreeOf } from '../../../kernel/scope'
import { figuresOf, hasMoved, type Scope } from '../figures.source'
import {
  byChange,
  difference,
  type Group,
  groupedFrom,
  inOrder,
  largest,
  type Measure,
  type Report,
  total,
} from '../grouped.reads'
import { merchantMethodGroups, methodGroups, thingOf } from '../methods.groups'
import { type Days, daysBehind, type Period } from '../period.rules'
import { refundSearchOf } from '../sales.reads'

type Filter = Omit<InputOf<typeof listPaymentSettlement>, 'by'> & { by: By }
type By = InputOf<typeof listPaymentSettlement | typeof listMerchantPayments | typeof listSubMerchantTrade>['by']

/** The merchants right below `rootId` with all below them, and itself. */
const childGroup = (rootId: number): Group => ({
  key: sql`coalesce(seller_path[array_position(seller_path, ${rootId}::bigint) + 1], merchant_id)`,
  name: sql`x.name`,
  code: sql`x.code`,
  join: sql`left join merchant x on x.id = g.id`,
  isByMerchant: true,
})
const withPath = sql`join (select id as seller_id, path as seller_path from merchant) seller
  on seller.seller_id = f.merchant_id`

/** @param isTold whether the reader is told of settlements */
const reportOf = (by: By, isTold: boolean): Report => {
  const told = (measure: Measure): Measure => (isTold ? measure : () => sql`null::bigint`)
  return {
    sumsBefore: true,
    measures: {
      orders: total('orders'),
      paidFen: total('paid_fen'),
      refunds: total('refunds'),
      refundedFen: total('refunded_fen'),
      netFen: difference('paid_fen', 'refunded_fen'),
      feeFen: told((which) => sql`(${total('channel_fee_fen')(which)} + ${total('function_fee_fen')(which)})`),
      channelFeeFen: told(total('channel_fee_fen')),
      functionFeeFen: told(total('function_fee_fen')),
      taxFen: told(total('tax_fen')),
      splitFen: told(total('split_fen')),
      settledFen: told(total('settled_fen')),
      openFen: told(difference('due_fen', 'held_fen')),
    },
    row: { method: by === 'merchant' || by === 'child' ? sql`null::text` : sql`min(method)` },
    ...(by === 'child' ? { with: withPath } : {}),
    compared: 'netFen',
    orders: {
      net: largest('netFen'),
      orders: largest('orders'),
      fee: largest('feeFen'),
      open: { by: sql`-abs(coalesce("openFen", 0))`, type: 'bigint' },
      change: byChange,
      group: inOrder(true),
    },
  }
}

type Found = Omit<SettledRow, 'orderSearch' | 'refundSearch' | 'drill'>

/**
 * Sales as the rollups tell them beside the settlements of the same days. A settlement's day is the channel's, which
 * need not end with the machine's: what falls between is open here and made up for on the next day.
 * @param wordOf a payment method in the caller's language
 * @param ownId the caller's merchant, whose children are told where none is named
 */
export async function listSettledIn(
  db: Reader,
  sight: Sight,
  filter: Filter,
  period: Period,
  { wordOf, ownId }: { wordOf: (method: string) => string; ownId: number },
): Promise<Listing<SettledRow>> {
  const { by, sort } = filter
  const rootId = filter.merchantId ?? ownId
  const group = { ...methodGroups, ...merchantMethodGroups, child: childGroup(rootId) }[by]
  const isTold = sight.kind !== 'granted' && filter.machineCode === undefined
  const isMoved = await hasMoved(db, sight)
  const { times, isByMerchant = false }: Group = group
  const facts = (days: Days) => {
    const sold = figuresOf('figures', days, { ...scopeOf(sight, filter), isByMerchant, times, isMoved })
    return isTold ? sql`${asDue(sold)} union all ${settledIn(sight, filter, days)}` : asDue(sold)
  }
  return mapRows(groupedFrom<Found>(facts, reportOf(by, isTold), group, { period, sort }), async (found, reader) => {
    const parents = by === 'child' ? await parentsAmong(reader, found) : new Set<number>()
    return found.map((row) => {
      const search = searchOf(filter, period, { row, rootId })
      return {
        ...row,
        name: by === 'method' ? wordOf(row.name) : row.name,
        orderSearch: { ...search, paid: 'yes' },
        refundSearch: refundSearchOf(search),
        drill: drillOf(filter, period, { search, isParent: parents.has(row.id) }),
      }
    })
  })
}

async function parentsAmong(db: Reader, rows: readonly Found[]): Promise<Set<number>> {
  const ids = rows.map(({ id }) => id)
  const found = await sql<{ id: number }>`select m.id from merchant m where m.id = any(${ids}::bigint[])
    and exists (select 1 from merchant child where child.parent_id = m.id)`.execute(db)
  return new Set(found.rows.map(({ id }) => id))
}

const methodIs = ({ method }: Filter) => isAnyOf(sql`method`, method) ?? sql`true`

const scopeOf = (sight: Sight, filter: Filter): Scope => {
  const { merchantId, machineCode } = filter
  return { sight, merchantId, machineCode, where: [methodIs(filter)] }
}

/** Cash is the merchant's already, and a code was paid for elsewhere: nothing of them is due. */
const asDue = (sold: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select business_day, merchant_id, method, orders, paid_fen, refunds, refunded_fen, 0::bigint as channel_fee_fen,
    0::bigint as function_fee_fen, 0::bigint as tax_fen, 0::bigint as split_fen, 0::bigint as settled_fen,
    0::bigint as held_fen,
    case when method in ('cash', 'pickup_code') then 0 else paid_fen - refunded_fen end as due_fen
  from (${sold}) f`

const settledIn = (sight: Sight, filter: Filter, { from, to }: Days): RawBuilder<unknown> => sql`
  select business_day, merchant_id, method, 0, 0, 0, 0, channel_fee_fen, function_fee_fen, tax_fen,
    split_fen, net_fen,
    gross_fen - refund_fen, 0
  from settlement where business_day between ${from}::date and ${to}::date
    and ${allOf([
      merchantInSight(sight, sql`merchant_id`),
      methodIs(filter),
      filter.merchantId && sql`merchant_id in (${subtreeOf(filter.merchantId)})`,
    ])}`

/** The orders behind a row. */
function searchOf(
  { merchantId, machineCode, method, by }: Filter,
  period: Period,
  { row, rootId }: { row: Found; rootId: number },
): Record<string, string> {
  const set = Object.entries({ merchantId, machineCode, method })
  const given = Object.fromEntries(set.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
  const days = by === 'day' || by === 'month' ? daysBehind(by, row.name, period) : { from: period.from, to: period.to }
  return {
    ...days,
    ...given,
    ...(row.method === null ? {} : { method: row.method }),
    ...(by.startsWith('merchant') ? { sellerId: String(thingOf(row.id)) } : {}),
    ...(by === 'child' ? { [row.id === rootId ? 'sellerId' : 'merchantId']: String(row.id) } : {}),
  }
}

type Behind = { search: Record<string, string>; isParent: boolean }

/** A merchant opens its methods, a method its days; one below opens those below it, or its months. */
function drillOf({ by, against }: Filter, period: Period, { search, isParent }: Behind) {
  if (by !== 'merchant' && by !== 'method' && by !== 'child') return null
  const { sellerId, ...rest } = search
  if (by === 'child' && sellerId !== undefined) return null
  const deeper = { merchant: 'merchantMethod', method: 'day', child: isParent ? 'child' : 'month' }[by]
  return {
    ...rest,
    from: period.from,
    to: period.to,
    ...(against ? { against } : {}),
    ...(sellerId === undefined ? {} : { merchantId: sellerId }),
    by: deeper,
    ...(deeper === 'day' || deeper === 'month' ? { sort: 'group' } : {}),
  }
}
