import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Job } from '../../kernel/jobs'
import { expireCommands, findWaiting } from './command/command.store'
import { settleEnded } from './command/ended'
import { tellOperations } from './sale/owed.commands'
import { TELL_RECALL } from '../medicine/public'
import { FREE_SLOTS } from '../stock/public'
import { freeSlots } from './command/free.commands'
import { tellRecall } from './command/recall.commands'
import { moveWaves } from './command/rollout.moves'

export const jobs: Job[] = [
  {
    name: 'device.expireCommands',
    cron: '* * * * *',
    run: async ({ db, clock }) => {
      await db.transaction().execute(async (tx) => {
        const ended = await expireCommands(tx, clock.now())
        await settleEnded(tx, ended, clock.now())
        await tellOperations(tx, null, clock.now())
      })
      // What was announced while no gateway listened, or could not be sent, is announced again.
      const machineIds = await findWaiting(db)
      if (machineIds.length > 0) await announce(db, { topic: 'commands', machineIds })
    },
  },
  { name: TELL_RECALL, run: (services, { recallId }) => tellRecall(services, Number(recallId)) },
  {
    name: FREE_SLOTS,
    run: (services, { placeIds }) => freeSlots(services, String(placeIds).split(',').map(Number)),
  },
  { name: 'device.moveWaves', cron: '* * * * *', run: moveWaves },
  {
    // Machines resend for days, not months; orders keep their numbers for good all the same.
    name: 'device.forgetMessages',
    cron: '20 19 * * *',
    run: async ({ db, clock }) => {
      const limit = new Date(clock.now().getTime() - 100 * 86_400_000)
      await sql`delete from device_message where received_at < ${limit}`.execute(db)
      await sql`delete from device_command where created_at < ${limit}`.execute(db)
      await sql`delete from machine_ad_day where business_day < ${limit}::date`.execute(db)
      const week = new Date(clock.now().getTime() - 7 * 86_400_000)
      await sql`delete from machine_log where at < ${week}`.execute(db)
    },
  },
]
