import { sql } from 'kysely'
import type { Tx } from '../../../kernel/context'

/**
 * What was begun for a person and is no session yet. The nonces of a first step stay: what they lead to is proven with
 * the password of the day. A reset code belongs to a phone, so whoever shares it asks for another.
 */
export async function deleteOf(tx: Tx, userId: number): Promise<void> {
  await sql`delete from second_factor_challenge where user_id = ${userId}`.execute(tx)
  await sql`delete from second_factor_setup where user_id = ${userId}`.execute(tx)
  await sql`delete from hand_over_ticket where user_id = ${userId}`.execute(tx)
  await sql`delete from phone_code where phone = (select phone from app_user where id = ${userId})`.execute(tx)
}
