import { randomUUID } from 'node:crypto'
import { announce } from '../../../kernel/announce'
import type { Tx } from '../../../kernel/context'
import { cancelCommands, queueCommands } from '../command/command.store'
import { forgetSettings } from '../../fleet/public'
import { settleEnded } from '../command/ended'
import { findOwedOperations } from '../command/operation.store'
import { AGAIN_AFTER_MS, findOwed, holdOwing, isOutdated, type Setting, settings } from './owed.store'

/**
 * Asks machines to go by what holds here, each setting by a command of its own and never by two at once: what nobody
 * has taken yet and holds no more is cancelled, what is under way is waited for, and what expired is queued anew.
 * @param machineIds those that have just come back; null: all
 */
export async function tellSettings(tx: Tx, machineIds: readonly number[] | null, now: Date): Promise<void> {
  const told: number[] = []
  for (const setting of settings) told.push(...(await tell(tx, setting, machineIds, now)))
  if (told.length > 0) await announce(tx, { topic: 'commands', machineIds: [...new Set(told)] })
  if (machineIds) await tellOperations(tx, machineIds, now)
}

/**
 * A stop or start that its machine does not go by and that is not on its way: it expired, its merchant was stopped, the
 * machine came back from the workshop. What it refused or failed at is not asked again within the hour.
 * @param machineIds those that have just come back; null: all that are connected
 */
export async function tellOperations(tx: Tx, machineIds: readonly number[] | null, now: Date): Promise<void> {
  const owed = await findOwedOperations(tx, machineIds, new Date(now.getTime() - AGAIN_AFTER_MS))
  if (owed.length === 0) return
  const commands = owed.map(({ id, ...command }) => ({
    ...command,
    id: randomUUID(),
    machineId: id,
    data: {},
    createdBy: null,
  }))
  await queueCommands(tx, commands, now)
  await announce(tx, { topic: 'commands', machineIds: owed.map(({ id }) => id) })
}

async function tell(tx: Tx, setting: Setting, which: readonly number[] | null, now: Date): Promise<number[]> {
  const owing = await holdOwing(tx, setting, which)
  if (owing.length === 0) return []
  const outdated = await cancelCommands(tx, isOutdated(setting, owing), now)
  await settleEnded(tx, outdated, now)
  // What was sent may have been heard, and done before its end was told.
  await forgetSettings(
    tx,
    setting.told,
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
