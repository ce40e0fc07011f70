import type { CardAnswer, MessageData, PickupAnswer } from '@aisle/contract/device/messages'
import { businessTime } from '../../kernel/businessDay'
import type { AuthKeys, Tx } from '../../kernel/context'
import { checkCards } from '../member/public'
import { checkCodes } from '../pickup/public'
import type { Reported } from '../trade/public'

type Asked<T extends 'pickup.check' | 'card.check'> = { msgId: string; report: Reported<MessageData<T>> }
type Reply<A> = { machineCode: string; answer: A }

/** What the pick-up codes give that customers have typed in. */
export async function answerCodes(
  tx: Tx,
  asked: readonly Asked<'pickup.check'>[],
  keys: AuthKeys,
): Promise<Reply<PickupAnswer>[]> {
  const [first] = asked
  if (!first) return []
  const asks = asked.map(({ report: { machine, data } }) => ({ machine, code: data.code }))
  const checks = await checkCodes(tx, asks, { keys, now: first.report.receivedAt })
  return asked.flatMap(({ msgId, report: { machine } }, i): Reply<PickupAnswer>[] => {
    const check = checks[i]
    if (!check) return []
    const { code: machineCode } = machine
    if (check.refused !== null) return [{ machineCode, answer: { msgId, refused: check.refused } }]
    const { content, pickupsLeft, expiresAt } = check
    return [{ machineCode, answer: { msgId, content, pickupsLeft, expiresAt: expiresAt.toISOString() } }]
  })
}

/** What the cards may still pay that customers hold to the reader. */
export async function answerCards(tx: Tx, asked: readonly Asked<'card.check'>[]): Promise<Reply<CardAnswer>[]> {
  const checks = await checkCards(
    tx,
    asked.map(({ report: { machine, data, receivedAt, occurredAt } }) => ({
      machine,
      code: data.code,
      businessDay: businessTime(occurredAt, machine.timeZone).day,
      receivedAt,
    })),
  )
  return asked.flatMap(({ msgId, report: { machine } }, i): Reply<CardAnswer>[] => {
    const check = checks[i]
    if (!check) return []
    const { code: machineCode } = machine
    if (check.refused !== null) return [{ machineCode, answer: { msgId, refused: check.refused } }]
    const { balanceFen, giftFen, mostFen } = check
    return [{ machineCode, answer: { msgId, balanceFen, giftFen, mostFen } }]
  })
}
