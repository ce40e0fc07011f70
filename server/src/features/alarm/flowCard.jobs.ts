import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { flowTroubles } from '../fleet/public'
import { clearAlarms, raiseAlarms } from './public'

const causes = ['flow_limit', 'flow_card_expiry'] as const

/** Once an hour: use adds up slowly, and a card ends with a day. */
export const jobs: Job[] = [{ name: 'alarm.watchFlowCards', cron: '7 * * * *', run: watchFlowCards }]

/** Alarms of data cards follow what holds now: new ones open, those whose cause has gone close. */
export async function watchFlowCards({ db, clock }: Services): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const troubles = await flowTroubles(tx, at)
    const lasting = new Set(troubles.map(({ machineId, cause }) => `${machineId}/${cause}`))
    const open = await sql<{ machineId: number; cause: (typeof causes)[number] }>`
      select machine_id as "machineId", cause from alarm
      where cause = any(${[...causes]}::text[]) and state <> 'closed' order by machine_id`.execute(tx)
    const over = open.rows.filter(({ machineId, cause }) => !lasting.has(`${machineId}/${cause}`))
    await clearAlarms(
      tx,
      over.map((each) => ({ ...each, at })),
    )
    await raiseAlarms(
      tx,
      troubles.map((each) => ({ ...each, at })),
    )
  })
}
