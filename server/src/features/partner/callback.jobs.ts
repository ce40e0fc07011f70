import { callbackState } from '@aisle/contract/partner/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Reader, Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { unseal } from '../../kernel/seal'
import { call, type Heard } from '../../kernel/callOut'
import { isHeard, nextTryAt } from './callback.rules'
import { signatureOf } from '../events/public'
import { shipmentById } from './open.reads'

export const CALL_BACK = 'partner.call'

/** Asked for with each end of a requested order; the sweep takes what is due by time. */
export const jobs: Job[] = [
  { name: CALL_BACK, run: (services) => callBack(services) },
  {
    name: 'partner.sweep',
    cron: '* * * * *',
    run: (services) => callBack(services),
  },
]

type Due = {
  id: number
  requestId: number
  machineId: number
  eventId: string
  event: string
  body: string | null
  tries: number
  /** Null where it was taken away since. */
  path: string | null
  configId: number
  secret: Buffer | null
}

/** Another process must not say it at the same time; if this one dies, it is said again after that. */
const TAKEN_FOR_MS = 60_000
const AT_ONCE = 20

/** Tells other programs what came of their shipments. The call itself (`say`) stands in no transaction. */
export async function callBack(services: Services, say = call): Promise<void> {
  const { db, clock } = services
  for (;;) {
    const due = await take(db, clock.now())
    await Promise.all(due.map((each) => callOne(services, each, say)))
    if (due.length < AT_ONCE) return
  }
}

async function take(db: Reader, now: Date): Promise<Due[]> {
  const taken = await sql<Due>`
    update partner_callback k set next_try_at = ${new Date(now.getTime() + TAKEN_FOR_MS)}, tries = k.tries + 1
    from partner_request r join integration_config c on c.id = r.config_id
    where r.id = k.request_id and k.id in (
      select id from partner_callback where state = 'waiting' and next_try_at <= ${now}
      order by next_try_at limit ${sql.lit(AT_ONCE)} for update skip locked)
    returning k.id, r.id as "requestId", r.machine_id as "machineId", k.event_id as "eventId", k.event, k.body, k.tries,
      c.path, c.id as "configId", c.secret`.execute(db)
  return taken.rows
}

async function callOne(services: Services, due: Due, say: typeof call): Promise<void> {
  const { db, clock, keys } = services
  const path = due.path ?? ''
  const body = due.body ?? (await bodyOf(db, due))
  const at = clock.now()
  const secret = due.secret && unseal(keys, `integration:${due.configId}`, due.secret)
  const heard: Heard = secret
    ? await say(path, { headers: headersOf(due, { secret, body, at }), body })
    : { status: null, problem: 'secret', answer: '', durationMs: 0 }
  const isDone = isHeard(heard.status)
  const next = isDone ? null : nextTryAt(due.tries, at)
  const state = isDone ? callbackState.to('deliver') : next ? callbackState.initial : callbackState.to('giveUp')
  await db.transaction().execute(async (tx) => {
    await sql`insert into partner_try (callback_id, at, address, status, problem, answer, duration_ms, user_id)
      select id, ${at}, ${path}, ${heard.status}::int, ${heard.problem}::text, ${storable(heard.answer)},
        ${heard.durationMs}, asked_by from partner_callback where id = ${due.id}`.execute(tx)
    await sql`update partner_callback set state = ${state}, body = ${body}, next_try_at = ${next},
      delivered_at = ${isDone ? at : null} where id = ${due.id} and state = 'waiting'`.execute(tx)
    await announce(tx, { topic: 'orders', machineIds: [due.machineId] })
  })
}

/** PostgreSQL keeps no zero bytes in a text. */
const storable = (text: string) => text.replaceAll('\0', '')

/** As it stands when it is first said; a later try says the same under the same event id. */
async function bodyOf(db: Reader, { requestId, eventId, event }: Due): Promise<string> {
  return JSON.stringify({ eventId, event, shipment: await shipmentById(db, requestId) })
}

const headersOf = (due: Due, { secret, body, at }: { secret: string; body: string; at: Date }) => ({
  'content-type': 'application/json',
  'user-agent': 'Aisle',
  'x-aisle-event': due.eventId,
  'x-aisle-timestamp': String(at.getTime()),
  'x-aisle-signature': signatureOf(secret, `${at.getTime()}\n${due.eventId}\n${body}`),
})
