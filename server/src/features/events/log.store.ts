import { EVENT_VERSION, type EventKind, type OpenEvent } from '@aisle/contract/events/kinds'
import { eventKeptDays } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader, Services, Tx } from '../../kernel/context'
import { settingOf } from '../../kernel/settings'
import type { Caller } from './gate.store'

/** Whoever numbers has it until the end of the transaction. */
const TURN = 4_217_460
const AT_ONCE = 5_000

type Numbered = { numbered: number; endpointIds: number[] }

/**
 * Numbers what was noted and committed, and puts it before each webhook that wants it. One transaction at a time does
 * that, so numbers become visible in their order: who has read up to one never finds a smaller one later, however long
 * the transaction of a fact took. @returns which webhooks have something new
 */
export async function numberNoted({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number[]> {
  const endpointIds = new Set<number>()
  for (;;) {
    const found = await db.transaction().execute((tx) => numberSome(tx, clock.now()))
    for (const id of found.endpointIds) endpointIds.add(id)
    if (found.numbered < AT_ONCE) return [...endpointIds]
  }
}

async function numberSome(tx: Tx, now: Date): Promise<Numbered> {
  await sql`select pg_advisory_xact_lock(${TURN})`.execute(tx)
  // A statement of its own: it sees what was committed while this one waited for its turn.
  const found = await sql<{ numbered: number; endpointIds: number[] | null }>`
    with taken as (
      delete from event_noted where id in (select id from event_noted order by id limit ${sql.lit(AT_ONCE)})
      returning *),
    numbered as (
      insert into event_log (merchant_id, machine_id, kind, object, occurred_at, numbered_at, data)
      select merchant_id, machine_id, kind, object, occurred_at, ${now}, data from taken order by id returning *),
    put as (
      insert into webhook_delivery (endpoint_id, number, numbered_at, kind, object, next_try_at)
      select e.id, n.number, n.numbered_at, n.kind, n.object, ${now}
      from numbered n ${webhooksOf('n')} where e.state <> 'disabled' order by n.number returning endpoint_id)
    select (select count(*)::int from numbered) as numbered,
      (select json_agg(distinct endpoint_id) from put) as "endpointIds"`.execute(tx)
  const { numbered = 0, endpointIds } = found.rows[0] ?? {}
  return { numbered, endpointIds: endpointIds ?? [] }
}

/** Joins the webhooks `e` that an event is for, whatever their state; @param event its alias */
export const webhooksOf = (event: string): RawBuilder<unknown> => {
  const of = (column: string) => sql.ref(`${event}.${column}`)
  return sql`join integration_config c on c.merchant_id = ${of('merchant_id')} and c.child_class = 'event_feed'
      and c.interface_type <> 'pull' and (c.machine_id is null or c.machine_id = ${of('machine_id')})
    join webhook_endpoint e on e.config_id = c.id and (e.kinds = '{}' or ${of('kind')} = any(e.kinds))`
}

export type Logged = OpenEvent & { number: number }

export const eventColumns = sql`'evt_' || l.number as id, l.kind as type,
  ${sql.lit(EVENT_VERSION)} as version, ${iso('l.occurred_at')} as timestamp, l.object, l.data`

type Asked = { after: number; limit: number; types?: readonly EventKind[] | undefined }

/** Events of a caller's merchant, of its one machine where it has one, from behind a number on. */
export async function eventsAfter(db: Reader, caller: Caller, { after, limit, types }: Asked): Promise<Logged[]> {
  const found = await sql<Logged>`select l.number, ${eventColumns} from event_log l
    where l.merchant_id = ${caller.merchantId} and l.number > ${after}
      and (${caller.machineId}::bigint is null or l.machine_id = ${caller.machineId})
      and (${types ?? null}::text[] is null or l.kind = any(${types ?? null}::text[]))
    order by l.number limit ${sql.lit(limit)}`.execute(db)
  return found.rows
}

/** The last number that is kept no more, 0 as long as all are kept. */
export async function horizon(db: Reader): Promise<number> {
  const found = await sql<{ number: number }>`select number from event_horizon`.execute(db)
  return found.rows[0]?.number ?? 0
}

/** The last number that was given. */
export async function newestNumber(db: Reader): Promise<number> {
  const found = await sql<{ number: number | null }>`select max(number) as number from event_log`.execute(db)
  return found.rows[0]?.number ?? (await horizon(db))
}

/** What is older than the setting says goes, with what webhooks were told of it. May run twice: it is gone then. */
export async function forgetOld({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const days = await settingOf(db, eventKeptDays, null)
  const before = new Date(clock.now().getTime() - days * 24 * 3_600_000)
  await sql`with gone as (delete from event_log where numbered_at < ${before} returning number)
    update event_horizon set number = greatest(number, (select max(number) from gone))`.execute(db)
  await sql`delete from webhook_delivery where number <= (select number from event_horizon)`.execute(db)
}
