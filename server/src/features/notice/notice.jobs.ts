import { notificationState } from '@aisle/contract/notice/notice'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { DELIVER } from '../../kernel/outbox'
import { deliver } from './deliver'
import { SEND } from './notice.commands'
import { sendNotice } from './notice.send'

/** What `addJob` asks for at once, and a sweep for what is due by time or was left by a server that stopped. */
export const jobs: Job[] = [
  { name: DELIVER, run: deliver },
  { name: SEND, run: (services, { id }) => sendNotice(services, Number(id)) },
  { name: 'notice.sweep', cron: '* * * * *', run: sweep },
]

async function sweep(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await sql`update notification set state = ${notificationState.to('publish')}, published_at = ${now}
    where state = 'scheduled' and scheduled_at <= ${now}`.execute(db)
  const left = await sql<{ id: number }>`select id from notification where state = 'sending' order by id`.execute(db)
  for (const { id } of left.rows) await sendNotice(services, id)
  await deliver(services)
}
