import type { Grantee } from '@aisle/contract/sight/authorisation'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../kernel/context'

/** Where the grants to each kind of grantee are kept. */
export const grantTables: Record<Grantee, { table: RawBuilder<unknown>; column: RawBuilder<unknown> }> = {
  merchant: { table: sql.table('machine_grant_merchant'), column: sql.ref('merchant_id') },
  organisation: { table: sql.table('machine_grant_organisation'), column: sql.ref('organisation_id') },
  user: { table: sql.table('machine_grant_user'), column: sql.ref('user_id') },
}

/** How many of the machines are named. */
const MOST_NAMED = 200

type To = { kind: Grantee; id: number }
type By = { userId: number; at: Date }
export type Granted = { changed: number; first: number[]; hash: string }

/**
 * One statement whatever the number of machines, which writes the history of what did change besides.
 * @param given a `select` of machine_id and ends_at
 * @param endsAt as it was asked for
 */
export function grantMachines(
  tx: Tx,
  to: To,
  given: RawBuilder<unknown>,
  endsAt: RawBuilder<unknown>,
  by: By,
): Promise<Granted> {
  const { table, column } = grantTables[to.kind]
  const changed = sql`
    insert into ${table} as g (machine_id, ${column}, granted_at, granted_by, ends_at)
    select given.machine_id, ${to.id}, ${by.at}, ${by.userId}, given.ends_at from (${given}) given
    on conflict (${column}, machine_id) do update
      set granted_at = excluded.granted_at, granted_by = excluded.granted_by, ends_at = excluded.ends_at
      where g.ends_at is distinct from excluded.ends_at
    returning machine_id`
  return log(tx, to, 'grant', { changed, endsAt, by })
}

/** @param taken a `select` of machine_id */
export function revokeMachines(tx: Tx, from: To, taken: RawBuilder<unknown>, by: By): Promise<Granted> {
  const { table, column } = grantTables[from.kind]
  const changed = sql`delete from ${table} g using (${taken}) taken
    where g.machine_id = taken.machine_id and g.${column} = ${from.id} returning g.machine_id`
  return log(tx, from, 'revoke', { changed, endsAt: sql`null::timestamptz`, by })
}

type Change = { changed: RawBuilder<unknown>; endsAt: RawBuilder<unknown>; by: By }

async function log(tx: Tx, { kind, id }: To, action: 'grant' | 'revoke', change: Change): Promise<Granted> {
  const { changed, endsAt, by } = change
  const logged = await sql<Granted>`
    with changed as (${changed})
    insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, ends_at, machine_ids)
    select ${by.at}, ${by.userId}, ${action}, ${kind}, ${id}, ${endsAt}, array_agg(machine_id order by machine_id)
    from changed having count(*) > 0
    returning cardinality(machine_ids) as changed, machine_ids[1:${sql.lit(MOST_NAMED)}] as first,
      encode(sha256(array_to_string(machine_ids, ',')::bytea), 'hex') as hash`.execute(tx)
  return logged.rows[0] ?? { changed: 0, first: [], hash: '' }
}

/** What merchants were given of these machines, but for those who are in the path of their owner. */
export async function revokeFromOthers(
  tx: Tx,
  machineIds: readonly number[],
  path: readonly number[],
  by: By,
): Promise<void> {
  await sql`with gone as (
      delete from machine_grant_merchant
      where machine_id = any(${[...machineIds]}::bigint[]) and merchant_id <> all(${[...path]}::bigint[])
      returning merchant_id, machine_id)
    insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, ends_at, machine_ids)
    select ${by.at}, ${by.userId}, 'revoke', 'merchant', merchant_id, null, array_agg(machine_id order by machine_id)
    from gone group by merchant_id`.execute(tx)
}

/** What who adds machines sees from then on; nobody authorised it, and so it is no part of the history. */
export async function showToMaker(tx: Tx, machineIds: readonly number[], by: By): Promise<void> {
  await sql`insert into machine_grant_user (machine_id, user_id, granted_at, granted_by)
    select unnest(${[...machineIds]}::bigint[]), ${by.userId}, ${by.at}, ${by.userId} on conflict do nothing`.execute(
    tx,
  )
}
