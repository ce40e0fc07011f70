import { randomUUID } from 'node:crypto'
import { announce } from '../../../kernel/announce'
import { watchBatch } from '../../alarm/public'
import { TEMPERATURE_LOCK } from '../../fleet/public'
import type { FilledFault } from '../../medicine/public'
import { isUnlawful, type WrongPiece } from '../../trade/public'
import { queueCommands } from '../command/command.store'
import { isTaken, type Step } from './batch'

const causeOf = (why: WrongPiece['why']) => {
  if (why === 'traceSoldTwice') return 'sold_twice' as const
  return isUnlawful(why) ? ('unlawful_sale' as const) : ('goods_differ' as const)
}

const wrongSign = ({ machine, slot, product, orderNo, why, twice }: WrongPiece, at: Date) => ({
  machineId: machine.id,
  merchantId: machine.merchantId,
  cause: causeOf(why),
  slot,
  isTrue: true,
  delayMs: 0,
  facts: { why, product, order: orderNo, ...twice },
  at,
})

/** Both causes, so that the next fill closes what it has mended. */
const fillSigns = ({ machineId, merchantId, slot, product, fault, at }: FilledFault) =>
  (['batch_order', 'batch_mixed'] as const).map((cause) => {
    const { cause: is = null, ...facts } = fault ?? {}
    const isTrue = is === cause
    return { machineId, merchantId, cause, slot, isTrue, delayMs: 0, facts: isTrue ? { product, ...facts } : {}, at }
  })

/**
 * Opens and closes alarms by what was taken. A medicine cabinet that grew too warm is locked in the same transaction;
 * its machine is told too, since it may sell for cash without asking.
 */
export const watch: Step = async (tx, { work, wrong, filled, now }) => {
  const taken = work.filter(isTaken)
  if (taken.length === 0) return
  const stopped = await watchBatch(
    tx,
    taken.map(({ machine, message, occurredAt, skewMs }) => ({
      machineId: machine.id,
      merchantId: machine.merchantId,
      type: message.type,
      data: message.data as Record<string, unknown>,
      occurredAt,
      receivedAt: message.receivedAt,
      skewMs,
    })),
    [...wrong.map((piece) => wrongSign(piece, now)), ...filled.flatMap(fillSigns)],
  )
  if (stopped.length === 0) return
  const commands = stopped.map(({ machineId, merchantId, slots }) => ({
    id: randomUUID(),
    merchantId,
    machineId,
    type: 'lock_slot' as const,
    data: { slots },
    reason: TEMPERATURE_LOCK,
    createdBy: null,
  }))
  await queueCommands(tx, commands, now)
  await announce(tx, { topic: 'commands', machineIds: stopped.map(({ machineId }) => machineId) })
}
