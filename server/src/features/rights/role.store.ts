import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { only } from '../../kernel/must'

/** The rights of a role are exactly these from now on. */
export async function putGrants(tx: Tx, roleId: number, grants: readonly string[]): Promise<void> {
  await sql`delete from role_permission
    where role_id = ${roleId} and permission <> all(${[...grants]}::text[])`.execute(tx)
  await sql`insert into role_permission (role_id, permission) select ${roleId}, unnest(${[...grants]}::text[])
    on conflict do nothing`.execute(tx)
}

/** A role that comes with a merchant; one of that name is taken as it is, with these rights besides. */
export async function addFirstRole(
  tx: Tx,
  role: { merchantId: number; name: string; type: 'management' | 'other'; grants: readonly string[] },
): Promise<number> {
  const { merchantId, name, type, grants } = role
  const { id } = only(
    await sql<{ id: number }>`insert into role (merchant_id, name, type) values (${merchantId}, ${name}, ${type})
      on conflict (merchant_id, name) do update set name = excluded.name returning id`.execute(tx),
  )
  await sql`insert into role_permission (role_id, permission) select ${id}, unnest(${[...grants]}::text[])
    on conflict do nothing`.execute(tx)
  return id
}

/** With the roles and the menu that a merchant has of its own. */
export async function removeRights(tx: Tx, merchantId: number): Promise<void> {
  await sql`delete from role where merchant_id = ${merchantId}`.execute(tx)
  await sql`delete from menu_change where merchant_id = ${merchantId}`.execute(tx)
}
