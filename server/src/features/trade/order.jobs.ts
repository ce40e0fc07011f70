import { announce } from '../../kernel/announce'
import type { Job } from '../../kernel/jobs'
import { sweepWaiting } from './vend.commands'

export const jobs: Job[] = [
  {
    name: 'trade.sweepWaiting',
    cron: '* * * * *',
    run: async ({ db, clock }) => {
      await db.transaction().execute(async (tx) => {
        const machineIds = await sweepWaiting(tx, clock.now())
        if (machineIds.length > 0) await announce(tx, { topic: 'orders', machineIds })
      })
    },
  },
]
