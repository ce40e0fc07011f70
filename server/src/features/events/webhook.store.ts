import { deliveryState, webhookState } from '@aisle/contract/events/states'
import { type OpenEvent } from '@aisle/contract/events/kinds'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Heard } from '../../kernel/callOut'
import type { Reader, Tx } from '../../kernel/context'
import { stateTo } from '../../kernel/states'
import { eventColumns } from './log.store'
import { isGivenUp, nextTryAt, type Outcome, outcomeOf, restMs } from './webhook.rules'

export type Due = {
  id: number
  tries: number
  event: OpenEvent
  address: string
  secret: Buffer
  secretBefore: Buffer | null
}

/** Another process must not tell it at the same time; if this one dies, it is told again after that. */
const TAKEN_FOR_MS = 60_000
/** Of a receiver that takes what it is told; of one that did not, one at once. */
const AT_ONCE = 8

/** A webhook whose interface may be called now; of `e`, `c` and `m`. */
const mayBeTold = (now: Date) => sql`e.state = 'enabled' and c.state = 'enabled' and c.child_class = 'event_feed'
  and c.interface_type <> 'pull' and m.state = 'active'
  and (c.expires_on is null or c.expires_on >= (${now}::timestamptz at time zone m.time_zone)::date)`
const withInterface = sql`join integration_config c on c.id = e.config_id join merchant m on m.id = c.merchant_id`

/** Of each thing the oldest event that waits, so that what happened to it is told in its order. */
const isFirst = sql`not exists (select from webhook_delivery b where b.endpoint_id = w.endpoint_id
  and b.object = w.object and b.state = 'waiting' and b.number < w.number)`

export async function takeDue(db: Reader, endpointId: number, now: Date): Promise<Due[]> {
  const taken = await sql<Due>`
    with told as (
      select e.id, e.address, e.secret, case when e.secret_before_until > ${now} then e.secret_before end as before,
        case when e.failures > 0 then 1 else ${sql.lit(AT_ONCE)} end as most
      from webhook_endpoint e ${withInterface}
      where e.id = ${endpointId} and ${mayBeTold(now)} and (e.rests_until is null or e.rests_until <= ${now})),
    due as (
      select w.id from webhook_delivery w
      where w.endpoint_id = (select id from told) and w.state = 'waiting' and w.next_try_at <= ${now} and ${isFirst}
      order by w.number limit (select most from told) for update skip locked),
    taken as (
      update webhook_delivery d set next_try_at = ${new Date(now.getTime() + TAKEN_FOR_MS)}, tries = d.tries + 1
      from due where d.id = due.id returning d.id, d.tries, d.number, d.numbered_at)
    select taken.id, taken.tries, told.address, told.secret, told.before as "secretBefore",
      (select row_to_json(one) from (select ${eventColumns}) one) as event
    from taken cross join told join event_log l on l.numbered_at = taken.numbered_at and l.number = taken.number
    order by l.number`.execute(db)
  return taken.rows
}

export type Told = { due: Due; heard: Heard; at: Date }
type Tried = { id: number; outcome: Outcome; at: Date; nextTryAt: Date | null } & Heard

/** What people hear of a round: that it was the webhook's end, or an event's. */
export type Bad = 'gone' | 'failing' | 'dead' | null

/** How a round went: of each event, and of the receiver, which may be disabled by it. */
export async function noteRound(tx: Tx, endpointId: number, told: readonly Told[]): Promise<Bad> {
  const tried = told.map(({ due, heard, at }): Tried => {
    const outcome = outcomeOf(heard.status)
    return { id: due.id, outcome, at, ...heard, nextTryAt: nextTryAt(due.tries, at, Math.random()) }
  })
  await noteTries(tx, tried)
  const last = tried.at(-1)
  if (!last) return null
  if (tried.some(({ outcome }) => outcome === 'gone')) return endWebhook(tx, endpointId, 'gone')
  const bad = tried.some(({ outcome, nextTryAt: next }) => outcome !== 'taken' && next === null) ? 'dead' : null
  const slow = tried.find(({ outcome }) => outcome === 'slow')
  const isTaken = tried.some(({ outcome }) => outcome === 'taken')
  if (isTaken && !slow) {
    await sql`update webhook_endpoint set failures = 0, failing_since = null, rests_until = null
      where id = ${endpointId} and (failures > 0 or rests_until is not null)`.execute(tx)
    return bad
  }
  const held = await sql<{ failures: number; failingSince: Date | null }>`
    select failures, failing_since as "failingSince" from webhook_endpoint where id = ${endpointId}
    for update`.execute(tx)
  const failures = isTaken ? 0 : (held.rows[0]?.failures ?? 0) + 1
  const failingSince = isTaken ? null : (held.rows[0]?.failingSince ?? last.at)
  if (failingSince && isGivenUp(failingSince, last.at)) return endWebhook(tx, endpointId, 'failing')
  const rest = restMs(failures, slow ? { retryAfter: slow.retryAfter, now: slow.at } : null)
  await sql`update webhook_endpoint set failures = ${failures}, failing_since = ${failingSince},
    rests_until = ${new Date(last.at.getTime() + rest)} where id = ${endpointId}`.execute(tx)
  return bad
}

async function noteTries(tx: Tx, tried: readonly Tried[]): Promise<void> {
  const noted = tried.map(({ outcome, nextTryAt: next, answer, problem, ...each }) => ({
    ...each,
    state:
      outcome === 'taken' ? deliveryState.to('deliver') : next ? deliveryState.initial : deliveryState.to('giveUp'),
    next: outcome === 'taken' ? null : next,
    problem: problem ?? null,
    // PostgreSQL keeps no zero bytes in a text.
    answer: answer.replaceAll('\0', '').slice(0, 500),
  }))
  await sql`update webhook_delivery d set state = r.state, next_try_at = r.next, tried_at = r.at, status = r.status,
      problem = r.problem, answer = r.answer, duration_ms = r.duration_ms
    from ${rows('r', noted, {
      id: 'bigint',
      state: 'text',
      next: 'timestamptz',
      at: 'timestamptz',
      status: 'int',
      problem: 'text',
      answer: 'text',
      durationMs: 'int',
    })} where d.id = r.id and d.state = 'waiting'`.execute(tx)
}

/** Nothing is told any more, and what waited is a dead letter that can be replayed. @returns why */
export async function endWebhook<E extends Exclude<Bad, 'dead'>>(tx: Tx, endpointId: number, endedBy: E): Promise<E> {
  await sql`update webhook_endpoint set state = ${stateTo(webhookState, 'disable')}, ended_by = ${endedBy},
    version = version + 1 where id = ${endpointId}`.execute(tx)
  await sql`update webhook_delivery set state = ${stateTo(deliveryState, 'giveUp')}, next_try_at = null
    where endpoint_id = ${endpointId} and state = 'waiting'`.execute(tx)
  return endedBy
}

/** Pages that show what it is told look again: once it has its rest, not with each round. */
export async function announceTold(db: Reader, endpointId: number): Promise<void> {
  const found = await sql<{ merchantId: number; above: number[] }>`select m.id as "merchantId", m.path as above
    from webhook_endpoint e ${withInterface} where e.id = ${endpointId}`.execute(db)
  const of = found.rows[0]
  if (of) await announce(db, { topic: 'changes', kinds: ['webhook'], merchantIds: [of.merchantId], above: of.above })
}

/** When the next event of a webhook `e` is due; asked only of one that has no rest. */
const dueAt = (now: Date) => sql`case when e.rests_until > ${now} then e.rests_until
  else (select min(w.next_try_at) from webhook_delivery w
    where w.endpoint_id = e.id and w.state = 'waiting' and ${isFirst}) end`

/** Webhooks before which something waits that may be told some time, with when that is; of all, or one of them. */
export async function findWaiting(db: Reader, now: Date, id: number | null = null): Promise<Waiting[]> {
  const found = await sql<Waiting>`
    select e.id, ${dueAt(now)} as "dueAt" from webhook_endpoint e ${withInterface}
    where ${mayBeTold(now)} and (${id}::bigint is null or e.id = ${id}) and exists (
      select from webhook_delivery w where w.endpoint_id = e.id and w.state = 'waiting')`.execute(db)
  return found.rows
}
type Waiting = { id: number; dueAt: Date }
