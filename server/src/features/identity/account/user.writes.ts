import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { type Refusal, refusal } from '../../../kernel/refuse'

export type EditableUser = {
  name: string
  kind: UserKind
  phone: string | null
  email: string | null
  organisationId: number | null
  language: Language
}
export type NewUser = Pick<EditableUser, 'name' | 'kind' | 'language'> &
  Partial<EditableUser> & { merchantId: number; account: string }

/** @param taken what is refused where somebody has the account @throws Refusal */
export async function addUser(
  tx: Tx,
  user: NewUser,
  at: Date,
  taken: () => Refusal = () => refusal('user.accountTaken', { account: user.account }),
): Promise<number> {
  const { merchantId, account, name, kind, language, organisationId = null, phone = null, email = null } = user
  const made = await refusedBy(
    'app_user_account_key',
    sql<{ id: number }>`
      insert into app_user
        (merchant_id, account, display_name, kind, phone, email, organisation_id, language, created_at)
      values (${merchantId}, ${account}, ${name}, ${kind}, ${phone}, ${email}, ${organisationId}, ${language}, ${at})
      returning id`.execute(tx),
    taken,
  )
  return only(made).id
}

type Program = { merchantId: number; account: string; name: string; at: Date }

/** Under whom a program's key writes: it is no person, signs in nowhere and is asked nothing, so it is never active. */
export async function addProgram(tx: Tx, { merchantId, account, name, at }: Program): Promise<number> {
  const made = await sql<{ id: number }>`
    insert into app_user (merchant_id, account, display_name, kind, state, language, created_at)
    values (${merchantId}, ${account}, ${name}, 'program', 'disabled', 'en', ${at}) returning id`.execute(tx)
  return only(made).id
}

export async function editUser(tx: Tx, id: number, to: EditableUser): Promise<void> {
  await sql`update app_user set display_name = ${to.name}, phone = ${to.phone}, email = ${to.email},
      organisation_id = ${to.organisationId}, kind = ${to.kind}, language = ${to.language}, version = version + 1
    where id = ${id}`.execute(tx)
}

export async function setUserState(tx: Tx, id: number, state: 'active' | 'disabled'): Promise<void> {
  await sql`update app_user set state = ${state}, version = version + 1 where id = ${id}`.execute(tx)
}

/** Exactly these; what stays is not touched. */
export async function setUserRoles(tx: Tx, id: number, roleIds: readonly number[]): Promise<void> {
  await sql`delete from user_role where user_id = ${id} and role_id <> all(${roleIds}::bigint[])`.execute(tx)
  await sql`insert into user_role (user_id, role_id) select ${id}, unnest(${roleIds}::bigint[])
    on conflict do nothing`.execute(tx)
  await sql`update app_user set version = version + 1 where id = ${id}`.execute(tx)
}

/** The administrator who came with the merchant and never signed in goes with it. */
export const isUnusedAdmin = sql`u.id in (select admin_user_id from merchant where admin_user_id is not null)
  and not exists (select from session s where s.user_id = u.id)`

export async function removeUnusedAdmins(tx: Tx, merchantId: number): Promise<void> {
  await sql`delete from app_user u where u.merchant_id = ${merchantId} and ${isUnusedAdmin}`.execute(tx)
}
