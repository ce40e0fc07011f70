import { batchState } from '@aisle/contract/settlement/states'
import { settlementConfirmDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { settingOf } from '../../../kernel/settings'
import { statesFrom } from '../../../kernel/states'
import { batches, waitingDisputes } from './batch.store'

export const jobs: Job[] = [{ name: 'settlement.lapse', cron: '15 * * * *', run: lapse }]

const AT_ONCE = 1_000

/**
 * What a merchant said nothing about for the days of the setting counts as confirmed, unless an order of it waits for
 * an answer. May run twice: what has lapsed is open no more.
 */
export async function lapse({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const days = await settingOf(db, settlementConfirmDays, null)
  for (;;) {
    const lapsed = await db.transaction().execute((tx) =>
      batches.moveAll(
        tx,
        sql`id in (select s.id from settlement s
          where s.state in ${statesFrom(batchState, 'lapse')}
            and s.posted_at < ${now}::timestamptz - make_interval(days => ${days})
            and ${waitingDisputes} = 0 order by s.posted_at limit ${sql.lit(AT_ONCE)} for update skip locked)`,
        'lapse',
        { confirmedAt: now },
      ),
    )
    if (lapsed.length < AT_ONCE) return
  }
}
