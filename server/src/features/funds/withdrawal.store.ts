import { type WithdrawalState, withdrawalState } from '@aisle/contract/funds/states'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext, Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { stateful, statesIn } from '../../kernel/states'
import { type Posting, postTransfers } from '../ledger/public'
import type { Money } from './withdrawal.rules'

/** @throws Refusal withdrawal.state */
export const withdrawals = stateful('withdrawal', 'state', withdrawalState, {
  versioned: true,
  refuse: () => refuse('withdrawal.state'),
})

export type Row = Money & {
  id: number
  no: string
  state: WithdrawalState
  requestedBy: number
  checkedBy: number | null
  limitFen: number
  dueOn: string
  asks: number
  paidAt: Date | null
  endedAt: Date | null
  /** Of the account that it is paid from; whoever sees it decides. */
  isHolder: boolean
}

const columns = sql`w.id, w.no, w.merchant_id as "merchantId", w.state, w.amount_fen as "amountFen",
  w.fee_fen as "feeFen", w.requested_by as "requestedBy", w.checked_by as "checkedBy", w.limit_fen as "limitFen",
  to_char(w.due_on, 'YYYY-MM-DD') as "dueOn", w.asks, w.paid_at as "paidAt", w.ended_at as "endedAt",
  p.merchant_id as "holderId", (select id from merchant where parent_id is null) as "platformId"`

/** Of payer `p`. */
export const holderInSight = (sight: Sight) => merchantInSight(sight, sql`p.merchant_id`)

/** Of withdrawal `w` from payer `p`: whoever holds the money sees what is asked of it. */
export const withdrawalInSight = (sight: Sight) =>
  sql`(${merchantInSight(sight, sql`w.merchant_id`)} or ${holderInSight(sight)})`

/** What waits for a decision of who sees whose account holds the money. */
export const toDecide = (sight: Sight) =>
  sql`(w.state in ${statesIn(withdrawalState, 'waiting')} and ${holderInSight(sight)})`

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function hold(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof withdrawalState.moves | null,
): Promise<Row> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Row>`select ${columns}, ${holderInSight(sight)} as "isHolder"
    from withdrawal w join payout_account p on p.id = w.payout_account_id
    where w.id = ${id} and ${withdrawalInSight(sight)} for update of w`.execute(ctx.tx)
  const row = existing(found.rows[0])
  if (verb) withdrawals.must(row, verb)
  return row
}

export async function lock(tx: Tx, id: number): Promise<Row> {
  return only(
    await sql<Row>`select ${columns}, true as "isHolder"
      from withdrawal w join payout_account p on p.id = w.payout_account_id
      where w.id = ${id} for update of w`.execute(tx),
  )
}

/** The accounts that a withdrawal moves, in the order in which every posting takes them. */
export async function lockAvailable(tx: Tx, merchantId: number): Promise<number> {
  const found = await sql<{ kind: string; fen: number }>`select kind, -balance_fen as fen from ledger_account
    where merchant_id = ${merchantId} and kind in ('available', 'withdrawing') order by id for update`.execute(tx)
  return found.rows.find(({ kind }) => kind === 'available')?.fen ?? 0
}

type New = {
  merchantId: number
  bankAccountId: number
  payoutAccountId: number
  mode: string
  amountFen: number
  feeFen: number
  limitFen: number
  dueOn: string
}

export async function insert(ctx: CommandContext, made: New): Promise<{ id: number; no: string }> {
  const { merchantId, bankAccountId, payoutAccountId, mode, amountFen, feeFen, limitFen, dueOn } = made
  const day = businessTime(ctx.now(), PLATFORM_TIME_ZONE).day.replaceAll('-', '')
  return only(
    await sql<{ id: number; no: string }>`with numbered as (
        select nextval(pg_get_serial_sequence('withdrawal', 'id')) as id)
      insert into withdrawal (id, no, merchant_id, bank_account_id, payout_account_id, funds_mode, amount_fen, fee_fen,
        limit_fen, requested_by, requested_at, due_on)
      overriding system value
      select id, 'W' || ${day} || lpad(id::text, 9, '0'), ${merchantId}, ${bankAccountId}, ${payoutAccountId}, ${mode},
        ${amountFen}, ${feeFen}, ${limitFen}, ${ctx.actor.userId}, ${ctx.now()}, ${dueOn}::date
      from numbered returning id, no`.execute(ctx.tx),
  )
}

/** Each part of the story is posted once, whoever tells it again. */
export function post(tx: Tx, row: Money & { id: number }, part: string, postings: readonly Posting[], at: Date) {
  const { day: businessDay } = businessTime(at, PLATFORM_TIME_ZONE)
  const { id, merchantId } = row
  const reference = `${id}/${part}`
  return postTransfers(tx, [{ kind: 'withdrawal', reference, merchantId, postedAt: at, businessDay, postings }])
}

type Event = { verb: string; userId?: number | null; note?: string | null }

export async function append(tx: Tx, id: number, { verb, userId = null, note }: Event, at: Date): Promise<void> {
  await sql`insert into withdrawal_event (withdrawal_id, at, verb, user_id, note)
    values (${id}, ${at}, ${verb}, ${userId}, ${(note ?? '').slice(0, 300)})`.execute(tx)
}

export async function countWaiting(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count
    from withdrawal w join payout_account p on p.id = w.payout_account_id where ${toDecide(sight)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
