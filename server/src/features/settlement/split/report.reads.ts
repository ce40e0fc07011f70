import type {
  listSplitsByDay,
  listSplitsByReceiver,
  SplitsOfDay,
  SplitsOfReceiver,
  tieSplits,
} from '@aisle/contract/settlement/split'
import { splitLineState } from '@aisle/contract/settlement/splitStates'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, isAnyOf, listRows, type Order, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { sightOf, subtreeOf } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'
import { settledInSight } from '../batch/batch.store'
import { backOfLine, figureNames, figures } from './split.reads'

type Filter = InputOf<typeof tieSplits>
type Sums = Record<(typeof figureNames)[number], number>

/** Of splits `s` and their lines `l`. */
const those = (ctx: QueryContext, { from, to, merchantId, receiverId, provider }: Filter): RawBuilder<boolean> =>
  allOf([
    settledInSight(sightOf(ctx.actor), sql`s.merchant_id`),
    from && sql`s.business_day >= ${from}::date`,
    to && sql`s.business_day <= ${to}::date`,
    merchantId && sql`s.merchant_id in (${subtreeOf(merchantId)})`,
    receiverId && sql`l.receiver_id = ${receiverId}`,
    isAnyOf(sql`s.provider`, provider),
  ])

const sums = summed(...figureNames)

/** The filter under which the list of orders shows the same, beside what names the row. */
const search = (filter: Filter, own: RawBuilder<unknown>) => {
  const { from, to, merchantId, provider } = filter
  const given = Object.entries({ from, to, merchantId, provider }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return sql`${JSON.stringify({ part: 'orders', ...Object.fromEntries(given) })}::jsonb || ${own}`
}

export function listByReceiver(ctx: QueryContext, filter: InputOf<typeof listSplitsByReceiver>) {
  const rows = sql<SplitsOfReceiver>`select v.id, v.name as "receiverName", v.provider, v.account,
      count(*)::int as orders, ${figures},
      ${search(filter, sql`jsonb_build_object('receiverId', v.id::text)`)} as "orderSearch"
    from split s join split_line l on l.split_id = s.id join split_receiver v on v.id = l.receiver_id ${backOfLine}
    where ${those(ctx, filter)} group by v.id`
  const order: Order = { by: sql`(-"dueFen")`, type: 'bigint' }
  return listRows<SplitsOfReceiver, Sums>({ rows, order, sums, isCountedWhole: true })
}

export function listByDay(ctx: QueryContext, filter: InputOf<typeof listSplitsByDay>) {
  const rows = sql<SplitsOfDay>`select (s.business_day - date '2000-01-01') as id,
      to_char(s.business_day, 'YYYY-MM-DD') as day, count(distinct s.id)::int as orders, ${figures},
      ${search(filter, receiverAndDay(filter))} as "orderSearch"
    from split s join split_line l on l.split_id = s.id ${backOfLine}
    where ${those(ctx, filter)} group by s.business_day`
  const order: Order = { by: sql`id`, type: 'bigint', newestFirst: true }
  const all = summed('orders', ...figureNames)
  return listRows<SplitsOfDay, Sums & { orders: number }>({ rows, order, sums: all, isCountedWhole: true })
}

const receiverAndDay = ({ receiverId }: Filter) => {
  const receiver = receiverId ? { receiverId: String(receiverId) } : {}
  return sql`jsonb_build_object('from', to_char(s.business_day, 'YYYY-MM-DD'),
    'to', to_char(s.business_day, 'YYYY-MM-DD')) || ${JSON.stringify(receiver)}::jsonb`
}

type Tie = OutputOf<typeof tieSplits>
/** Orders that are compared while somebody waits. */
const MOST_ORDERS = 20_000

/** The shares, and the ledger's entries about just them, each added up by itself. */
export async function tie(ctx: QueryContext, filter: Filter): Promise<Tie> {
  const ofReceiver = filter.receiverId ? sql`l.receiver_id = ${filter.receiverId}` : sql`true`
  const lines = sql`select l.*, s.settlement_id, s.merchant_id as payer_id from (
      select s.* from split s where ${ofSplits(ctx, filter)}
      order by (s.business_day - date '2000-01-01') desc, s.id desc limit ${sql.lit(MOST_ORDERS + 1)}) s
    join split_line l on l.split_id = s.id and ${ofReceiver}`
  const { orders, ...shares } = await sumOfShares(ctx.db, lines)
  const ledger = await sumOfEntries(ctx.db, lines)
  const names = ['dueFen', 'doneFen', 'releasedFen', 'owedFen', 'returnedFen'] as const
  const isTied = names.every((name) => shares[name] === ledger[name])
  return { orders, shares, ledger, isTied, isPart: orders > MOST_ORDERS }
}

const ofSplits = (ctx: QueryContext, { receiverId, ...filter }: Filter): RawBuilder<boolean> =>
  receiverId
    ? sql`${those(ctx, filter)} and s.id in (select split_id from split_line where receiver_id = ${receiverId})`
    : those(ctx, filter)

/** What was to go to others when it was settled; what a refund took off before it was sent is released. */
const sumOfShares = async (db: Reader, lines: RawBuilder<unknown>): Promise<Tie['shares'] & { orders: number }> =>
  only(
    await sql<Tie['shares'] & { orders: number }>`select count(distinct split_id)::int as orders,
        coalesce(sum(amount_fen), 0)::bigint as "dueFen",
        coalesce(sum(amount_fen - cut_fen) filter (where state = 'done'), 0)::bigint as "doneFen",
        coalesce(sum(case state when 'released' then amount_fen else cut_fen end), 0)::bigint as "releasedFen",
        coalesce(sum(amount_fen - cut_fen) filter (where state in ${statesIn(splitLineState, 'owed')}), 0)::bigint
          as "owedFen",
        coalesce(sum((select sum(r.amount_fen) from split_return r where r.line_id = l.id and r.state = 'done')),
          0)::bigint as "returnedFen"
      from (${lines}) l`.execute(db),
  )

/**
 * By the references of their transfers. At a settlement one entry holds what all its orders owe a receiver: less what
 * other orders of it say, it is these orders'.
 */
const sumOfEntries = async (db: Reader, lines: RawBuilder<unknown>): Promise<Tie['ledger']> =>
  only(
    await sql<Tie['ledger']>`with line as (${lines}),
      made as (select distinct settlement_id, payer_id, receiver_id from line),
      taken as (select -coalesce(sum(e.amount_fen), 0) - coalesce(sum((select sum(o.amount_fen) from split_line o
            join split os on os.id = o.split_id and os.settlement_id = made.settlement_id
            where o.receiver_id = made.receiver_id and o.id not in (select id from line))), 0) as fen
        from made join ledger_transfer t on t.kind = 'settlement' and t.reference = made.settlement_id::text
        join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
        join ledger_account a on a.id = e.account_id and a.kind = 'split_payable'
          and a.key = made.receiver_id::text and a.merchant_id = made.payer_id),
      later as (select split_part(t.reference, '/', 2) as part, e.amount_fen, a.kind
        from line join ledger_transfer t on t.kind = 'split' and (
          t.reference in (line.split_id || '/done/' || line.id, line.split_id || '/released/' || line.id)
          or t.reference like line.split_id || '/cut/' || line.id || '/%'
          or t.reference in (select line.split_id || '/returned/' || r.id from split_return r
            where r.line_id = line.id))
        join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
        join ledger_account a on a.id = e.account_id)
      select taken.fen::bigint as "dueFen", sums.done as "doneFen", sums.released as "releasedFen",
        (taken.fen - sums.done - sums.released)::bigint as "owedFen", sums.returned as "returnedFen"
      from taken, (select
          coalesce(sum(amount_fen) filter (where kind = 'split_payable' and part = 'done'), 0)::bigint as done,
          coalesce(sum(amount_fen) filter (where kind = 'split_payable' and part in ('released', 'cut')), 0)::bigint
            as released,
          coalesce(-sum(amount_fen) filter (where kind = 'available' and part = 'returned'), 0)::bigint as returned
        from later) sums`.execute(db),
  )
