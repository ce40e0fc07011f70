import { type FundsMode, providers } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { postTransfers } from '../ledger/public'
import { affordable, type Fee, feeOfAll } from './fee.rules'
import { collectFromIssuers } from './issuer.commands'
import { bookedDay, type Run } from './run.store'
import {
  availableOf,
  type DueOrder,
  findDueOfRuns,
  findDueWithoutRun,
  findLateRefunds,
  findRule,
  insertSettled,
  insertSettlement,
  runsToSettle,
} from './settle.store'

/** One at a time over all processes, so that a refund is taken by one settlement alone. */
const SETTLE_LOCK = 4_217_037

/** The orders of a day that has just been closed. @returns what the merchants got */
export async function settleRun(tx: Tx, run: Run, now: Date): Promise<number> {
  if (run.fundsMode === 'direct') return 0
  await lock(tx)
  const due = await findDueOfRuns(tx, sql<boolean>`r.id = ${run.id}`)
  return settleAll(tx, due, run, now)
}

/**
 * T+1 of what no bill is waited for, and of what a closed day had to leave since a refund was under way. May run late
 * or twice: each order is settled once.
 */
export async function settleRest(tx: Tx, now: Date): Promise<number> {
  await lock(tx)
  const left = await findDueOfRuns(tx, sql<boolean>`${runsToSettle(now)} and r.funds_mode <> 'direct'`)
  const rest = await findDueWithoutRun(tx, now)
  return settleAll(tx, [...left, ...rest], null, now)
}

const lock = (tx: Tx) => sql`select pg_advisory_xact_lock(${SETTLE_LOCK})`.execute(tx)

async function settleAll(tx: Tx, due: readonly DueOrder[], run: Run | null, now: Date): Promise<number> {
  const groups = new Map<string, DueOrder[]>()
  for (const order of due) {
    const name = `${order.merchantId}/${order.method}/${order.day}/${order.fundsMode}`
    const group = groups.get(name)
    if (group) group.push(order)
    else groups.set(name, [order])
  }
  let netFen = 0
  for (const orders of groups.values()) netFen += await settle(tx, orders, run, now)
  await collectFromIssuers(tx, now)
  return netFen
}

/** One merchant's orders of a method and day: pending → available, less fees. */
async function settle(tx: Tx, orders: readonly DueOrder[], run: Run | null, now: Date): Promise<number> {
  const [first] = orders
  if (!first) return 0
  const { merchantId, method, day } = first
  const { channel, functions } = await feesOf(tx, orders)
  const grossFen = sum(orders.map(({ paidFen }) => paidFen))
  const refundedFen = sum(orders.map((order) => order.refundedFen))
  const keptFen = grossFen - refundedFen - channel.feeFen - functions.feeFen
  const waiting = await findLateRefunds(tx, merchantId, method)
  const late = affordable(waiting, keptFen + (await availableOf(tx, merchantId)))
  const refundFen = refundedFen + sum(late.map(({ amountFen }) => amountFen))
  const netFen = grossFen - refundFen - channel.feeFen - functions.feeFen
  const id = await insertSettlement(tx, {
    merchantId,
    runId: run?.id ?? null,
    method: isNamed(method) ? method : 'other',
    fundsMode: first.fundsMode ?? (await modeOf(tx)),
    businessDay: day,
    orders: orders.length,
    refunds: late.length + sum(orders.map(({ refundIds }) => refundIds.length)),
    grossFen,
    refundFen,
    channelFeeFen: channel.feeFen,
    functionFeeFen: functions.feeFen,
    netFen,
    roundingUfen: channel.roundingUfen + functions.roundingUfen,
    postedAt: now,
  })
  await insertSettled(tx, id, [
    ...orders.map(({ orderId, paidFen }) => ({ kind: 'order' as const, reference: orderId, amountFen: paidFen })),
    ...orders.flatMap(({ refundIds }) => refundIds).map((reference) => ({ ...taken, reference })),
    ...late.map((refund) => ({ kind: 'refund' as const, reference: refund.id, amountFen: refund.amountFen })),
  ])
  await post(tx, { id, merchantId, method, day, grossFen, refundFen, netFen, fees: [channel, functions] }, now)
  return netFen
}

/** A refund that left its order before it was settled: the order's row has taken it off. */
const taken = { kind: 'refund' as const, amountFen: 0 }
const isNamed = (method: string) => [...providers, 'member_card', 'other'].includes(method)

async function feesOf(tx: Tx, orders: readonly DueOrder[]): Promise<{ channel: Fee; functions: Fee }> {
  const [first] = orders
  if (!first) return { channel: { feeFen: 0, roundingUfen: 0 }, functions: { feeFen: 0, roundingUfen: 0 } }
  const { merchantId, method, day } = first
  const kept = (each: DueOrder) => each.paidFen - each.refundedFen
  const channel = feeOfAll(orders.map(kept), await findRule(tx, merchantId, method, day))
  const functions: Fee = { feeFen: 0, roundingUfen: 0 }
  for (const type of new Set(orders.map(({ businessType }) => businessType))) {
    const ofType = orders.filter(({ businessType }) => businessType === type)
    const fee = feeOfAll(ofType.map(kept), await findRule(tx, merchantId, `function:${type}`, day))
    functions.feeFen += fee.feeFen
    functions.roundingUfen += fee.roundingUfen
  }
  return { channel, functions }
}

type Posted = {
  id: number
  merchantId: number
  method: string
  day: string
  grossFen: number
  refundFen: number
  netFen: number
  fees: readonly [Fee, Fee]
}

async function post(tx: Tx, settled: Posted, now: Date): Promise<void> {
  const { id, merchantId, method, grossFen, refundFen, netFen, fees, day } = settled
  const platform = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(tx)
  const platformId = platform.rows[0]?.id ?? merchantId
  const own = (kind: 'pending' | 'available', amountFen: number) => ({
    account: { kind, merchantId, key: '' },
    amountFen,
  })
  const fee = (key: string, { feeFen }: Fee) => ({
    account: { kind: 'fees' as const, merchantId: platformId, key },
    amountFen: -feeFen,
  })
  await postTransfers(tx, [
    {
      kind: 'settlement',
      reference: String(id),
      merchantId,
      postedAt: now,
      businessDay: bookedDay(day, now),
      postings: [
        own('pending', grossFen - refundFen),
        own('available', -netFen),
        fee(method, fees[0]),
        fee('function', fees[1]),
      ].filter(({ amountFen }) => amountFen !== 0),
    },
  ])
}

/** Of money that came without a channel's account: a network of demo accounts has nothing real. */
async function modeOf(tx: Tx): Promise<FundsMode> {
  const found = await sql<{ mode: FundsMode }>`select case when exists (
      select 1 from payment_account where state = 'activated' and funds_mode <> 'demo')
    then 'custody' else 'demo' end as mode`.execute(tx)
  return found.rows[0]?.mode ?? 'custody'
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0)
