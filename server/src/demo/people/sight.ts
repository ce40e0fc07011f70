import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { DEMO_OPERATOR } from '../data/merchants'
import { type Ids, idOf } from './people'

/** How long ago machines were handed out, and until when the newest unit has its own. */
const HANDED_OUT_DAYS_AGO = 40
const LENT_FOR_DAYS = 60

/**
 * Units of the operator share its machines by city; who gave what to whom stands in the history. Comes after the units,
 * the people and their first grants.
 */
export async function seedSight(tx: Tx, ids: { users: Ids; merchants: Ids }, now: Date): Promise<void> {
  const admin = idOf(ids.users, 'admin')
  const manager = idOf(ids.users, 'merchant')
  const at = new Date(now.getTime() - HANDED_OUT_DAYS_AGO * DAY_MS)
  await grantToUnits(tx, idOf(ids.merchants, DEMO_OPERATOR), { by: manager, at, now })
  await sql`update machine_grant_user set granted_by = ${manager}, granted_at = ${at}`.execute(tx)
  await sql`update machine_grant_merchant set granted_by = ${admin}, granted_at = ${at}`.execute(tx)
  for (const [grantee, by] of [
    ['merchant', admin],
    ['organisation', manager],
    ['user', manager],
  ] as const) {
    const id = sql.ref(`${grantee}_id`)
    await sql`insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, ends_at, machine_ids)
      select ${at}, ${by}, 'grant', ${grantee}, ${id}, ends_at, array_agg(machine_id order by machine_id)
      from ${sql.table(`machine_grant_${grantee}`)} group by ${id}, ends_at order by ${id}`.execute(tx)
  }
}

/** City by city in turn to the units that have none below them; the last one has its machines for two months only. */
async function grantToUnits(
  tx: Tx,
  merchantId: number,
  { by, at, now }: { by: number; at: Date; now: Date },
): Promise<void> {
  const endsAt = new Date(now.getTime() + LENT_FOR_DAYS * DAY_MS)
  await sql`
    with unit as (
      select o.id, row_number() over (order by o.id) as n, count(*) over () as units from organisation o
      where o.merchant_id = ${merchantId} and o.state = 'active'
        and not exists (select 1 from organisation below where below.parent_id = o.id)
    ), seen as (
      select machine.id, dense_rank() over (order by point.city) as n
      from machine join point on point.id = machine.point_id join merchant on merchant.id = machine.merchant_id
      where merchant.path @> array[${merchantId}]::bigint[]
    )
    insert into machine_grant_organisation (machine_id, organisation_id, granted_at, granted_by, ends_at)
    select seen.id, unit.id, ${at}, ${by}, case when unit.n = unit.units then ${endsAt}::timestamptz end
    from seen join unit on seen.n % unit.units + 1 = unit.n`.execute(tx)
}
