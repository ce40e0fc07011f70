import type { Language } from '@aisle/contract/kernel/text'
import { notificationState } from '@aisle/contract/notice/notice'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { DELIVER } from '../../kernel/outbox'
import { takeNews, TELL_ALARMS } from '../alarm/public'
import { expiryNews, NOTICE_RECALL, takeRecallNews } from '../medicine/public'
import { takeToldRefunds, TELL_REFUNDS } from '../refund/public'
import { word } from '../../kernel/words'
import { tellCustomers } from './customer.commands'
import { deliver } from './deliver'
import { SEND } from './notice.commands'
import { sendNotice } from './notice.send'
import { notify } from './notify.commands'

/** What `addJob` asks for at once, and a sweep for what is due by time or was left by a server that stopped. */
export const jobs: Job[] = [
  { name: DELIVER, run: deliver },
  { name: SEND, run: (services, { id }) => sendNotice(services, Number(id)) },
  { name: TELL_ALARMS, cron: '* * * * *', run: tellAlarms },
  { name: TELL_REFUNDS, cron: '* * * * *', run: tellRefunds },
  { name: NOTICE_RECALL, run: (services, { recallId }) => tellKeepers(services, Number(recallId)) },
  { name: 'notice.tellExpiry', cron: '0 23 * * *', run: tellExpiry },
  { name: 'notice.tellCustomers', cron: '* * * * *', run: tellCustomers },
  { name: 'notice.sweep', cron: '* * * * *', run: sweep },
]

/** Who is told of a machine's alarm, and how, say the push settings of its merchant. */
async function tellAlarms({ db, clock }: Services): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    for (const { id, merchantId, isStock, varsIn } of await takeNews(tx, at)) {
      const type = isStock ? 'alarm.stock' : 'alarm.machine'
      await notify(tx, {
        type,
        merchantId,
        vars: varsIn,
        reference: `alarm/${id}/${at.toISOString()}`,
        at,
      })
    }
  })
}

/** No channel can pay these: who may pay back by hand is told, many of a minute in one message. */
async function tellRefunds({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    for (const { merchantId, id, varsIn } of await takeToldRefunds(tx, now)) {
      await notify(tx, {
        type: 'refund.needsHandling',
        merchantId,
        vars: varsIn,
        right: 'refund.payBack',
        reference: `refund/${id}/${now.toISOString()}`,
        at: now,
      })
    }
  })
}

/** At seven in China: who may stop a batch hears what has expired and what soon will, once a day. */
export async function tellExpiry({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    for (const { merchantId, day, expired, soon } of await expiryNews(tx, now)) {
      const vars = { expired: String(expired), soon: String(soon) }
      const reference = `batch.expiry/${merchantId}/${day}`
      await notify(tx, { type: 'batch.expiry', merchantId, vars, right: 'batch.write', reference, at: now })
    }
  })
}

/** Whoever keeps some of it is told where and how much, once; in the transaction that notes that they are told. */
export async function tellKeepers({ db, clock }: Services, recallId: number): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const recall = await takeRecallNews(tx, recallId, at)
    if (!recall) return
    const { no, number: batch, productName: product, isDrill, dueOn: due, keepers } = recall
    for (const { merchantId, count, pieces, places, keeperIds } of keepers) {
      const named = places.map((place) => `${place.name} × ${place.pieces}`)
      const rest = count > places.length ? [`+${count - places.length}`] : []
      const told = { no, batch, product, due, pieces: String(pieces), places: [...named, ...rest].join('; ') }
      const kind = isDrill ? 'recall.told.drill' : 'recall.told.real'
      const vars = (language: Language) => ({ ...told, kind: word(language, 'medicine', kind) })
      const news = { type: 'recall.pull', merchantId, vars, reference: `recall/${recallId}/${merchantId}`, at }
      await notify(tx, { ...news, right: 'recall.pull' })
      if (keeperIds.length > 0) await notify(tx, { ...news, userIds: keeperIds })
    }
  })
}

async function sweep(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await sql`update notification set state = ${notificationState.to('publish')}, published_at = ${now}
    where state = 'scheduled' and scheduled_at <= ${now}`.execute(db)
  const left = await sql<{ id: number }>`select id from notification where state = 'sending' order by id`.execute(db)
  for (const { id } of left.rows) await sendNotice(services, id)
  await deliver(services)
}
