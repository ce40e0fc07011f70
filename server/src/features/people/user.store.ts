import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { Reader, Tx } from '../../kernel/context'
import { refusal } from '../../kernel/refuse'
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
    from app_user u where u.id = ${id} and ${merchantInSight(sight, sql`u.merchant_id`)}
    ${how === 'lock' ? sql`for update of u` : sql``}`.execute(db)
  return found.rows[0]
}

export type NewPerson = Pick<Person, 'merchantId' | 'account' | 'name' | 'kind' | 'language' | 'organisationId'> & {
  phone: string
  email: string | null
}

/** @throws Refusal user.accountTaken */
export async function insert(tx: Tx, person: NewPerson, at: Date): Promise<number> {
  const { merchantId, account, name, kind, language, organisationId, phone, email } = person
  const made = await refusedBy(
    'app_user_account_key',
    sql<{ id: number }>`
      insert into app_user
        (merchant_id, account, display_name, kind, phone, email, organisation_id, language, created_at)
      values (${merchantId}, ${account}, ${name}, ${kind}, ${phone}, ${email}, ${organisationId}, ${language}, ${at})
      returning id`.execute(tx),
    () => refusal('user.accountTaken', { account }),
  )
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('the user just written is missing')
  return id
}

export type Editable = Pick<Person, 'name' | 'phone' | 'email' | 'organisationId' | 'kind' | 'language'>

export async function update(tx: Tx, id: number, to: Editable): Promise<void> {
  await sql`update app_user set display_name = ${to.name}, phone = ${to.phone}, email = ${to.email},
      organisation_id = ${to.organisationId}, kind = ${to.kind}, language = ${to.language}, version = version + 1
    where id = ${id}`.execute(tx)
}

export async function setState(tx: Tx, id: number, state: Person['state']): Promise<void> {
  await sql`update app_user set state = ${state}, version = version + 1 where id = ${id}`.execute(tx)
}

/** Exactly these; what stays is not touched. */
export async function setRoles(tx: Tx, id: number, roleIds: readonly number[]): Promise<void> {
  await sql`delete from user_role where user_id = ${id} and role_id <> all(${roleIds}::bigint[])`.execute(tx)
  await sql`insert into user_role (user_id, role_id) select ${id}, unnest(${roleIds}::bigint[])
    on conflict do nothing`.execute(tx)
  await sql`update app_user set version = version + 1 where id = ${id}`.execute(tx)
}

/**
 * Everybody who can do everything for the platform, locked: of two who take the right from each other at once, the
 * second finds themselves the last.
 */
export async function lockAdmins(tx: Tx): Promise<number[]> {
  const found = await sql<{ id: number }>`
    select u.id from app_user u where u.kind = 'platform_admin' and u.state = 'active' and ${holdsEverything}
    order by u.id for update`.execute(tx)
  // Who waited for the lock reads what the other one left.
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
