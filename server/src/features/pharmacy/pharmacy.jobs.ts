import { prescriptionState } from '@aisle/contract/pharmacy/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { forgetTakes } from './limit.store'
import { statesFrom } from '../../kernel/states'

export const jobs: Job[] = [
  { name: 'pharmacy.expire', cron: '*/5 * * * *', run: expirePrescriptions },
  {
    name: 'pharmacy.forget',
    cron: '20 3 * * *',
    run: async ({ db, clock }) => void (await forgetTakes(db, clock.now())),
  },
]

/** A use asks the time itself; this makes lists and figures say so. */
export async function expirePrescriptions({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const ended = await sql<{ id: number; merchant_id: number }>`
      with due as (select id from prescription
        where expires_at <= ${now} and state in ${statesFrom(prescriptionState, 'expire')}
          and state = any(${prescriptionState.from('expire')}::text[])
        order by id limit 5000 for update skip locked),
      ended as (update prescription p set state = ${prescriptionState.to('expire')}, version = version + 1
        from due where p.id = due.id returning p.id, p.merchant_id),
      told as (insert into prescription_event (prescription_id, verb, at) select id, 'expire', ${now} from ended)
      select id, merchant_id from ended`.execute(tx)
    if (ended.rows.length === 0) return
    const merchantIds = [...new Set(ended.rows.map((row) => row.merchant_id))]
    await announce(tx, { topic: 'changes', kinds: ['prescription'], merchantIds, above: [] })
  })
}
