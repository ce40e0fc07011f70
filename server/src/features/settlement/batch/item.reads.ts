import type { listSettledItems, SettledItem, tieSettlements } from '@aisle/contract/settlement/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { sightOf, subtreeOf } from '../../../kernel/scope'
import { settledInSight } from './batch.store'

/**
 * Lines of settlements: an order with what was paid and what it bears of the fees, a refund with what went back. Those
 * of a settlement sum to it, exactly. Each order is looked up by itself: as a plain join all lines met all orders.
 * @param which of items `i`
 */
export const settledItems = (which: RawBuilder<unknown>): RawBuilder<SettledItem> => sql`
  select i.id, o.order_no as "orderNo", f.refund_no as "refundNo", o.occurred_at,
    to_json(o.occurred_at) #>> '{}' as "occurredAt", i.settlement_id as "settlementId",
    to_char(s.business_day, 'YYYY-MM-DD') as "businessDay", m.name as "merchantName", s.method,
    case when f.id is null then o.total_fen else 0 end as "totalFen",
    case when f.id is null then o.discount_fen else 0 end as "discountFen",
    case when f.id is null then i.amount_fen else 0 end as "grossFen", coalesce(f.amount_fen, 0) as "refundFen",
    i.channel_fee_fen as "channelFeeFen", i.function_fee_fen as "functionFeeFen",
    i.tax_fen as "taxFen", i.split_fen as "splitFen",
    case when f.id is null then i.amount_fen - i.channel_fee_fen - i.function_fee_fen - i.tax_fen - i.split_fen
      else -f.amount_fen end as "netFen",
    to_json(s.posted_at) #>> '{}' as "settledAt"
  from settled_item i join settlement s on s.id = i.settlement_id join merchant m on m.id = s.merchant_id
  left join refund f on i.kind = 'refund' and f.id = i.reference
  cross join lateral (
    select n.order_no, o.occurred_at, o.total_fen, o.discount_fen from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where n.order_id = coalesce(f.order_id, i.reference)
    limit 1) o
  where ${which}`

type Filter = InputOf<typeof listSettledItems>
type Which = InputOf<typeof tieSettlements> & { settlementId?: number | undefined }

/** Of settlements `s`; true where all are meant. */
function settlementsOf(ctx: QueryContext, { from, to, method, merchantId, settlementId }: Which): RawBuilder<boolean> {
  return allOf([
    settledInSight(sightOf(ctx.actor), sql`s.merchant_id`),
    from && sql`s.business_day >= ${from}::date`,
    to && sql`s.business_day <= ${to}::date`,
    isAnyOf(sql`s.method`, method),
    merchantId && sql`s.merchant_id in (${subtreeOf(merchantId)})`,
    settlementId && sql`s.id = ${settlementId}`,
  ])
}

/** As an array the settlements bound the index of their lines, which is read from the newest down. */
const ofThose = (settlements: RawBuilder<boolean>) =>
  sql`i.settlement_id = any(array(select s.id from settlement s where ${settlements}))`

const newest: Order = { by: sql`"settlementId"`, type: 'bigint', newestFirst: true }

export function listSettledItemsIn(ctx: QueryContext, filter: Filter): Listing<SettledItem> {
  const { from, to, method, merchantId, settlementId } = filter
  const isAll = sightOf(ctx.actor).kind === 'all' && !(from || to || method || merchantId || settlementId)
  const rows = settledItems(isAll ? sql`true` : ofThose(settlementsOf(ctx, filter)))
  const fees = ['channelFeeFen', 'functionFeeFen', 'taxFen', 'splitFen']
  const sums = summed('grossFen', 'discountFen', 'refundFen', ...fees, 'netFen')
  return listRows({ rows, order: newest, sums })
}

type Tie = OutputOf<typeof tieSettlements>
/** Settlements that are compared while somebody waits, and lines of them. */
const MOST_BATCHES = 10_000
const MOST_LINES = 100_000

/** The settlements, their lines and the ledger, each added up by itself. */
export async function tie(ctx: QueryContext, input: InputOf<typeof tieSettlements>): Promise<Tie> {
  const those = sql`select s.* from settlement s where ${settlementsOf(ctx, input)}
    order by (s.business_day - date '2000-01-01') desc, s.id desc limit ${sql.lit(MOST_BATCHES + 1)}`
  const settled = await settledSums(ctx.db, those)
  const ledger = await ledgerSums(ctx.db, those)
  const { count: batches, lines, ...figures } = settled
  const items = lines > MOST_LINES ? null : await itemSums(ctx.db, those)
  const feeFen = figures.channelFeeFen + figures.functionFeeFen + figures.taxFen + figures.splitFen
  const keptFen = figures.grossFen - figures.refundFen
  const isTied =
    ledger.keptFen === keptFen &&
    ledger.channelFeeFen === figures.channelFeeFen &&
    ledger.functionFeeFen === figures.functionFeeFen &&
    ledger.taxFen === figures.taxFen &&
    ledger.splitFen === figures.splitFen &&
    ledger.netFen === figures.netFen &&
    (items === null || (items.keptFen === keptFen && (items.feeFen ?? feeFen) === feeFen))
  return { batches, settled: figures, ledger, items, isTied, isPart: batches > MOST_BATCHES }
}

type Settled = Tie['settled'] & { count: number; lines: number }

const settledSums = async (db: Reader, those: RawBuilder<unknown>): Promise<Settled> =>
  only(
    await sql<Settled>`select count(*)::int as count, coalesce(sum(orders + refunds), 0)::bigint as lines,
        coalesce(sum(gross_fen), 0)::bigint as "grossFen", coalesce(sum(refund_fen), 0)::bigint as "refundFen",
        coalesce(sum(channel_fee_fen), 0)::bigint as "channelFeeFen",
        coalesce(sum(function_fee_fen), 0)::bigint as "functionFeeFen",
        coalesce(sum(tax_fen), 0)::bigint as "taxFen", coalesce(sum(split_fen), 0)::bigint as "splitFen",
        coalesce(sum(net_fen), 0)::bigint as "netFen"
      from (${those}) s`.execute(db),
  )

const ledgerSums = async (db: Reader, those: RawBuilder<unknown>): Promise<Tie['ledger']> =>
  only(
    await sql<Tie['ledger']>`select
        coalesce(sum(e.amount_fen) filter (where a.kind = 'pending'), 0)::bigint as "keptFen",
        (-coalesce(sum(e.amount_fen) filter (where a.kind = 'fees' and a.key <> 'function'), 0))::bigint
          as "channelFeeFen",
        (-coalesce(sum(e.amount_fen) filter (where a.kind = 'fees' and a.key = 'function'), 0))::bigint
          as "functionFeeFen",
        (-coalesce(sum(e.amount_fen) filter (where a.kind = 'tax_payable'), 0))::bigint as "taxFen",
        (-coalesce(sum(e.amount_fen) filter (where a.kind = 'split_payable'), 0))::bigint as "splitFen",
        (-coalesce(sum(e.amount_fen) filter (where a.kind = 'available'), 0))::bigint as "netFen"
      from (${those}) s join ledger_transfer t on t.kind = 'settlement' and t.reference = s.id::text
      join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
      join ledger_account a on a.id = e.account_id`.execute(db),
  )

/** A fee that was known for the day alone leaves nothing to be compared. */
const itemSums = async (db: Reader, those: RawBuilder<unknown>): Promise<Tie['items']> =>
  only(
    await sql<NonNullable<Tie['items']>>`select count(*)::int as count,
        coalesce(sum(case i.kind when 'order' then i.amount_fen else -f.amount_fen end), 0)::bigint as "keptFen",
        case when count(*) = count(i.channel_fee_fen + i.function_fee_fen + i.tax_fen)
          then coalesce(sum(i.channel_fee_fen + i.function_fee_fen + i.tax_fen + i.split_fen), 0)::bigint
          end as "feeFen"
      from (${those}) s join settled_item i on i.settlement_id = s.id
      left join refund f on i.kind = 'refund' and f.id = i.reference`.execute(db),
  )
