import { sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'

export type Ticket = { audience: string; endsAt: Date }

export async function insert(
  db: Reader,
  ticket: { ticketHash: Buffer; userId: number; openedBy: Buffer; audience: string; expiresAt: Date },
): Promise<void> {
  const { audience, expiresAt, openedBy, ticketHash, userId } = ticket
  await sql`insert into hand_over_ticket (ticket_hash, user_id, opened_by, audience, expires_at)
    values (${ticketHash}, ${userId}, ${openedBy}, ${audience}, ${expiresAt})`.execute(db)
}

/** Whose it is: for who holds the person first and the ticket then. */
export async function userOf(tx: Tx, ticketHash: Buffer): Promise<number | undefined> {
  const found = await sql<{ id: number }>`
    select user_id as id from hand_over_ticket where ticket_hash = ${ticketHash}`.execute(tx)
  return found.rows[0]?.id
}

/** One use, whatever comes of it. Undefined also when the session that asked for it has ended. */
export async function take(tx: Tx, ticketHash: Buffer, now: Date): Promise<Ticket | undefined> {
  const taken = await sql<Ticket>`
    with taken as (delete from hand_over_ticket where ticket_hash = ${ticketHash} returning *)
    select t.audience, s.ends_at as "endsAt"
    from taken t join session s on s.token_hash = t.opened_by
    where t.expires_at > ${now} and s.ended_at is null and s.ends_at > ${now}`.execute(tx)
  return taken.rows[0]
}
