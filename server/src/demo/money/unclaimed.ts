import { refundUnclaimed } from '@aisle/contract/refund/unclaimed'
import { takeUnclaimedAnswer } from '../../features/refund/unclaimed.send'
import { keepUnclaimed } from '../../features/refund/unclaimed.store'
import { HOUR_MS } from '../calendar'
import { unclaimedStory } from '../data/unclaimed'
import type { Past } from '../life/within'
import { channelNoOf, refundNoOf } from './channelNumbers'

/**
 * Money that providers told of under numbers that no order of ours was asked for by; its bills have it as well. People
 * decide what becomes of it, and the channel answers.
 */
export async function haveUnclaimed({ as, at, idOf, latestMs, services, tx }: Past): Promise<void> {
  for (const { merchant, provider, no, fen, hoursAgo, state, reason = '' } of unclaimedStory.toReversed()) {
    const paidMs = latestMs - hoursAgo * HOUR_MS
    const money = { provider, channelNo: channelNoOf(provider, no, paidMs), attemptNo: no, amountFen: fen }
    const providerAccountId = idOf('provider', `${merchant}/${provider}`)
    const kept = { ...money, providerAccountId, paidAt: new Date(paidMs), cause: 'unknown_number' as const }
    await keepUnclaimed(tx, kept, new Date(paidMs + 2_000))
    if (state === 'open') continue
    const found = tx.selectFrom('unclaimedPayment').select('id').where('attemptNo', '=', no)
    const { id } = await found.executeTakeFirstOrThrow()
    at(paidMs + 3 * HOUR_MS)
    await as('deputy', refundUnclaimed, { id, reason })
    if (state === 'asked') continue
    at(paidMs + 18 * HOUR_MS)
    const isBack = state === 'refunded'
    const answer = isBack ? { outcome: state, channelRefundNo: refundNoOf(no, paidMs), code: 'SUCCESS' } : notEnough
    await takeUnclaimedAnswer(services, { id }, answer)
  }
}

/** Then it waits for a person. */
const notEnough = { outcome: 'needs_handling', channelRefundNo: null, code: 'NOT_ENOUGH' } as const
