import { refundUnclaimed } from '@aisle/contract/refund/unclaimed'
import type { Provider } from '@aisle/contract/payment/states'
import { takeUnclaimedAnswer } from '../../features/refund/unclaimed.send'
import { keepUnclaimed } from '../../features/refund/unclaimed.store'
import { HOUR_MS } from '../calendar'
import { unclaimedStory } from '../data/unclaimed'
import type { Past } from '../life/within'
import { idOf, type Ids } from '../people/people'
import { seedOf } from '../random'

/**
 * Money that providers told of under numbers that no order of ours was asked for by; its bills have it as well. People
 * decide what becomes of it, and the channel answers.
 */
export async function haveUnclaimed({ as, at, latestMs, services, tx }: Past, merchants: Ids): Promise<void> {
  for (const { merchant, provider, no, fen, hoursAgo, state, reason = '' } of unclaimedStory.toReversed()) {
    const paidMs = latestMs - hoursAgo * HOUR_MS
    const account = await tx
      .selectFrom('providerAccount')
      .select('id')
      .where('merchantId', '=', idOf(merchants, merchant))
      .where('provider', '=', provider)
      .executeTakeFirstOrThrow()
    const money = { provider, channelNo: channelNoOf(provider, no, paidMs), attemptNo: no, amountFen: fen }
    const kept = { ...money, providerAccountId: account.id, paidAt: new Date(paidMs), cause: 'unknown_number' as const }
    await keepUnclaimed(tx, kept, new Date(paidMs + 2_000))
    if (state === 'open') continue
    const found = tx.selectFrom('unclaimedPayment').select('id').where('attemptNo', '=', no)
    const { id } = await found.executeTakeFirstOrThrow()
    at(paidMs + 3 * HOUR_MS)
    await as('deputy', refundUnclaimed, { id, reason })
    if (state === 'asked') continue
    at(paidMs + 18 * HOUR_MS)
    const channelRefundNo = `5030${dayOf(paidMs)}${String(id).padStart(12, '0')}`
    const isBack = state === 'refunded'
    const answer = isBack ? { outcome: state, channelRefundNo, code: 'SUCCESS' } : notEnough
    await takeUnclaimedAnswer(services, { id }, answer)
  }
}

/** Then it waits for a person. */
const notEnough = { outcome: 'needs_handling', channelRefundNo: null, code: 'NOT_ENOUGH' } as const

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')

/** As long as the channels' own numbers of a payment, and the same at every seeding. */
const channelNoOf = (provider: Provider, no: string, paidMs: number): string => {
  const own = String(seedOf(no) % 1_000_000_000).padStart(15, '0')
  return provider === 'wechat' ? `42000${dayOf(paidMs)}${own}` : `${dayOf(paidMs)}2200${own}`
}
