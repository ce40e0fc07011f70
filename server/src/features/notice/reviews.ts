import type { getPendingReviews, reviewKinds } from '@aisle/contract/notice/bell'
import { isGranted, mayOpen } from '@aisle/contract/identity/permissions'
import type { OutputOf, Permission } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import type { QueryContext, Reader } from '../../kernel/context'
import { type Sight, sightOf } from '../../kernel/scope'
import { countPendingAdditions } from '../catalog/public'
import { countAskedCounts, countWaitingCounts } from '../counting/public'
import { countCashToDecide, countUndecidedTours } from '../field/public'
import { countOpenLines, countWaitingWithdrawals } from '../funds/public'
import { countPendingClaims } from '../lottery/public'
import { countCareDue, countExpired } from '../medicine/public'
import { countWaitingApplications } from '../member/public'
import { countPendingReviews } from '../merchant/public'
import { countPendingPrescriptions } from '../pharmacy/public'
import { countWaitingReturns } from '../purchase/public'
import { countOpenProblems, countRefundReviews, countUnclaimed } from '../refund/public'
import { countOpenDifferences, countSplitsToDecide, countWaitingDisputes } from '../settlement/public'
import { countWaitingWriteOffs } from '../stock/public'
import { countWaitingCases, countWaitingFeedback } from '../support/public'

type Source = {
  kind: (typeof reviewKinds)[number]
  /** Who may decide; nobody else is bothered with the number. */
  permission: Permission
  screen: string
  query: Record<string, string>
  count: (db: Reader, sight: Sight, now: Date) => Promise<number>
}

/** What waits for a decision; a domain that has something to review adds its count here. */
const sources: readonly Source[] = [
  {
    kind: 'refund',
    permission: 'refund.approve',
    screen: 'jygl/tkgl',
    query: { state: 'pending_review', sort: 'oldest' },
    count: countRefundReviews,
  },
  {
    kind: 'problem',
    permission: 'order.settle',
    screen: 'cfgl/wtddgl',
    query: { state: 'unsettled' },
    count: countOpenProblems,
  },
  {
    kind: 'unclaimed',
    permission: 'order.settle',
    screen: 'cfgl/wtddgl',
    query: { part: 'unclaimed', state: 'unsettled' },
    count: countUnclaimed,
  },
  {
    kind: 'difference',
    permission: 'settlement.write',
    screen: 'xtgl/rjs',
    query: { part: 'differences', state: 'any_open' },
    count: countOpenDifferences,
  },
  {
    kind: 'settlementDispute',
    permission: 'settlement.approve',
    screen: 'cwgl/cwjs',
    query: { part: 'disputes', state: 'toAnswer', sort: 'oldest' },
    count: countWaitingDisputes,
  },
  {
    kind: 'split',
    permission: 'splitRecord.approve',
    screen: 'cfgl/fztj',
    query: { part: 'orders', state: 'toDecide' },
    count: countSplitsToDecide,
  },
  {
    kind: 'bankAccount',
    permission: 'bankAccount.review',
    screen: 'shgl/shzhxx',
    query: { state: 'pending' },
    count: countPendingReviews,
  },
  {
    kind: 'withdrawal',
    permission: 'withdrawal.review',
    screen: 'cfgl/txgl',
    query: { state: 'toDecide', sort: 'oldest' },
    count: countWaitingWithdrawals,
  },
  {
    kind: 'bankLine',
    permission: 'withdrawal.review',
    screen: 'cfgl/txgl',
    query: { part: 'bank', outcome: 'open' },
    count: countOpenLines,
  },
  {
    kind: 'prizeClaim',
    permission: 'lotteryRecord.review',
    screen: 'jygl/hgsh',
    query: { state: 'pending' },
    count: countPendingClaims,
  },
  {
    kind: 'prescription',
    permission: 'prescription.review',
    screen: 'jygl/cfcx',
    query: { part: 'review' },
    count: countPendingPrescriptions,
  },
  {
    kind: 'expired',
    permission: 'batch.write',
    screen: 'ypgl/ypqx',
    query: { standing: 'expired' },
    count: countExpired,
  },
  {
    kind: 'care',
    permission: 'careRecord.write',
    screen: 'ypgl/ypyh',
    query: { due: 'today' },
    count: countCareDue,
  },
  {
    kind: 'writeOff',
    permission: 'writeOff.write',
    screen: 'jxcgl/bs',
    query: { state: 'waiting' },
    count: countWaitingWriteOffs,
  },
  {
    kind: 'supplierReturn',
    permission: 'writeOff.write',
    screen: 'jxcgl/bs',
    query: { part: 'returns', state: 'draft' },
    count: countWaitingReturns,
  },
  {
    kind: 'stockCount',
    permission: 'stockCount.post',
    screen: 'kcpd/jqspkcpd',
    query: { part: 'counts', state: 'review' },
    count: countWaitingCounts,
  },
  {
    kind: 'machineCount',
    permission: 'stockCount.write',
    screen: 'kcpd/jqspkcpd',
    query: { part: 'counts', state: 'counting', scope: 'machine' },
    count: countAskedCounts,
  },
  {
    kind: 'visitStep',
    permission: 'visit.write',
    screen: 'jxcgl/bhd',
    query: { undecided: 'yes' },
    count: countUndecidedTours,
  },
  {
    kind: 'cashDifference',
    permission: 'cashCollection.decide',
    screen: 'cfgl/xjqd',
    query: { part: 'boxes', state: 'counted' },
    count: countCashToDecide,
  },
  {
    kind: 'cardApplication',
    permission: 'cardApplication.review',
    screen: 'hygl/sqbk',
    query: { state: 'submitted', sort: 'oldest' },
    count: countWaitingApplications,
  },
  {
    kind: 'libraryAddition',
    permission: 'library.review',
    screen: 'spgl/ptspk',
    query: { part: 'additions', waiting: 'yes' },
    count: countPendingAdditions,
  },
  {
    kind: 'feedback',
    permission: 'feedback.write',
    screen: 'shkf/wtfk',
    query: { state: 'toAnswer' },
    count: countWaitingFeedback,
  },
  {
    kind: 'customerCase',
    permission: 'feedback.write',
    screen: 'shkf/khfk',
    query: { state: 'toAnswer' },
    count: countWaitingCases,
  },
]

export async function pendingReviews(ctx: QueryContext): Promise<OutputOf<typeof getPendingReviews>> {
  const items = []
  for (const { kind, permission, screen, query, count } of sources) {
    if (isGranted(ctx.actor.grants, permission) && isShown(ctx.actor.grants, screen)) {
      items.push({ kind, screen, query, count: await count(ctx.db, sightOf(ctx.actor), ctx.now()) })
    }
  }
  return { items, total: items.reduce((sum, { count }) => sum + count, 0) }
}

/** Who can't see where it is decided is told nothing of it. */
const isShown = (grants: readonly string[], key: string): boolean => mayOpen(grants, screenOf(key).access)
