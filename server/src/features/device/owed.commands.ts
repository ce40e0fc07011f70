import { randomUUID } from 'node:crypto'
import { announce } from '../../kernel/announce'
import type { Tx } from '../../kernel/context'
import { cancelCommands, queueCommands } from './command.store'
import { settleEnded } from './ended'
import { findMissedOperations, findOwed, forgetTold, holdOwing, isOutdated, type Setting, settings } from './owed.store'

/**
 * Asks machines to go by what holds here, each setting by a command of its own and never by two at once: what nobody
 * has taken yet and holds no more is cancelled, what is under way is waited for, and what expired is queued anew.
 * @param machineIds those that have just come back; null: all
 */
export async function tellSettings(tx: Tx, machineIds: readonly number[] | null, now: Date): Promise<void> {
  const told: number[] = []
  for (const setting of settings) told.push(...(await tell(tx, setting, machineIds, now)))
  if (machineIds) told.push(...(await tellOperation(tx, machineIds, now)))
  if (told.length > 0) await announce(tx, { topic: 'commands', machineIds: [...new Set(told)] })
}

/** A stop or start that expired while its machine was away; whatever it answered is not asked again. */
async function tellOperation(tx: Tx, machineIds: readonly number[], now: Date): Promise<number[]> {
  const missed = await findMissedOperations(tx, machineIds)
  const commands = missed.map(({ id, ...command }) => ({
    ...command,
    id: randomUUID(),
    machineId: id,
    data: {},
    createdBy: null,
  }))
  await queueCommands(tx, commands, now)
  return missed.map(({ id }) => id)
}

async function tell(tx: Tx, setting: Setting, which: readonly number[] | null, now: Date): Promise<number[]> {
  const owing = await holdOwing(tx, setting, which)
  if (owing.length === 0) return []
  const outdated = await cancelCommands(tx, isOutdated(setting, owing), now)
  await settleEnded(tx, outdated, now)
  // What was sent may have been heard, and done before its end was told.
  await forgetTold(
    tx,
    setting,
    outdated.map(({ machineId }) => machineId),
  )
  const owed = await findOwed(tx, setting, owing, now)
  const commands = owed.map(({ id, merchantId, data }) => ({
    id: randomUUID(),
    merchantId,
    machineId: id,
    type: setting.type,
    data,
    reason: null,
    createdBy: null,
  }))
  await queueCommands(tx, commands, now)
  return owed.map(({ id }) => id)
}
