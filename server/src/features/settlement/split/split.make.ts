import { splitReturnState } from '@aisle/contract/settlement/splitStates'
import { splitCap } from '@aisle/contract/system/settings'
import { paymentAttemptState, type Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { grouped, must } from '../../../kernel/must'
import { settingOf } from '../../../kernel/settings'
import { statesFrom, stateTo } from '../../../kernel/states'
import { isPaidTwice, isReceiverOf } from '../../payment/public'
import type { DueOrder } from '../settle.store'
import { type Claim, deduct, type Part, type Share, shareOut } from './split.rules'

export const SEND_SPLITS = 'settlement.sendSplits'

type Asked = {
  orderId: number
  orderNo: string
  occurredAt: Date
  machineId: number
  attemptId: number
  ruleId: number
  provider: Provider
  paidAt: Date | null
  shares: Share[]
}
type Taken = { claimId: number; receiverId: number; fen: number }
/** What an order gives others, worked out before its settlement is written. */
export type Plan = {
  order: DueOrder
  asked: Asked
  keptFen: number
  baseFen: number
  parts: Part[]
  taken: Taken[]
}

/**
 * The shares of orders that their channel was asked for as shared, by the rule of then: whatever has been agreed since,
 * an order without the mark is never shared.
 * @param takenFen fees and tax of each order
 */
export async function planSplits(
  tx: Tx,
  orders: readonly DueOrder[],
  takenFen: (at: number) => number,
): Promise<Map<number, Plan>> {
  const asked = await findAsked(
    tx,
    orders.map(({ orderId }) => orderId),
  )
  const [first] = orders
  if (!first || asked.size === 0) return new Map()
  const capPercent = await settingOf(tx, splitCap, first.merchantId)
  const claims = await lockClaims(tx, first.merchantId, [...asked.values()])
  const plans = orders.flatMap((order, at): Plan[] => {
    const its = asked.get(order.orderId)
    const keptFen = order.paidFen - order.refundedFen
    // Refunded whole there is nothing frozen any more.
    if (!its || keptFen <= 0) return []
    const baseFen = Math.max(0, keptFen - takenFen(at))
    const { parts } = shareOut({ paidFen: order.paidFen, baseFen, capPercent }, its.shares)
    const taken: Taken[] = []
    const split = parts.map(({ receiverId, fen }): Part => {
      const off = deduct(fen, claims.get(receiverId) ?? [])
      for (const { id, fen: claimFen } of off) {
        taken.push({ claimId: id, receiverId, fen: claimFen })
        const claim = claims.get(receiverId)?.find((each) => each.id === id)
        if (claim) claim.openFen -= claimFen
      }
      const deductedFen = off.reduce((sum, each) => sum + each.fen, 0)
      return { receiverId, amountFen: fen - deductedFen, deductedFen }
    })
    return [{ order, asked: its, keptFen, baseFen, parts: split, taken }]
  })
  return new Map(plans.map((plan) => [plan.order.orderId, plan]))
}

export const splitFenOf = (plan: Plan | undefined): number =>
  plan ? plan.parts.reduce((sum, { amountFen }) => sum + amountFen, 0) : 0

async function findAsked(tx: Tx, orderIds: readonly number[]): Promise<Map<number, Asked>> {
  const found = await sql<Asked>`
    select a.order_id as "orderId", a.order_no as "orderNo", a.occurred_at as "occurredAt",
      a.machine_id as "machineId", a.id as "attemptId", a.split_rule_id as "ruleId", a.method as provider,
      a.paid_at as "paidAt", (select json_agg(json_build_object('receiverId', l.receiver_id, 'rateBps', l.rate_bps,
          'fixedFen', l.fixed_fen) order by l.line_no)
        from split_rule_line l join split_receiver v on v.id = l.receiver_id
        where l.rule_id = a.split_rule_id and ${isReceiverOf}) as shares
    from payment_attempt a join payment_account c on c.id = a.account_id
    where a.order_id = any(${[...orderIds]}::bigint[]) and a.split_rule_id is not null
      and a.state = ${stateTo(paymentAttemptState, 'pay')} and not ${isPaidTwice}`.execute(tx)
  return new Map(found.rows.map((row) => [row.orderId, { ...row, shares: row.shares ?? [] }]))
}

/** What receivers owe the merchant back, oldest first; nobody else takes it off meanwhile. */
async function lockClaims(tx: Tx, merchantId: number, asked: readonly Asked[]): Promise<Map<number, Claim[]>> {
  const receivers = [...new Set(asked.flatMap(({ shares }) => shares.map(({ receiverId }) => receiverId)))]
  const found = await sql<Claim & { receiverId: number }>`
    select r.id, (r.amount_fen - r.settled_fen)::bigint as "openFen", l.receiver_id as "receiverId"
    from split_return r join split_line l on l.id = r.line_id join split s on s.id = l.split_id
    where r.state in ${statesFrom(splitReturnState, 'settle')} and s.merchant_id = ${merchantId}
      and l.receiver_id = any(${receivers}::bigint[]) order by r.id for update of r`.execute(tx)
  return grouped(found.rows, ({ receiverId }) => receiverId)
}

/** Writes what was planned, in the transaction that posts it; the worker sends it after the commit. */
export async function insertSplits(tx: Tx, settlementId: number, plans: readonly Plan[], now: Date): Promise<void> {
  const splitOf = await insertEach(tx, settlementId, plans, now)
  const lines = plans.flatMap(({ order, parts }) =>
    parts.flatMap((part, at) =>
      part.amountFen + part.deductedFen > 0
        ? [{ ...part, splitId: must(splitOf.get(order.orderId), 'a split of the order'), lineNo: at + 1 }]
        : [],
    ),
  )
  await sql`insert into split_line (split_id, line_no, receiver_id, amount_fen, deducted_fen, state, done_at)
    select split_id, line_no, receiver_id, amount_fen, deducted_fen,
      case when amount_fen = 0 then 'done' else 'waiting' end, case when amount_fen = 0 then ${now}::timestamptz end
    from ${rows('l', lines, {
      splitId: 'bigint',
      lineNo: 'int',
      receiverId: 'bigint',
      amountFen: 'bigint',
      deductedFen: 'bigint',
    })}`.execute(tx)
  for (const claim of plans.flatMap(({ taken }) => taken)) await takeOff(tx, claim, now)
  await addJob(tx, SEND_SPLITS)
}

/** @returns the split of each order */
async function insertEach(tx: Tx, settlementId: number, plans: readonly Plan[], now: Date) {
  const fresh = plans.map(({ order, asked, keptFen, baseFen }) => ({
    ...asked,
    orderId: order.orderId,
    merchantId: order.merchantId,
    day: order.day,
    paidFen: order.paidFen,
    baseFen,
    keptFen,
    refundedFen: order.paidFen - keptFen,
    paidAt: must(asked.paidAt, 'when a paid attempt was paid'),
  }))
  const made = await sql<{
    id: number
    orderId: number
  }>`insert into split (order_id, order_no, occurred_at, merchant_id,
      machine_id, attempt_id, rule_id, settlement_id, provider, business_day, paid_fen, base_fen, kept_fen,
      refunded_fen, frozen_since, next_at, made_at)
    select order_id, order_no, occurred_at, merchant_id, machine_id, attempt_id, rule_id, ${settlementId}, provider,
      day, paid_fen, base_fen, kept_fen, refunded_fen, paid_at, ${now}, ${now}
    from ${rows('f', fresh, {
      orderId: 'bigint',
      orderNo: 'text',
      occurredAt: 'timestamptz',
      merchantId: 'bigint',
      machineId: 'bigint',
      attemptId: 'bigint',
      ruleId: 'bigint',
      provider: 'text',
      day: 'date',
      paidFen: 'bigint',
      baseFen: 'bigint',
      keptFen: 'bigint',
      refundedFen: 'bigint',
      paidAt: 'timestamptz',
    })} returning id, order_id as "orderId"`.execute(tx)
  return new Map(made.rows.map(({ id, orderId }) => [orderId, id]))
}

/** What a receiver owed comes off its share. */
async function takeOff(tx: Tx, { claimId, fen }: Taken, now: Date): Promise<void> {
  await sql`update split_return set settled_fen = settled_fen + ${fen},
      state = case when settled_fen + ${fen} = amount_fen then ${stateTo(splitReturnState, 'settle')} else state end,
      ended_at = case when settled_fen + ${fen} = amount_fen then ${now}::timestamptz end, version = version + 1
    where id = ${claimId}`.execute(tx)
}

/** What each receiver is owed by these orders. */
export function owedBy(plans: Iterable<Plan>): { receiverId: number; fen: number }[] {
  const sums = new Map<number, number>()
  for (const { parts } of plans) {
    for (const { receiverId, amountFen } of parts) sums.set(receiverId, (sums.get(receiverId) ?? 0) + amountFen)
  }
  return [...sums].map(([receiverId, fen]) => ({ receiverId, fen }))
}
