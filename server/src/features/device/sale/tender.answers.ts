import type { CardAnswer, PickupAnswer } from '@aisle/contract/device/messages'
import { businessTime } from '../../../kernel/businessDay'
import { type CheckedCard, checkCards } from '../../member/public'
import { type CheckedCode, checkCodes } from '../../pickup/public'
import { heardOf, type Step } from '../link/batch'

/** What the pick-up codes give that customers have typed in. */
export const answerCodes: Step = async (tx, batch) => {
  const asks = heardOf(batch, 'pickup.check').map(({ msgId, machine, data }) => ({ msgId, machine, code: data.code }))
  for (const [{ msgId, machine }, check] of await checkCodes(tx, asks, batch)) {
    batch.replies.push({ machineCode: machine.code, answer: { msgId, ...codeSaid(check) } })
  }
}

function codeSaid(check: CheckedCode): Said<PickupAnswer> {
  if (check.refused !== null) return { refused: check.refused }
  const { content, pickupsLeft, expiresAt } = check
  return { content, pickupsLeft, expiresAt: expiresAt.toISOString() }
}

/** What the cards may still pay that customers hold to the reader. */
export const answerCards: Step = async (tx, batch) => {
  const asks = heardOf(batch, 'card.check').map(({ msgId, machine, data, receivedAt, occurredAt }) => {
    const businessDay = businessTime(occurredAt, machine.timeZone).day
    return { msgId, machine, code: data.code, businessDay, receivedAt }
  })
  for (const [{ msgId, machine }, check] of await checkCards(tx, asks)) {
    batch.replies.push({ machineCode: machine.code, answer: { msgId, ...cardSaid(check) } })
  }
}

function cardSaid(check: CheckedCard): Said<CardAnswer> {
  if (check.refused !== null) return { refused: check.refused }
  const { balanceFen, giftFen, mostFen } = check
  return { balanceFen, giftFen, mostFen }
}

type Said<A> = A extends unknown ? Omit<A, 'msgId'> : never
