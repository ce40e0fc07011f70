import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'

export type Person = {
  id: number
  merchantId: number
  account: string
  name: string
  kind: UserKind
  state: 'active' | 'disabled'
  phone: string | null
  email: string | null
  organisationId: number | null
  language: Language
  version: number
  roleIds: number[]
}

/** Not there and not in sight are one answer. @param how `lock` where the row is about to be changed */
export async function findInSight(
  db: Reader,
  sight: Sight,
  id: number,
  how: 'read' | 'lock' = 'read',
): Promise<Person | undefined> {
  const found = await sql<Person>`
    select u.id, u.merchant_id as "merchantId", u.account, u.display_name as name, u.kind, u.state, u.phone, u.email,
      u.organisation_id as "organisationId", u.language, u.version,
      array(select role_id from user_role where user_id = u.id order by role_id) as "roleIds"
    from app_user u where u.id = ${id} and u.kind <> 'program' and ${merchantInSight(sight, sql`u.merchant_id`)}
    ${how === 'lock' ? sql`for update of u` : sql``}`.execute(db)
  return found.rows[0]
}

/**
 * Everybody who can do everything for the platform, locked: of two who take the right from each other at once, the
 * second finds themselves the last.
 */
export async function lockAdmins(tx: Tx): Promise<number[]> {
  const found = await sql<{ id: number }>`
    select u.id from app_user u where u.kind = 'platform_admin' and u.state = 'active' and ${holdsEverything}
    order by u.id for update`.execute(tx)
  // Whoever waited for the lock reads what the other one left.
  const left = await sql<{ id: number }>`
    select u.id from app_user u where u.id = any(${found.rows.map(({ id }) => id)}) and u.kind = 'platform_admin'
      and u.state = 'active' and ${holdsEverything}`.execute(tx)
  return left.rows.map(({ id }) => id)
}

const holdsEverything: RawBuilder<boolean> = sql`exists (
  select from user_role ur join role r on r.id = ur.role_id join role_permission p on p.role_id = r.id
  where ur.user_id = u.id and r.surface = 'web' and p.permission = '*')`

/** Whether the unit is there, of the merchant and in use. */
export async function isOpenUnit(db: Reader, merchantId: number, organisationId: number): Promise<boolean> {
  const found = await sql`select from organisation
    where id = ${organisationId} and merchant_id = ${merchantId} and state = 'active' for key share`.execute(db)
  return found.rows.length === 1
}

export async function findMerchant(
  db: Reader,
  sight: Sight,
  id: number,
): Promise<{ id: number; name: string; isPlatform: boolean } | undefined> {
  const found = await sql<{ id: number; name: string; isPlatform: boolean }>`
    select m.id, m.name, m.parent_id is null as "isPlatform" from merchant m
    where m.id = ${id} and ${merchantInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}
