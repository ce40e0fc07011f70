import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { Job } from '../../../kernel/jobs'
import { silentSince } from './machine.seen'

export const jobs: Job[] = [
  {
    // A machine that lost its power says nothing: that it is silent is noted here, for the order of the lists.
    name: 'fleet.noteSilence',
    cron: '* * * * *',
    run: async ({ db, clock }) => {
      const silent = await sql<{ id: number }>`update machine_state set is_connected = false
        where is_connected and last_seen_at <= ${silentSince(clock.now())} returning machine_id as id`.execute(db)
      const machineIds = silent.rows.map(({ id }) => id)
      if (machineIds.length > 0) await announce(db, { topic: 'machines', machineIds })
    },
  },
]
