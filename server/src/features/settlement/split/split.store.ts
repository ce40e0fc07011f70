import {
  splitLineState,
  type SplitLineState,
  splitReceiverState,
  splitReturnState,
  splitState,
  type SplitState,
} from '@aisle/contract/settlement/splitStates'
import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import { announce } from '../../../kernel/announce'
import type { CommandContext, QueryContext, Reader, Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { stateful } from '../../../kernel/states'
import { type Posting, postTransfers } from '../../ledger/public'
import type { SplitAsk } from '../../payment/public'
import { follows } from './split.rules'

/** @throws Refusal split.state */
export const splits = stateful('split', 'state', splitState, {
  versioned: true,
  refuse: () => refuse('split.state'),
})
export const lines = stateful('splitLine', 'state', splitLineState, {
  versioned: true,
  refuse: () => refuse('split.state'),
})
export const returns = stateful('splitReturn', 'state', splitReturnState, {
  versioned: true,
  refuse: () => refuse('splitReturn.state'),
})
export const receivers = stateful('splitReceiver', 'state', splitReceiverState, {
  versioned: true,
  refuse: () => refuse('splitReceiver.state'),
})

export type SplitRow = {
  id: number
  orderId: number
  orderNo: string
  merchantId: number
  attemptId: number
  accountId: number
  provider: Provider
  /** Of who has the contract with the provider: its bill shows what is shared. */
  ownerId: number
  keptFen: number
  refundedFen: number
  frozenSince: Date
  state: SplitState
  tries: number
  asks: number
}

const columns = sql`s.id, s.order_id as "orderId", s.order_no as "orderNo", s.merchant_id as "merchantId",
  s.attempt_id as "attemptId", a.account_id as "accountId", s.provider, p.merchant_id as "ownerId",
  s.kept_fen as "keptFen", s.refunded_fen as "refundedFen", s.frozen_since as "frozenSince", s.state, s.tries, s.asks`
const from = sql`split s join payment_attempt a on a.id = s.attempt_id
  join payment_account c on c.id = a.account_id join provider_account p on p.id = c.provider_account_id`

/** Whoever changes an order's shares does so alone. */
export async function lockSplit(tx: Tx, id: number): Promise<SplitRow> {
  return only(await sql<SplitRow>`select ${columns} from ${from} where s.id = ${id} for update of s`.execute(tx))
}

/** The platform's treasurer sees every merchant here, as in settlements. @throws Refusal for one out of sight */
export async function refuseUnseen({ db, actor }: QueryContext, merchantId: number): Promise<void> {
  const seen = await sql`select 1 from merchant m where m.id = ${merchantId}
    and ${settledInSight(sightOf(actor), sql`m.id`)}`.execute(db)
  existing(seen.rows[0])
}

/** Locked. @throws Refusal for one out of sight */
export async function holdSplit(ctx: CommandContext, id: number): Promise<SplitRow> {
  const seen = await sql`select 1 from split where id = ${id}
    and ${settledInSight(sightOf(ctx.actor), sql`merchant_id`)}`.execute(ctx.tx)
  existing(seen.rows[0])
  return lockSplit(ctx.tx, id)
}

export type LineRow = {
  id: number
  splitId: number
  receiverId: number
  type: 'merchant_no' | 'openid' | 'user_id' | 'login'
  account: string
  name: string
  consents: boolean
  isBound: boolean
  isStopped: boolean
  amountFen: number
  deductedFen: number
  cutFen: number
  /** What the channel is asked for. */
  dueFen: number
  state: SplitLineState
  tries: number | null
  code: string | null
  failedAt: Date | null
  doneAt: Date | null
  proposedBy: number | null
  askedBackFen: number
}

export async function linesOf(db: Reader, splitId: number): Promise<LineRow[]> {
  const found = await sql<LineRow>`select l.id, l.split_id as "splitId", l.receiver_id as "receiverId",
      v.account_type as type, v.account, v.name, v.consents, v.state = 'bound' as "isBound",
      coalesce(m.state = 'stopped', false) as "isStopped", l.amount_fen as "amountFen",
      l.deducted_fen as "deductedFen", l.cut_fen as "cutFen", (l.amount_fen - l.cut_fen)::bigint as "dueFen", l.state,
      l.try as tries, l.code, l.failed_at as "failedAt", l.done_at as "doneAt", l.proposed_by as "proposedBy",
      (select coalesce(sum(r.amount_fen), 0)::bigint from split_return r where r.line_id = l.id) as "askedBackFen"
    from split_line l join split_receiver v on v.id = l.receiver_id left join merchant m on m.id = v.of_merchant_id
    where l.split_id = ${splitId} order by l.line_no`.execute(db)
  return found.rows
}

/** The attempt as its channel knows it. */
export async function attemptOf(db: Reader, attemptId: number): Promise<SplitAsk['attempt']> {
  return only(
    await sql<SplitAsk['attempt']>`select attempt_no as "attemptNo", paid_fen as "amountFen", order_no as title,
        coalesce(asked_at, created_at) as "askedAt", expires_at as "expiresAt", channel_no as "channelNo",
        paid_at as "paidAt"
      from payment_attempt where id = ${attemptId} and paid_fen is not null`.execute(db),
  )
}

/** Each part of the story is posted once, whoever tells it again. */
export function post(tx: Tx, split: SplitRow, part: string, postings: readonly Posting[], at: Date): Promise<void> {
  const { day: businessDay } = businessTime(at, PLATFORM_TIME_ZONE)
  const { id, merchantId } = split
  return postTransfers(tx, [
    { kind: 'split', reference: `${id}/${part}`, merchantId, postedAt: at, businessDay, postings },
  ])
}

/** Where its lines stand now: it waits to be finished, or for a person; nothing while any is under way. */
export async function moveOn(tx: Tx, split: SplitRow, now: Date): Promise<void> {
  const next = follows((await linesOf(tx, split.id)).map(({ state }) => state))
  if (next === 'finish' && splitState.can(split.state, 'finish')) {
    split.state = await splits.move(tx, split, 'finish', { nextAt: now, asks: 0, detail: null })
  }
  if (next === 'fail' && splitState.can(split.state, 'fail')) {
    split.state = await splits.move(tx, split, 'fail', { nextAt: null })
  }
}

export const announceSplit = (tx: Tx, { merchantId }: Pick<SplitRow, 'merchantId'>): Promise<void> =>
  announce(tx, { topic: 'changes', kinds: ['split'], merchantIds: [merchantId], above: [] })
