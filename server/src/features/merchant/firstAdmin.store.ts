import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'

export async function hasUsers(db: Reader): Promise<boolean> {
  const found = await sql<{ has: boolean }>`select exists (select from app_user) as has`.execute(db)
  return found.rows[0]?.has ?? true
}

export async function insertLink(db: Reader, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await sql`insert into first_admin_link (token_hash, expires_at) values (${tokenHash}, ${expiresAt})`.execute(db)
}

export async function isLinkGood(db: Reader, tokenHash: Buffer, now: Date): Promise<boolean> {
  const found = await sql`select from first_admin_link
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`.execute(db)
  return found.rows.length === 1
}

/** @returns whether the link was good; two at once can't both hear yes */
export async function useLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  // Two processes may have printed an address each; the lock lets only one of them find no users.
  await sql`lock table first_admin_link in exclusive mode`.execute(tx)
  const used = await sql`update first_admin_link set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`.execute(tx)
  return used.numAffectedRows === 1n
}
