import type { UnclaimedPayment, UnclaimedState } from '@aisle/contract/refund/unclaimed'
import { unclaimedState } from '@aisle/contract/refund/unclaimed'
import type { Provider } from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, Reader, Tx } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'

export const unclaimeds = stateful('unclaimedPayment', 'state', unclaimedState, {
  versioned: true,
  refuse: () => refuse('unclaimed.state'),
})

export type Unclaimed = {
  id: number
  providerAccountId: number
  merchantId: number
  provider: Provider
  channelNo: string
  attemptNo: string
  amountFen: number
  paidAt: Date
  cause: UnclaimedPayment['cause']
  state: UnclaimedState
  decision: UnclaimedPayment['decision']
  reason: string
  orderNo: string | null
  askedById: number | null
  tries: number
  asks: number
}

type Kept = Pick<
  Unclaimed,
  'providerAccountId' | 'provider' | 'channelNo' | 'attemptNo' | 'amountFen' | 'paidAt' | 'cause'
>

/** Money that is there and belongs to nothing of ours; told again it is the same money. */
export async function keepUnclaimed(tx: Tx, each: Kept, now: Date): Promise<void> {
  await sql`insert into unclaimed_payment (provider_account_id, provider, channel_no, attempt_no, amount_fen, paid_at,
      noted_at, cause)
    values (${each.providerAccountId}, ${each.provider}, ${each.channelNo.slice(0, 64)},
      ${each.attemptNo.slice(0, 64)}, ${each.amountFen}, ${each.paidAt}, ${now}, ${each.cause})
    on conflict (provider_account_id, channel_no) do update set times = unclaimed_payment.times + 1`.execute(tx)
}

const columns = sql`u.id, u.provider_account_id as "providerAccountId", p.merchant_id as "merchantId", u.provider,
  u.channel_no as "channelNo", u.attempt_no as "attemptNo", u.amount_fen as "amountFen", u.paid_at as "paidAt", u.cause,
  u.state, u.decision, u.reason, u.order_no as "orderNo", u.asked_by as "askedById", u.tries, u.asks`

export async function lockUnclaimed(tx: Tx, which: RawBuilder<unknown>): Promise<Unclaimed | undefined> {
  const found = await sql<Unclaimed>`select ${columns} from unclaimed_payment u
    join provider_account p on p.id = u.provider_account_id where ${which} for update of u`.execute(tx)
  return found.rows[0]
}

/** @throws Refusal for one out of sight, and for a state from which none of the verbs leads */
export async function holdUnclaimed(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof unclaimedState.moves,
): Promise<Unclaimed> {
  const mine = sql`u.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}`
  const held = existing(await lockUnclaimed(ctx.tx, mine))
  unclaimeds.must(held, verb)
  return held
}

/**
 * Whether the same money, as a line of the channel's bill, was decided on there. What was to be booked on its order and
 * stands here all the same found that order paid otherwise: it is still nobody's.
 */
export async function isDecidedInBill(
  db: Reader,
  { providerAccountId, channelNo }: Pick<Unclaimed, 'providerAccountId' | 'channelNo'>,
): Promise<boolean> {
  const found = await sql`select 1 from statement_line l join settlement_difference d on d.line_id = l.id
    join settlement_channel c on c.id = d.channel_id
    where l.channel_no = ${channelNo} and l.kind = 'payment' and c.provider_account_id = ${providerAccountId}
      and d.kind = 'only_theirs' and d.state = 'decided' and d.decision <> 'take_order'`.execute(db)
  return found.rows.length > 0
}

/**
 * The same money is being decided on as a difference to the channel's bill.
 * @returns false where it was decided as a case of its own: then nothing more may happen to it there
 */
export async function settleUnclaimed(
  tx: Tx,
  { providerAccountId, channelNo }: Pick<Unclaimed, 'providerAccountId' | 'channelNo'>,
  at: Date,
): Promise<boolean> {
  const which = sql`u.provider_account_id = ${providerAccountId} and u.channel_no = ${channelNo}`
  const held = await lockUnclaimed(tx, which)
  // Decided there before, and the channel refused what was decided.
  if (!held || unclaimedState.is(held.state, 'settled')) return true
  if (!unclaimedState.can(held.state, 'settle')) return false
  await unclaimeds.move(tx, held, 'settle', { endedAt: at })
  return true
}
