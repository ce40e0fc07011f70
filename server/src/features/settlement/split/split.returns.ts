import {
  splitLineState,
  splitReturnState,
  splitState,
  type SplitReturnState,
} from '@aisle/contract/settlement/splitStates'
import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import { must, only } from '../../../kernel/must'
import { statesIn, stateTo } from '../../../kernel/states'
import { channelOf, type SplitReturnAnswer, type SplitReturnAsk } from '../../payment/public'
import {
  againAt,
  dueBack,
  hearReturn,
  isReturned,
  releasePostings,
  returnNoOf,
  returnPostings,
  splitNoOf,
} from './split.rules'
import { LEASE_MS } from './split.send'
import {
  announceSplit,
  type LineRow,
  lines,
  linesOf,
  lockSplit,
  moveOn,
  post,
  returns,
  type SplitRow,
} from './split.store'

const AT_ONCE = 20
/** How far back refunds are looked for whose shares were not dealt with, as the settlement does. */
const REFUND_DAYS = 60

/**
 * Refunds of orders that were shared before: what was not sent yet becomes less, what was paid is asked back where the
 * channel and the receiver allow it, and is owed by the receiver where not. No refund waits for any of it.
 */
export async function takeRefunds(services: Services): Promise<void> {
  const { db, clock } = services
  const found = await sql<{ id: number }>`select distinct s.id from refund f join split s on s.order_id = f.order_id
    join orders o on o.merchant_id = s.merchant_id and o.occurred_at = s.occurred_at and o.id = s.order_id
    where f.state in ${statesIn(refundState, 'back')}
      and f.ended_at > ${clock.now()}::timestamptz - make_interval(days => ${sql.lit(REFUND_DAYS)})
      and o.refunded_fen > s.refunded_fen and s.state not in ${statesIn(splitState, 'underWay')}`.execute(db)
  for (const { id } of found.rows) await takeRefund(services, id)
}

async function takeRefund(services: Services, id: number): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const split = await lockSplit(tx, id)
    const { fen, paidFen, isByHand } = only(
      await sql<{ fen: number; paidFen: number; isByHand: boolean }>`select o.refunded_fen as fen,
          o.paid_fen as "paidFen", exists (select from refund f where f.order_id = s.order_id
            and f.state = ${stateTo(refundState, 'payBack')}) as "isByHand"
        from split s join orders o on o.merchant_id = s.merchant_id and o.occurred_at = s.occurred_at
          and o.id = s.order_id where s.id = ${id}`.execute(tx),
    )
    // Under way it is known soon what was paid; until then nobody knows what there is to be asked back.
    if (fen <= split.refundedFen || splitState.is(split.state, 'underWay')) return
    const since = fen - (paidFen - split.keptFen)
    for (const line of await linesOf(tx, id)) await takeOff(tx, { split, line, refundedFen: fen, since, isByHand }, now)
    // Of what failed nothing may be left to decide.
    for (const line of await linesOf(tx, id)) {
      if (line.dueFen === 0 && splitLineState.is(line.state, 'toDecide')) await lines.move(tx, line, 'release')
    }
    await moveOn(tx, split, now)
    await tx.updateTable('split').set({ refundedFen: fen }).where('id', '=', id).execute()
    await announceSplit(tx, split)
  })
}

/** @property isByHand part of it was paid back otherwise than through the channel, which then took nothing back */
type Refunded = { split: SplitRow; line: LineRow; refundedFen: number; since: number; isByHand: boolean }

async function takeOff(tx: Tx, { split, line, refundedFen, since, isByHand }: Refunded, now: Date): Promise<void> {
  const { id, receiverId, cutFen, askedBackFen, state } = line
  // What an older claim took off was its share, too.
  const isClaimable = splitLineState.is(state, 'done') && split.provider !== 'alipay'
  const amountFen = line.amountFen + (isClaimable ? line.deductedFen : 0)
  const fen = dueBack({ amountFen, keptFen: split.keptFen, refundedFen: since, askedBackFen: cutFen + askedBackFen })
  if (fen === 0 || splitLineState.is(state, 'released')) return
  if (!splitLineState.is(state, 'done')) {
    await sql`update split_line set cut_fen = cut_fen + ${fen}, version = version + 1 where id = ${id}`.execute(tx)
    const postings = releasePostings({ merchantId: split.merchantId, receiverId }, fen)
    return post(tx, split, `cut/${id}/${refundedFen}`, postings, now)
  }
  await insertReturn(tx, split, line, { refundedFen, fen, isByHand }, now)
}

async function insertReturn(
  tx: Tx,
  split: SplitRow,
  line: LineRow,
  { refundedFen, fen, isByHand }: { refundedFen: number; fen: number; isByHand: boolean },
  now: Date,
): Promise<void> {
  const { id, type, consents, doneAt } = line
  // Alipay took it back with the refund itself.
  const isBack = split.provider === 'alipay' && !isByHand
  const isAsked = !isBack && isReturned({ canReturn: type === 'merchant_no', consents, doneAt }, now)
  const state: SplitReturnState = isBack ? 'done' : isAsked ? 'waiting' : 'claimed'
  const made = only(
    await sql<{ id: number }>`insert into split_return (line_id, refunded_fen, amount_fen, state, code, next_at,
        created_at, ended_at)
      values (${id}, ${refundedFen}, ${fen}, ${state}, ${isBack ? 'withRefund' : isAsked ? null : 'noConsent'},
        ${isAsked ? now : null}, ${now}, ${isBack ? now : null}) returning id`.execute(tx),
  )
  if (isBack) await post(tx, split, `returned/${made.id}`, returnPostings(split, fen), now)
}

type Claimed = { id: number; splitId: number; accountId: number; ask: SplitReturnAsk }
type Row = { id: number; splitId: number; state: SplitReturnState; tries: number; asks: number; amountFen: number }

/** Asks for what is due back; the same number again asks how it stands. */
export async function sendReturns(services: Services): Promise<void> {
  for (;;) {
    const claimed = await claimReturns(services)
    if (claimed.length === 0) return
    for (const one of claimed) await takeReturn(services, one.id, await askBack(services, one))
  }
}

async function askBack(services: Services, { accountId, ask }: Claimed): Promise<SplitReturnAnswer> {
  const channel = await channelOf(services, accountId).catch(() => null)
  if (!channel) return { outcome: 'unknown', code: 'noChannel' }
  return (await channel.splits?.returnSplit?.(ask)) ?? { outcome: 'refused', code: 'noReturns' }
}

async function claimReturns({ db, clock }: Services): Promise<Claimed[]> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    type Found = Row & { lineTries: number | null; account: string; name: string; accountId: number; orderNo: string }
    const found =
      await sql<Found>`select r.id, s.id as "splitId", r.state, r.tries, r.asks, r.amount_fen as "amountFen",
        l.try as "lineTries", v.account, v.name, a.account_id as "accountId", s.order_no as "orderNo"
      from split_return r join split_line l on l.id = r.line_id join split s on s.id = l.split_id
      join split_receiver v on v.id = l.receiver_id join payment_attempt a on a.id = s.attempt_id
      where r.next_at <= ${now} and r.state in ${statesIn(splitReturnState, 'due')}
      order by r.next_at, r.id limit ${sql.lit(AT_ONCE)} for update of r skip locked`.execute(tx)
    const claimed: Claimed[] = []
    for (const { lineTries, account, name, accountId, orderNo: reason, ...row } of found.rows) {
      if (splitReturnState.can(row.state, 'send')) {
        row.tries += 1
        row.state = await returns.move(tx, row, 'send', { tries: row.tries })
      }
      const nextAt = new Date(now.getTime() + LEASE_MS)
      await tx
        .updateTable('splitReturn')
        .set({ nextAt, asks: row.asks + 1 })
        .where('id', '=', row.id)
        .execute()
      const share = { receiver: { type: 'merchant_no' as const, account, name }, amountFen: row.amountFen }
      const [returnNo, splitNo] = [
        returnNoOf(row.id, row.tries),
        splitNoOf(row.splitId, must(lineTries, 'the number of a share that was sent')),
      ]
      claimed.push({ id: row.id, splitId: row.splitId, accountId, ask: { returnNo, splitNo, share, reason } })
    }
    return claimed
  })
}

async function takeReturn({ db, clock }: Services, id: number, said: SplitReturnAnswer): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const row = only(
      await sql<Row>`select r.id, l.split_id as "splitId", r.state, r.tries, r.asks, r.amount_fen as "amountFen"
        from split_return r join split_line l on l.id = r.line_id where r.id = ${id} for update of r`.execute(tx),
    )
    if (!splitReturnState.can(row.state, 'confirm')) return
    const split = await lockSplit(tx, row.splitId)
    const code = said.code?.slice(0, 64) ?? null
    const verb = hearReturn(said)
    if (verb === 'confirm') {
      await returns.move(tx, row, 'confirm', { endedAt: now, nextAt: null, code: null })
      await post(tx, split, `returned/${id}`, returnPostings(split, row.amountFen), now)
    } else if (verb === 'claim') {
      await returns.move(tx, row, 'claim', { nextAt: null, code })
    } else {
      const nextAt = againAt(row.asks, now)
      if (verb === 'again') await returns.move(tx, row, 'again', { nextAt, code })
      else await tx.updateTable('splitReturn').set({ nextAt, code }).where('id', '=', id).execute()
    }
    await announceSplit(tx, split)
  })
}
