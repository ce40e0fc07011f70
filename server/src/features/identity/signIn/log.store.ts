import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'

/** `halfway`: the password was right and the second factor asked for; `factor`: that was wrong. */
export type Outcome = 'ok' | 'wrong' | 'code' | 'throttled' | 'disabled' | 'halfway' | 'factor'

export async function insert(
  db: Reader,
  entry: { at: Date; account: string; userId: number | null; ip: string; agent: string; outcome: Outcome },
): Promise<void> {
  const { at, account, userId, ip, agent, outcome } = entry
  await sql`insert into sign_in_log (at, account, user_id, ip, agent, outcome)
    values (${at}, ${account}, ${userId}, ${ip}, ${agent}, ${outcome})`.execute(db)
}

const DAY_MS = 24 * 3600_000
const MOST_COUNTED = 1_000

/** What failed at an account since it was last signed in to, no longer ago than a month; null when nothing did. */
export async function failuresSince(
  db: Reader,
  userId: number,
  now: Date,
): Promise<{ count: number; lastAt: Date; lastIp: string } | null> {
  const monthAgo = new Date(now.getTime() - 30 * DAY_MS)
  const found = await sql<{ count: number; last_at: Date | null; last_ip: string | null }>`
    with since as (select coalesce(max(at), ${monthAgo}) as at from (select at from sign_in_log
        where user_id = ${userId} and outcome = 'ok' and at > ${monthAgo} order by at desc limit 1) as newest),
    failed as (select l.at, l.ip from sign_in_log l, since
        where l.user_id = ${userId} and l.at > since.at and l.outcome in ('wrong', 'throttled', 'factor')
        order by l.at desc limit ${sql.lit(MOST_COUNTED)})
    select (select count(*) from failed) as count, at as last_at, ip as last_ip
    from failed order by at desc limit 1`.execute(db)
  const [row] = found.rows
  return row?.last_at && row.last_ip !== null ? { count: row.count, lastAt: row.last_at, lastIp: row.last_ip } : null
}
