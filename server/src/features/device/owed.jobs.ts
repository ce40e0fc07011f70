import { randomUUID } from 'node:crypto'
import type { Thermostat } from '@aisle/contract/fleet/thermostat'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Job } from '../../kernel/jobs'
import { TELL_THERMOSTATS } from '../fleet/public'
import { queueCommands } from './command.store'

type Owed = { id: number; merchantId: number; thermostat: Thermostat }

export const jobs: Job[] = [
  {
    // After the commit of whoever set it, by whichever way: form, copy or import.
    name: TELL_THERMOSTATS,
    run: async ({ db, clock }) => {
      await db.transaction().execute(async (tx) => {
        const owed = await sql<Owed>`update machine set thermostat_told = thermostat
          where thermostat is distinct from thermostat_told and thermostat is not null and retired_at is null
          returning id, merchant_id as "merchantId", thermostat`.execute(tx)
        const commands = owed.rows.map(({ id, merchantId, thermostat }) => ({
          id: randomUUID(),
          merchantId,
          machineId: id,
          type: 'set_thermostat' as const,
          data: { ...thermostat },
          reason: null,
          createdBy: null,
        }))
        if (commands.length === 0) return
        await queueCommands(tx, commands, clock.now())
        await announce(tx, { topic: 'commands', machineIds: owed.rows.map(({ id }) => id) })
      })
    },
  },
]
