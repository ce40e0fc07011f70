import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { commitSeeds, revealSeeds, type Wanted } from './series.store'

export const jobs: Job[] = [{ name: 'lottery.seeds', cron: '*/5 * * * *', run: turnSeeds }]

/** Seeds of today and tomorrow stand committed before anybody plays on them; those of days that are over are shown. */
export async function turnSeeds({ db, clock, keys }: Services): Promise<void> {
  const now = clock.now()
  const open = await sql<Wanted>`
    select m.merchant_id as "merchantId", m.id as "machineId", to_char(day, 'YYYY-MM-DD') as "businessDay"
    from machine m join merchant c on c.id = m.merchant_id
    cross join lateral (select (${now}::timestamptz at time zone m.time_zone)::date + ahead as day
      from generate_series(0, 1) ahead) days
    where m.lottery_permille > 0 and c.has_high_go and not exists (select 1 from lottery_series s
      where s.machine_id = m.id and s.business_day = day)`.execute(db)
  await db.transaction().execute(async (tx) => {
    await commitSeeds(tx, keys, open.rows, now)
    await revealSeeds(tx, keys, now)
  })
}
