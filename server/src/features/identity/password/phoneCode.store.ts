import { sql } from 'kysely'
import type { Tx } from '../../../kernel/context'

export const MOST_WRONG_CODES = 5

export type PhoneCode = { mac: Buffer; failures: number }

/** A newer code takes the place of the one before. */
export async function put(tx: Tx, phone: string, mac: Buffer, expiresAt: Date): Promise<void> {
  await sql`insert into phone_code (phone, code_mac, expires_at) values (${phone}, ${mac}, ${expiresAt})
    on conflict (phone) do update set code_mac = excluded.code_mac, failures = 0,
      expires_at = excluded.expires_at`.execute(tx)
}

/** Held until the transaction ends: of many guesses at once each counts. */
export async function lock(tx: Tx, phone: string, now: Date): Promise<PhoneCode | undefined> {
  const found = await sql<PhoneCode>`select code_mac as mac, failures from phone_code
    where phone = ${phone} and expires_at > ${now} for update`.execute(tx)
  return found.rows[0]
}

export async function fail(tx: Tx, phone: string): Promise<void> {
  await sql`update phone_code set failures = failures + 1 where phone = ${phone}`.execute(tx)
}

export async function remove(tx: Tx, phone: string): Promise<void> {
  await sql`delete from phone_code where phone = ${phone}`.execute(tx)
}
