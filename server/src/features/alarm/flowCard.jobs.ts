import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { flowTroubles } from '../fleet/public'
import { holdAlarms } from './alarm.store'

const causes = ['flow_limit', 'flow_card_expiry'] as const

/** Once an hour: use adds up slowly, and a card ends with a day. */
export const jobs: Job[] = [{ name: 'alarm.watchFlowCards', cron: '7 * * * *', run: watchFlowCards }]

/** Alarms of data cards follow what holds now: new ones open, those whose cause has gone close. */
export async function watchFlowCards({ db, clock }: Services): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => holdAlarms(tx, causes, await flowTroubles(tx, at), at))
}
