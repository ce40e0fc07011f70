import type {
  getSplit,
  listSplitReturns,
  listSplits,
  Split,
  SplitLine,
  SplitReturn,
} from '@aisle/contract/settlement/split'
import {
  FROZEN_WARNING_DAYS,
  splitLineState,
  splitReturnState,
  splitState,
} from '@aisle/contract/settlement/splitStates'
import { settlementSecondPerson } from '@aisle/contract/system/settings'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, isAnyOf, listRows, type Order, summed } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { settingOf } from '../../../kernel/settings'
import { statesFrom, statesIn, stateTo } from '../../../kernel/states'
import { accountText, entriesOfTransfers } from '../../ledger/public'
import { splitNoOf } from './split.rules'

/** Sums over lines `l`, each with what came back of it and what its receiver owes in `back`. */
export const figureNames = [
  'dueFen',
  'doneFen',
  'failedFen',
  'waitingFen',
  'releasedFen',
  'returnedFen',
  'claimFen',
] as const
const due = sql`(l.amount_fen - l.cut_fen)`
const sumOf = (which: RawBuilder<unknown>) => sql`coalesce(sum(${due}) filter (where ${which}), 0)::bigint`
export const figures = sql`coalesce(sum(${due}), 0)::bigint as "dueFen",
  ${sumOf(sql`l.state = ${stateTo(splitLineState, 'confirm')}`)} as "doneFen",
  ${sumOf(sql`l.state in ${statesIn(splitLineState, 'toDecide')}`)} as "failedFen",
  ${sumOf(sql`l.state in ${statesFrom(splitLineState, 'fail')}`)} as "waitingFen",
  ${sumOf(sql`l.state = ${stateTo(splitLineState, 'release')}`)} as "releasedFen",
  coalesce(sum(back.returned), 0)::bigint as "returnedFen", coalesce(sum(back.claimed), 0)::bigint as "claimFen"`
export const backOfLine = sql`left join lateral (
  select sum(r.amount_fen) filter (where r.state = ${stateTo(splitReturnState, 'confirm')}) as returned,
    sum(r.amount_fen - r.settled_fen) filter (where r.state in ${statesFrom(splitReturnState, 'settle')}) as claimed
  from split_return r where r.line_id = l.id) back on true`

/** Somebody has to do something: a share has failed, or the channel lets go of the money soon. */
const isToDecide = (now: Date) => sql`(s.state in ${statesFrom(splitState, 'again')} or (s.finished_at is null
  and s.frozen_since < ${now}::timestamptz - make_interval(days => ${sql.lit(FROZEN_WARNING_DAYS)})))`

const dayNo = sql`(s.business_day - date '2000-01-01')`

const rowsInSight = (ctx: QueryContext): RawBuilder<Split> => sql`
  select s.id, s.order_no as "orderNo", s.business_day, ${dayNo} as "dayNo",
    to_char(s.business_day, 'YYYY-MM-DD') as "businessDay",
    s.merchant_id as "merchantId", m.name as "merchantName", s.provider, s.paid_fen as "paidFen",
    s.base_fen as "baseFen", f."dueFen", f."doneFen", f."failedFen", f."waitingFen", f."releasedFen",
    f."returnedFen", f."claimFen", s.state, s.detail, ${isToDecide(ctx.now())} as "toDecide",
    to_json(s.frozen_since) #>> '{}' as "frozenSince", to_json(s.made_at) #>> '{}' as "madeAt"
  from split s join merchant m on m.id = s.merchant_id
  cross join lateral (select ${figures} from split_line l ${backOfLine} where l.split_id = s.id) f
  where ${settledInSight(sightOf(ctx.actor), sql`s.merchant_id`)}`

const newest: Order = { by: sql`"dayNo"`, type: 'bigint', newestFirst: true }

export function listSplitsIn(ctx: QueryContext, filter: InputOf<typeof listSplits>) {
  const { from, to, merchantId, receiverId, provider, orderNo, state } = filter
  const where = allOf([
    from && sql`business_day >= ${from}::date`,
    to && sql`business_day <= ${to}::date`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    receiverId && sql`id in (select split_id from split_line where receiver_id = ${receiverId})`,
    isAnyOf(sql`provider`, provider),
    orderNo && sql`"orderNo" = ${orderNo}`,
    isAnyOf(sql`state`, state, { toDecide: sql`"toDecide"` }),
  ])
  return listRows<Split, Record<(typeof figureNames)[number], number>>({
    rows: rowsInSight(ctx),
    where,
    order: newest,
    sums: summed(...figureNames),
  })
}

/** What waits for a person, of merchants in sight. */
export async function countSplitsToDecide(db: Reader, sight: Sight, now: Date): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from split s
    where ${isToDecide(now)} and ${settledInSight(sight, sql`s.merchant_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}

type Detail = OutputOf<typeof getSplit>
type Told = Split & { settlementId: number; ruleId: number; merchantId: number }

export async function findSplit(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Told>`select seen.*, s.settlement_id as "settlementId", s.rule_id as "ruleId"
    from (${rowsInSight(ctx)}) seen join split s on s.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const row = existing(found.rows[0])
  return {
    ...row,
    lines: await toldLines(ctx.db, id),
    entries: await entriesOf(ctx.db, id),
    limitFen: await settingOf(ctx.db, settlementSecondPerson, row.merchantId),
  }
}

async function toldLines(db: Reader, id: number): Promise<SplitLine[]> {
  const found = await sql<Omit<SplitLine, 'requestNo'> & { tries: number | null }>`select l.id,
      l.receiver_id as "receiverId", v.name, v.account, l.amount_fen as "amountFen", l.deducted_fen as "deductedFen",
      l.cut_fen as "cutFen", l.state, l.code, l.try as tries, to_json(l.done_at) #>> '{}' as "doneAt",
      l.proposed_by as "proposedById", p.display_name as "proposedBy", d.display_name as "decidedBy", l.reason,
      coalesce((select json_agg(json_build_object('id', r.id, 'amountFen', r.amount_fen, 'state', r.state,
          'settledFen', r.settled_fen, 'code', r.code) order by r.id)
        from split_return r where r.line_id = l.id), '[]') as returns
    from split_line l join split_receiver v on v.id = l.receiver_id left join app_user p on p.id = l.proposed_by
      left join app_user d on d.id = l.decided_by
    where l.split_id = ${id} order by l.line_no`.execute(db)
  return found.rows.map(({ tries, ...line }) => ({ ...line, requestNo: tries === null ? null : splitNoOf(id, tries) }))
}

/** What became of its shares; that they were taken off is the settlement's posting. */
async function entriesOf(db: Reader, id: number): Promise<Detail['entries']> {
  const found = await sql<Detail['entries'][number]>`select t.id as "transferId", t.kind, ${accountText} as account,
      e.amount_fen as "amountFen", to_json(e.posted_at) #>> '{}' as "postedAt"
    from ${entriesOfTransfers} where t.kind = 'split' and t.reference like ${`${id}/%`}
    order by e.posted_at, e.transfer_id, e.amount_fen desc`.execute(db)
  return found.rows
}

const returnsInSight = (ctx: QueryContext): RawBuilder<SplitReturn> => sql`
  select r.id, s.order_no as "orderNo",
    jsonb_build_object('part', 'orders', 'open', s.id::text) as "splitSearch", l.receiver_id as "receiverId",
    v.name as "receiverName", m.name as "merchantName",
    r.amount_fen as "amountFen", r.settled_fen as "settledFen", r.state, r.code, r.reason,
    to_json(r.created_at) #>> '{}' as "madeAt", to_json(r.ended_at) #>> '{}' as "endedAt"
  from split_return r join split_line l on l.id = r.line_id join split s on s.id = l.split_id
    join split_receiver v on v.id = l.receiver_id join merchant m on m.id = s.merchant_id
  where ${settledInSight(sightOf(ctx.actor), sql`s.merchant_id`)}`

export function listReturnsIn(ctx: QueryContext, { receiverId, state }: InputOf<typeof listSplitReturns>) {
  const where = allOf([receiverId && sql`"receiverId" = ${receiverId}`, isAnyOf(sql`state`, state)])
  const order: Order = { by: sql`id`, type: 'bigint', newestFirst: true }
  const sums = summed('amountFen', 'settledFen')
  return listRows<SplitReturn, { amountFen: number; settledFen: number }>({
    rows: returnsInSight(ctx),
    where,
    order,
    sums,
  })
}
