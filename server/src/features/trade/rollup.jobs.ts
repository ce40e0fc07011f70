import { sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Job } from '../../kernel/jobs'

/** By then a day is over everywhere; what comes later is added to the day and to what was made of it. */
const SETTLED_DAYS = 1

export const jobs: Job[] = [
  {
    name: 'trade.foldRollups',
    cron: '35 19 * * *',
    run: async ({ db, clock }) => {
      const until = addDays(businessTime(clock.now(), PLATFORM_TIME_ZONE).day, -SETTLED_DAYS)
      await sql`select fold_rollups(${until}::date)`.execute(db)
    },
  },
]
