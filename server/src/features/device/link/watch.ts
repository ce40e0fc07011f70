import { randomUUID } from 'node:crypto'
import { announce } from '../../../kernel/announce'
import { watchBatch } from '../../alarm/public'
import { TEMPERATURE_LOCK } from '../../fleet/public'
import { isUnlawful } from '../../trade/public'
import { queueCommands } from '../command/command.store'
import { isTaken, type Step } from './batch'

/**
 * Opens and closes alarms by what was taken. A medicine cabinet that grew too warm is locked in the same transaction;
 * its machine is told too, since it may sell for cash without asking.
 */
export const watch: Step = async (tx, { work, wrong, now }) => {
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
    wrong.map(({ machine, slot, product, orderNo, why }) => ({
      machineId: machine.id,
      merchantId: machine.merchantId,
      cause: isUnlawful(why) ? ('unlawful_sale' as const) : ('goods_differ' as const),
      slot,
      isTrue: true,
      delayMs: 0,
      facts: { why, product, order: orderNo },
      at: now,
    })),
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
