import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'

/** Rows deleted by one statement: many short ones hold no lock for long. */
const BATCH = 10_000

export const deleteChallenges = (db: Reader, now: Date): Promise<void> =>
  deleteAll(db, sql`sign_in_challenge`, sql`expires_at <= ${now}`)

/** A counter says something until its window, its wait and its day are over. */
export async function deleteCounters(db: Reader, now: Date): Promise<void> {
  const isOver = sql`day_ends_at <= ${now} and window_ends_at <= ${now} and coalesce(blocked_until <= ${now}, true)`
  await deleteAll(db, sql`sign_in_counter`, isOver)
  await deleteAll(db, sql`sign_in_spray`, sql`ends_at <= ${now}`)
}

/** What was begun and never finished: second steps, setups, codes sent, journeys to a provider, tickets. */
export async function deleteOnTheirWay(db: Reader, now: Date): Promise<void> {
  const isOver = sql`expires_at <= ${now}`
  await deleteAll(db, sql`second_factor_challenge`, isOver)
  await deleteAll(db, sql`second_factor_setup`, isOver)
  await deleteAll(db, sql`phone_code`, isOver)
  await deleteAll(db, sql`sso_journey`, isOver)
  await deleteAll(db, sql`hand_over_ticket`, isOver)
}

export const deleteIdempotencyKeys = (db: Reader, before: Date): Promise<void> =>
  deleteAll(db, sql`idempotency_key`, sql`created_at < ${before}`)

export const deleteSessions = (db: Reader, before: Date): Promise<void> =>
  deleteAll(db, sql`session`, sql`ended_at < ${before}`)

/** Tries that were turned away unread tell little and can be many, so they go sooner. */
export const deleteLog = (db: Reader, before: Date, throttledBefore: Date): Promise<void> =>
  deleteAll(db, sql`sign_in_log`, sql`at < ${before} or (at < ${throttledBefore} and outcome = 'throttled')`)

export async function endIdleSessions(db: Reader, now: Date, idleSince: Date): Promise<void> {
  await sql`update session set ended_at = ${now}, end_reason = 'expired'
    where ended_at is null and (last_seen_at <= ${idleSince} or ends_at <= ${now})`.execute(db)
}

export async function triesSince(db: Reader, since: Date): Promise<{ tries: number; failures: number }> {
  const found = await sql<{ tries: number; failures: number }>`
    select count(*) as tries, count(*) filter (where outcome not in ('ok', 'halfway')) as failures
    from sign_in_log where at > ${since}`.execute(db)
  return found.rows[0] ?? { tries: 0, failures: 0 }
}

/** The median share of failures over the quarter hours in which anybody signed in. */
export async function usualFailureShare(db: Reader, from: Date, to: Date): Promise<number> {
  const found = await sql<{ share: number | null }>`
    select percentile_cont(0.5) within group (order by share) as share from (
      select (count(*) filter (where outcome not in ('ok', 'halfway')))::float8 / count(*) as share
      from sign_in_log where at > ${from} and at <= ${to}
      group by date_bin('15 minutes', at, timestamptz 'epoch')) as quarters`.execute(db)
  return found.rows[0]?.share ?? 0
}

export async function blockSystem(db: Reader, key: string, now: Date, until: Date): Promise<void> {
  await sql`insert into sign_in_counter (key, window_ends_at, day_ends_at, blocked_until)
    values (${key}, ${now}, ${now}, ${until})
    on conflict (key) do update set blocked_until = excluded.blocked_until`.execute(db)
}

async function deleteAll(db: Reader, table: RawBuilder<unknown>, isOld: RawBuilder<unknown>): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH; ) {
    const done = await sql`delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${isOld} limit ${sql.lit(BATCH)}))`.execute(db)
    deleted = Number(done.numAffectedRows ?? 0)
  }
}
