import { randomUUID } from 'node:crypto'
import { announce } from '../../kernel/announce'
import type { Tx } from '../../kernel/context'
import { TEMPERATURE_LOCK, watchBatch } from '../alarm/public'
import { isUnlawful, type MachineRef, type Outcome, type WrongPiece } from '../trade/public'
import { queueCommands } from './command.store'
import type { Incoming } from './decode'

type Worked = { machine: MachineRef; message: Incoming; occurredAt: Date; skewMs: number; outcome: Outcome | null }

/**
 * Opens and closes alarms by what was taken. A medicine cabinet that grew too warm is locked in the same transaction;
 * its machine is told too, since it may sell for cash without asking.
 */
export async function watch(tx: Tx, taken: readonly Worked[], wrong: readonly WrongPiece[]): Promise<void> {
  const now = taken[0]?.message.receivedAt
  if (!now) return
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
