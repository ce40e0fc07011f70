import { randomUUID } from 'node:crypto'
import type { CommandType } from '@aisle/contract/device/commands'
import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Tx } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { TELL_SETTINGS } from '../fleet/public'
import { queueCommands } from './command.store'

type Owed = { id: number; merchantId: number; data: Record<string, unknown> }

/** What of a machine's settings was changed since it was told, each by a command of its own. */
const settings: readonly { type: CommandType; changed: RawBuilder<Owed> }[] = [
  {
    type: 'set_thermostat',
    changed: sql<Owed>`update machine set thermostat_told = thermostat
      where thermostat is distinct from thermostat_told and thermostat is not null and retired_at is null
      returning id, merchant_id as "merchantId", thermostat as data`,
  },
  {
    type: 'set_license_mode',
    changed: sql<Owed>`update machine set licence_mode_told = licence_mode
      where licence_mode <> licence_mode_told and retired_at is null
      returning id, merchant_id as "merchantId", json_build_object('mode', licence_mode) as data`,
  },
]

async function tell(tx: Tx, now: Date): Promise<void> {
  const told: number[] = []
  for (const { type, changed } of settings) {
    const owed = await changed.execute(tx)
    const commands = owed.rows.map(({ id, merchantId, data }) => ({
      id: randomUUID(),
      merchantId,
      machineId: id,
      type,
      data,
      reason: null,
      createdBy: null,
    }))
    if (commands.length > 0) await queueCommands(tx, commands, now)
    told.push(...owed.rows.map(({ id }) => id))
  }
  if (told.length > 0) await announce(tx, { topic: 'commands', machineIds: [...new Set(told)] })
}

export const jobs: Job[] = [
  {
    // After the commit of whoever set it, by whichever way: form, copy or import.
    name: TELL_SETTINGS,
    run: ({ db, clock }) => db.transaction().execute((tx) => tell(tx, clock.now())),
  },
]
