import type { Language } from '@aisle/contract/kernel/text'
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

export async function rootMerchant(tx: Tx, name: string): Promise<number> {
  await sql`insert into merchant (code, name, type) values ('PLATFORM', ${name}, 'platform')
    on conflict do nothing`.execute(tx)
  const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(tx)
  return idOf(found.rows)
}

export async function insertAdmin(
  tx: Tx,
  admin: { merchantId: number; account: string; displayName: string; language: Language; roleName: string },
): Promise<number> {
  const { merchantId, account, displayName, language, roleName } = admin
  const user = await sql<{ id: number }>`
    insert into app_user (merchant_id, account, display_name, kind, language)
    values (${merchantId}, ${account}, ${displayName}, 'platform_admin', ${language}) returning id`.execute(tx)
  const role = await sql<{ id: number }>`insert into role (merchant_id, name) values (${merchantId}, ${roleName})
    on conflict (merchant_id, name) do update set name = excluded.name returning id`.execute(tx)
  const userId = idOf(user.rows)
  const roleId = idOf(role.rows)
  await sql`insert into role_permission (role_id, permission) values (${roleId}, '*')
    on conflict do nothing`.execute(tx)
  await sql`insert into user_role (user_id, role_id) values (${userId}, ${roleId})`.execute(tx)
  return userId
}

function idOf(rows: readonly { id: number }[]): number {
  const [row] = rows
  if (!row) throw new Error('the row just written is missing')
  return row.id
}
