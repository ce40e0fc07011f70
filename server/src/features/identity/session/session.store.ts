import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { Actor, Reader, Tx } from '../../../kernel/context'
import { SESSION_WHOLE_MS } from '../../../kernel/token'

export type EndReason = 'sign_out' | 'elsewhere' | 'expired' | 'password' | 'administrator' | 'disabled'

export async function insert(
  tx: Tx,
  session: {
    tokenHash: Buffer
    userId: number
    createdAt: Date
    endsAt: Date
    ip: string
    agent: string
    limitedTo: 'password' | null
  },
): Promise<void> {
  const { tokenHash, userId, createdAt, endsAt, ip, agent, limitedTo } = session
  await sql`insert into session (token_hash, user_id, created_at, last_seen_at, ends_at, ip, agent, limited_to)
    values (${tokenHash}, ${userId}, ${createdAt}, ${createdAt}, ${endsAt}, ${ip}, ${agent}, ${limitedTo})`.execute(tx)
}

/**
 * Until the transaction ends nobody else begins or ends anything of this person: without it a sign-in that is half
 * through could outlive the change that should have ended it. Held before any row that was begun, in this order.
 */
export async function holdUser(tx: Tx, userId: number): Promise<void> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
}

/** @returns the token hashes of the sessions that this ended */
export async function endAllOf(
  tx: Tx,
  userId: number,
  reason: EndReason,
  now: Date,
  kept: Buffer | null = null,
): Promise<Buffer[]> {
  const ended = await sql<{ token_hash: Buffer }>`
    update session set ended_at = ${now}, end_reason = ${reason}
    where user_id = ${userId} and ended_at is null and token_hash is distinct from ${kept}
    returning token_hash`.execute(tx)
  return ended.rows.map((row) => row.token_hash)
}

export async function end(db: Reader, tokenHash: Buffer, reason: EndReason, now: Date): Promise<void> {
  await sql`update session set ended_at = ${now}, end_reason = ${reason}
    where token_hash = ${tokenHash} and ended_at is null`.execute(db)
}

export type OpenSession = {
  id: number
  tokenHash: Buffer
  createdAt: Date
  lastSeenAt: Date
  endsAt: Date
  ip: string
  agent: string
}

const MOST_SHOWN = 100

/** Those that could still be used, the one seen last first. */
export async function listOpen(db: Reader, userId: number, now: Date, idleSince: Date): Promise<OpenSession[]> {
  const found = await sql<OpenSession>`
    select id, token_hash as "tokenHash", created_at as "createdAt", last_seen_at as "lastSeenAt",
      least(ends_at, created_at + ${SESSION_WHOLE_MS} * interval '1 millisecond') as "endsAt", ip, agent
    from session
    where user_id = ${userId} and ended_at is null and ends_at > ${now} and last_seen_at > ${idleSince}
    order by last_seen_at desc, id desc limit ${sql.lit(MOST_SHOWN)}`.execute(db)
  return found.rows
}

/** @returns the token's hash; null when it is not one of the user's, or is over */
export async function endOneOf(tx: Tx, userId: number, id: number, now: Date): Promise<Buffer | null> {
  const ended = await sql<{ token_hash: Buffer }>`
    update session set ended_at = ${now}, end_reason = 'sign_out'
    where id = ${id} and user_id = ${userId} and ended_at is null returning token_hash`.execute(tx)
  return ended.rows[0]?.token_hash ?? null
}

/** Of this session alone: another one of the same person stays as it is, but looks again. */
export async function setSessionRole(
  db: Reader,
  { tokenHash, userId }: Pick<Actor, 'tokenHash' | 'userId'>,
  column: 'active_role_id' | 'view_role_id',
  roleId: number | null,
): Promise<void> {
  await sql`update session set ${sql.ref(column)} = ${roleId} where token_hash = ${tokenHash}`.execute(db)
  await announce(db, { topic: 'rights', userIds: [userId] })
}

/** That its person is there. */
export const touchSession = (db: Reader) => (tokenHash: Buffer, now: Date) =>
  sql`update session set last_seen_at = ${now}
    where token_hash = ${tokenHash} and last_seen_at < ${now} and ended_at is null`.execute(db)
