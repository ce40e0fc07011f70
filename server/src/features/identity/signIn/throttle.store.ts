import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import { type Counter, freshCounter } from './throttle.rules'

type Row = {
  key: string
  failures: number
  window_ends_at: Date
  blocked_until: Date | null
  failures_today: number
  day_ends_at: Date
}

export async function read(db: Reader, keys: readonly string[]): Promise<Map<string, Counter>> {
  const found = await sql<Row>`select * from sign_in_counter where key = any(${keys})`.execute(db)
  return new Map(found.rows.map((row) => [row.key, counterOf(row)]))
}

/** Holds the counters until the transaction ends, so that of many tries at once each sees the failures before it. */
export async function lock(tx: Tx, keys: readonly string[], now: Date): Promise<Map<string, Counter>> {
  // One order for all, else two transactions could wait for each other.
  const fresh = [...keys].sort().map((key) => freshCounter(key, now))
  const held = await sql<Row>`
    insert into sign_in_counter (key, window_ends_at, day_ends_at)
    select * from ${rows('c', fresh, { key: 'text', windowEndsAt: 'timestamptz', dayEndsAt: 'timestamptz' })}
    on conflict (key) do update set key = excluded.key returning *`.execute(tx)
  return new Map(held.rows.map((row) => [row.key, counterOf(row)]))
}

export async function save(tx: Tx, counters: readonly Counter[]): Promise<void> {
  await sql`
    update sign_in_counter set failures = c.failures, window_ends_at = c.window_ends_at,
      blocked_until = c.blocked_until, failures_today = c.failures_today, day_ends_at = c.day_ends_at
    from ${rows('c', counters, {
      key: 'text',
      failures: 'int',
      windowEndsAt: 'timestamptz',
      blockedUntil: 'timestamptz',
      failuresToday: 'int',
      dayEndsAt: 'timestamptz',
    })} where sign_in_counter.key = c.key`.execute(tx)
}

export async function noteSprayed(tx: Tx, subnet: string, accountHash: Buffer, endsAt: Date): Promise<void> {
  await sql`insert into sign_in_spray (subnet, account_hash, ends_at) values (${subnet}, ${accountHash}, ${endsAt})
    on conflict (subnet, account_hash) do update set ends_at = excluded.ends_at`.execute(tx)
}

/** Counts no further than one above `most`. */
export async function countSprayed(db: Reader, subnet: string, now: Date, most: number): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from (select from sign_in_spray
      where subnet = ${subnet} and ends_at > ${now} limit ${sql.lit(most + 1)}) as sprayed`.execute(db)
  return found.rows[0]?.count ?? 0
}

const counterOf = (row: Row): Counter => ({
  key: row.key,
  failures: row.failures,
  windowEndsAt: row.window_ends_at,
  blockedUntil: row.blocked_until,
  failuresToday: row.failures_today,
  dayEndsAt: row.day_ends_at,
})
