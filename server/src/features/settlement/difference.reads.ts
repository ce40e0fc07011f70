import type { getDifference, listDifferences, SettlementDifference } from '@aisle/contract/settlement/difference'
import { decisionsOf, differenceState } from '@aisle/contract/settlement/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, listRows, type Order } from '../../kernel/list'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { findEntriesByReference, movementsOf } from '../ledger/public'
import { limitOf } from './difference.commands'
import { writeOffPostings } from './posting.rules'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listDifferences>

const rowsInSight = (sight: Sight): RawBuilder<SettlementDifference> => sql`
  select d.id, d.kind, d.state, to_char(r.day, 'YYYY-MM-DD') as day, d.run_id as "runId", r.provider,
    d.merchant_id as "merchantId", m.name as "merchantName", d.our_fen as "ourFen", d.their_fen as "theirFen",
    coalesce(d.their_fen, 0) - coalesce(d.our_fen, 0) as "gapFen", d.order_no as "orderNo", d.owner_id as "ownerId",
    u.display_name as "ownerName", d.decision, to_json(d.created_at) #>> '{}' as "createdAt"
  from settlement_difference d join settlement_run r on r.id = d.run_id join merchant m on m.id = d.merchant_id
  left join app_user u on u.id = d.owner_id where ${merchantInSight(sight, sql`d.merchant_id`)}`

const isOpen = sql`state not in ${statesIn(differenceState, 'settled')}`
const orders: Record<Filter['sort'], Order> = {
  open: { by: sql`(case when ${isOpen} then 0 else 1000000000000 end + id)::bigint`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

/** As many as nobody has decided, proposed ones too. */
export async function countOpen(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from settlement_difference d
    where ${isOpen} and ${merchantInSight(sight, sql`d.merchant_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}

export function listDifferencesIn(ctx: QueryContext, filter: Filter) {
  const { kind, state, provider, orderNo, runId, owner, merchantId, sort } = filter
  const where = allOf([
    isAnyOf(sql`kind`, kind),
    isAnyOf(sql`state`, state, { any_open: isOpen }),
    isAnyOf(sql`provider`, provider),
    orderNo && sql`"orderNo" = ${orderNo}`,
    runId && sql`"runId" = ${runId}`,
    owner === 'me' && sql`"ownerId" = ${ctx.actor.userId}`,
    owner === 'nobody' && sql`"ownerId" is null and ${isOpen}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const rows = rowsInSight(sightOf(ctx.actor))
  return listRows({ rows, where, order: orders[sort] })
}

type Detail = OutputOf<typeof getDifference>
type Fact = Detail['ours'][number]
type DetailRow = SettlementDifference &
  Pick<Detail, 'version' | 'reason' | 'proposedBy' | 'isProposedByMe' | 'approvedBy' | 'decidedAt'> & {
    merchantId: number
    orderMerchantId: number | null
    fundsMode: string
    matchedId: number | null
    lineId: number | null
  }

export async function findDifferenceDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<DetailRow>`
    select seen.*, d.version, d.reason, d.order_merchant_id as "orderMerchantId",
      (select funds_mode from settlement_run r where r.id = d.run_id) as "fundsMode", d.matched_id as "matchedId",
      d.line_id as "lineId",
      (select display_name from app_user where id = d.proposed_by) as "proposedBy",
      coalesce(d.proposed_by = ${ctx.actor.userId}, false) as "isProposedByMe",
      (select display_name from app_user where id = d.approved_by) as "approvedBy",
      to_json(d.decided_at) #>> '{}' as "decidedAt"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join settlement_difference d on d.id = seen.id
    where seen.id = ${id}`.execute(ctx.db)
  const [row] = found.rows
  if (!row) return undefined
  const isRefund = row.kind.startsWith('refund')
  return {
    ...row,
    limitFen: await limitOf(ctx, row),
    ours: isRefund ? await ourRefund(ctx.db, row) : await ourPayment(ctx.db, row),
    theirs: await theirLine(ctx.db, row.lineId),
    story: await storyOf(ctx.db, id),
    writeOff: await movementsOf(ctx.db, mayWriteOff(row) ? writeOffPostings(row) : []),
    entries: await findEntriesByReference(ctx.db, 'decision', [String(id)]),
  }
}

const mayWriteOff = ({ kind, state }: DetailRow) =>
  !differenceState.is(state, 'settled') && decisionsOf[kind].includes('write_off')

const text = (name: string, value: string | null): Fact => ({ name, text: value, fen: null, at: null })
const money = (name: string, fen: number | null): Fact => ({ name, text: null, fen, at: null })
const moment = (name: string, at: string | null): Fact => ({ name, text: null, fen: null, at })

type Ours = {
  attemptNo: string
  channelNo: string | null
  state: string
  amountFen: number
  paidFen: number | null
  askedAt: string
  paidAt: string | null
  orderNo: string
  machineCode: string
  shipState: string | null
}

/** The attempt that was matched, or the one that the bill's line names and that was never paid for us. */
async function ourPayment(db: Reader, { matchedId, lineId }: DetailRow): Promise<Fact[]> {
  const found = await sql<Ours>`
    select a.attempt_no as "attemptNo", a.channel_no as "channelNo", a.state, a.amount_fen as "amountFen",
      a.paid_fen as "paidFen", to_json(a.created_at) #>> '{}' as "askedAt", to_json(a.paid_at) #>> '{}' as "paidAt",
      a.order_no as "orderNo", m.code as "machineCode", o.ship_state as "shipState"
    from payment_attempt a join machine m on m.id = a.machine_id
    left join orders o on o.merchant_id = a.merchant_id and o.occurred_at = a.occurred_at and o.id = a.order_id
    where a.id = ${matchedId} or (${matchedId}::bigint is null and a.attempt_no <> '' and a.attempt_no = (
      select attempt_no from statement_line where id = ${lineId}))`.execute(db)
  const [ours] = found.rows
  if (!ours) return []
  return [
    text('attemptNo', ours.attemptNo),
    text('channelNo', ours.channelNo),
    text('attemptState', ours.state),
    money('amount', ours.amountFen),
    money('paid', ours.paidFen),
    moment('askedAt', ours.askedAt),
    moment('paidAt', ours.paidAt),
    text('orderNo', ours.orderNo),
    text('machineCode', ours.machineCode),
    text('shipState', ours.shipState),
  ]
}

async function ourRefund(db: Reader, { matchedId, lineId }: DetailRow): Promise<Fact[]> {
  const found = await sql<{ refundNo: string; state: string; fen: number; endedAt: string | null; orderNo: string }>`
    select f.refund_no as "refundNo", f.state, f.amount_fen as fen, to_json(f.ended_at) #>> '{}' as "endedAt",
      f.order_no as "orderNo"
    from refund f where f.id = ${matchedId} or (${matchedId}::bigint is null and f.refund_no = (
      select refund_no from statement_line where id = ${lineId}))`.execute(db)
  const [ours] = found.rows
  if (!ours) return []
  return [
    text('refundNo', ours.refundNo),
    text('refundState', ours.state),
    money('amount', ours.fen),
    moment('endedAt', ours.endedAt),
    text('orderNo', ours.orderNo),
  ]
}

type Theirs = {
  attemptNo: string
  refundNo: string
  channelNo: string
  amountFen: number
  feeFen: number
  at: string
  lineNo: number
  file: string
}

async function theirLine(db: Reader, lineId: number | null): Promise<Fact[]> {
  const found = await sql<Theirs>`select l.attempt_no as "attemptNo", l.refund_no as "refundNo",
      l.channel_no as "channelNo", l.amount_fen as "amountFen", l.fee_fen as "feeFen", to_json(l.at) #>> '{}' as at,
      l.line_no as "lineNo", f.name as file
    from statement_line l join statement_file f on f.id = l.file_id where l.id = ${lineId}`.execute(db)
  const [theirs] = found.rows
  if (!theirs) return []
  return [
    text('attemptNo', theirs.attemptNo || null),
    text('refundNo', theirs.refundNo || null),
    text('channelNo', theirs.channelNo || null),
    money('amount', theirs.amountFen),
    money('fee', theirs.feeFen),
    moment('bookedAt', theirs.at),
    text('line', `${theirs.file} · ${theirs.lineNo + 1}`),
  ].filter((fact) => fact.text !== null || fact.fen !== null || fact.at !== null)
}

async function storyOf(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`select e.id, to_json(e.at) #>> '{}' as at, e.verb,
      u.display_name as who, e.note
    from settlement_difference_event e left join app_user u on u.id = e.user_id
    where e.difference_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}
