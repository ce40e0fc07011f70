import type { CustomerHeld } from '@aisle/contract/support/customer'
import { customerPayBack } from '@aisle/contract/system/settings'
import type { Tx } from '../../../kernel/context'
import { settingOf } from '../../../kernel/settings'
import { sendDue } from '../../refund/public'
import { cases, countCases, type Held, keepJudgement } from './customer.store'
import { type Claim, isAmountOf, judged, likely } from './match.rules'
import { ordersNear } from './order.store'
import { heldBecause, MACHINE_WITHIN_MS, PHONE_WITHIN_MS } from './payBack.rules'

/**
 * Which order a case is about, as far as the facts say, and its money back where they leave no doubt. The caller has
 * the turn at the machine and of the number, so that an order is claimed and paid back once, and counts hold.
 */
export async function judge(tx: Tx, held: Held, now: Date): Promise<void> {
  const found = judged(claimOf(held), await ordersNear(tx, held, held.happenedAt))
  const best = likely(found)
  if (best?.isBack && isAmountOf(claimOf(held), best)) {
    await keepJudgement(tx, held.id, { ...best, held: null })
    await toldPaidBack(tx, held, now)
    return
  }
  const limitFen = await settingOf(tx, customerPayBack, held.merchantId)
  const since = (ms: number) => new Date(held.createdAt.getTime() - ms)
  const counts = await countCases(tx, held, {
    ofPhone: since(PHONE_WITHIN_MS),
    atMachine: since(MACHINE_WITHIN_MS),
  })
  const why = heldBecause(claimOf(held), best, found, { limitFen, ...counts })
  const isSent = best !== undefined && why === null && (await sendDue(tx, best.orderId, limitFen, now))
  const because: CustomerHeld | null = isSent ? null : (why ?? 'noChannel')
  const kept = best ?? { orderId: null, sureness: null, evidence: [] }
  await keepJudgement(tx, held.id, { ...kept, held: because })
  if (isSent) await toldPaidBack(tx, held, now)
}

export const claimOf = ({ kind, amountFen, happenedAt, goods }: Held): Claim => ({
  kind,
  amountFen,
  atMs: happenedAt.getTime(),
  goods,
})

/** Its order's money is with the customer, or on its way. */
export const toldPaidBack = (tx: Tx, held: Held, now: Date) =>
  cases.move(tx, held, 'payBack', { dueAt: null, closedAt: now })
