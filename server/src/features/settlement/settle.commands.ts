import { type FundsMode, providers } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { grouped, must } from '../../kernel/must'
import { findPlatform } from '../../kernel/scope'
import { entry, postTransfers } from '../ledger/public'
import { affordable, type Fee, feeOfAll, type FeeRule, sharesOf } from './fee/fee.rules'
import { findRule } from './fee/feeRule.store'
import { collectFromIssuers } from './issuer.commands'
import { bookedDay, type Run } from './run.store'
import { insertSplits, owedBy, planSplits, splitFenOf } from './split/split.make'
import {
  availableOf,
  type DueOrder,
  findDueOfRuns,
  findDueWithoutRun,
  findLateRefunds,
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
  const groups = grouped(due, ({ merchantId, method, day, fundsMode }) =>
    [merchantId, method, day, fundsMode].join('/'),
  )
  let netFen = 0
  for (const orders of groups.values()) netFen += await settle(tx, orders, run, now)
  await collectFromIssuers(tx, now)
  return netFen
}

/** One merchant's orders of a method and day: pending → available, less fees and the tax that is withheld. */
async function settle(tx: Tx, orders: readonly DueOrder[], run: Run | null, now: Date): Promise<number> {
  const [first] = orders
  if (!first) return 0
  const { merchantId, method, day } = first
  const { channel, functions, tax } = await feesOf(tx, orders)
  const grossFen = sum(orders.map(({ paidFen }) => paidFen))
  const refundedFen = sum(orders.map((order) => order.refundedFen))
  const share = (of: Shared, at: number) => must(of.shares[at], 'a share of each order')
  const plans = await planSplits(tx, orders, (at) => share(channel, at) + share(functions, at) + share(tax, at))
  const splitFen = sum([...plans.values()].map(splitFenOf))
  const takenFen = channel.feeFen + functions.feeFen + tax.feeFen + splitFen
  const keptFen = grossFen - refundedFen - takenFen
  const waiting = await findLateRefunds(tx, merchantId, method)
  const late = affordable(waiting, keptFen + (await availableOf(tx, merchantId)))
  const refundFen = refundedFen + sum(late.map(({ amountFen }) => amountFen))
  const netFen = grossFen - refundFen - takenFen
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
    taxFen: tax.feeFen,
    splitFen,
    netFen,
    roundingUfen: channel.roundingUfen + functions.roundingUfen + tax.roundingUfen,
    postedAt: now,
  })
  await insertSettled(tx, id, [
    ...orders.map(({ orderId, paidFen }, at) => ({
      kind: 'order' as const,
      reference: orderId,
      amountFen: paidFen,
      channelFeeFen: share(channel, at),
      functionFeeFen: share(functions, at),
      taxFen: share(tax, at),
      splitFen: splitFenOf(plans.get(orderId)),
    })),
    ...orders.flatMap(({ refundIds }) => refundIds).map((reference) => ({ ...free, reference, amountFen: 0 })),
    ...late.map((refund) => ({ ...free, reference: refund.id, amountFen: refund.amountFen })),
  ])
  if (plans.size > 0) await insertSplits(tx, id, [...plans.values()], now)
  const owed = owedBy(plans.values())
  await post(tx, { id, merchantId, method, day, grossFen, refundFen, netFen, channel, functions, tax, owed }, now)
  return netFen
}

/**
 * A refund bears no fee: that was taken on what is kept. One that left its order before it was settled has amount 0.
 */
const free = { kind: 'refund' as const, channelFeeFen: 0, functionFeeFen: 0, taxFen: 0, splitFen: 0 }
const isNamed = (method: string) => [...providers, 'member_card', 'other'].includes(method)

type Shared = Fee & { shares: number[] }
type Fees = { channel: Shared; functions: Shared; tax: Shared }

async function feesOf(tx: Tx, orders: readonly DueOrder[]): Promise<Fees> {
  const nothing = (): Shared => ({ feeFen: 0, roundingUfen: 0, shares: orders.map(() => 0) })
  const [first] = orders
  if (!first) return { channel: nothing(), functions: nothing(), tax: nothing() }
  const { merchantId, method, day } = first
  const kept = orders.map((each) => each.paidFen - each.refundedFen)
  const channel = shared(kept, await findRule(tx, merchantId, method, day))
  const tax = shared(kept, await findRule(tx, merchantId, 'tax', day))
  const functions = nothing()
  for (const type of new Set(orders.map(({ businessType }) => businessType))) {
    const ofType = orders.flatMap(({ businessType }, at) => (businessType === type ? [at] : []))
    const amounts = ofType.map((at) => must(kept[at], 'an amount of each order'))
    const fee = shared(amounts, await findRule(tx, merchantId, `function:${type}`, day))
    functions.feeFen += fee.feeFen
    functions.roundingUfen += fee.roundingUfen
    for (const [n, at] of ofType.entries()) functions.shares[at] = must(fee.shares[n], 'a share of each order')
  }
  return { channel, functions, tax }
}

const shared = (amounts: readonly number[], rule: FeeRule): Shared => ({
  ...feeOfAll(amounts, rule),
  shares: sharesOf(amounts, rule),
})

type Posted = Fees & {
  id: number
  merchantId: number
  method: string
  day: string
  grossFen: number
  refundFen: number
  netFen: number
  owed: ReturnType<typeof owedBy>
}

async function post(tx: Tx, settled: Posted, now: Date): Promise<void> {
  const { id, merchantId, method, grossFen, refundFen, netFen, channel, functions, tax, owed, day } = settled
  const platformId = (await findPlatform(tx)) ?? merchantId
  const own = (kind: 'pending' | 'available', amountFen: number) => ({
    account: { kind, merchantId, key: '' },
    amountFen,
  })
  const taken = (kind: 'fees' | 'tax_payable', key: string, { feeFen }: Fee) => ({
    account: { kind, merchantId: platformId, key },
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
        taken('fees', method, channel),
        taken('fees', 'function', functions),
        taken('tax_payable', '', tax),
        ...owed.map(({ receiverId, fen }) => entry('split_payable', merchantId, String(receiverId), -fen)),
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
