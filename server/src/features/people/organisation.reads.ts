import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOrganisation, Organisation, treeOrganisations } from '@aisle/contract/people/organisation'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { exceedsSight, isInForce, keptOfUnit, machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Detail = OutputOf<typeof getOrganisation>

/** Beside the table's own name. */
export const unitFacts = {
  parentId: sql`organisation.parent_id`,
  memberCount: sql`(select count(*)::int from app_user u where u.organisation_id = organisation.id)`,
  memberTotal: sql`(select count(*)::int from app_user u join organisation b on b.id = u.organisation_id
    where b.path @> array[organisation.id])`,
  machineCount: sql`(select count(*)::int from machine_grant_organisation g
    where g.organisation_id = organisation.id and ${isInForce(sql`g.ends_at`)})`,
}

/** Parents before children. */
export async function listOf(db: Reader, merchantId: number): Promise<Organisation[]> {
  const facts = Object.entries(unitFacts).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  const found = await sql<Organisation>`select id, name, kind, state, version, ${sql.join(facts)} from organisation
    where merchant_id = ${merchantId} order by cardinality(path), sort, name`.execute(db)
  return found.rows
}

export async function membersOf(db: Reader, id: number): Promise<Detail['members']> {
  const found = await sql<Detail['members'][number]>`
    select id, account, display_name as name, state = 'active' as "isActive" from app_user
    where organisation_id = ${id} order by account limit 100`.execute(db)
  return found.rows
}

export async function machinesOf(db: Reader, sight: Sight, id: number): Promise<Detail['machines']> {
  const found = await sql<Detail['machines'][number]>`
    select m.id, m.code, m.name from machine_grant_organisation g join machine m on m.id = g.machine_id
    where g.organisation_id = ${id} and ${isInForce(sql`g.ends_at`)} and ${machineInSight(sight, sql`m.id`)}
    order by m.code limit 100`.execute(db)
  return found.rows
}

/** Units right below, people and machines; of machines out of sight only the number is told. */
export async function usesOf(db: Reader, sight: Sight, id: number): Promise<string[]> {
  const below = await sql<{ name: string }>`select name from organisation where parent_id = ${id}
    order by sort, name`.execute(db)
  const counted = await sql<{ machines: number }>`select ${unitFacts.machineCount} as machines from organisation
    where id = ${id}`.execute(db)
  const machines = await machinesOf(db, sight, id)
  const unnamed = (counted.rows[0]?.machines ?? 0) - machines.length
  return [
    ...below.rows.map(({ name }) => name),
    ...(await membersOf(db, id)).map(({ name, account }) => `${name} (${account})`),
    ...machines.map(({ code }) => code),
    ...(unnamed > 0 ? [`+${unnamed}`] : []),
  ]
}

/** Whether somebody is in the unit or below it. */
export async function isMember(db: Reader, id: number, userId: number): Promise<boolean> {
  const found = await sql`select from app_user u join organisation o on o.id = u.organisation_id
    where u.id = ${userId} and ${id} = any(o.path)`.execute(db)
  return found.rows.length === 1
}

/** Whether the place of the unit, or what hangs below it, shows people a machine that isn't in the sight. */
export async function showsMore(db: Reader, sight: Sight, id: number): Promise<boolean> {
  const found = await sql<{ more: boolean }>`select ${exceedsSight(sight, keptOfUnit(id))} as more`.execute(db)
  return found.rows[0]?.more ?? true
}

/** From the top down to the unit's parent. */
export async function namesAbove(db: Reader, id: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select a.name from organisation o
    join organisation a on a.id = any(o.path) and a.id <> o.id
    where o.id = ${id} order by cardinality(a.path)`.execute(db)
  return found.rows.map(({ name }) => name)
}

/** How many levels hang below the unit. */
export async function depthBelow(db: Reader, { id, path }: { id: number; path: number[] }): Promise<number> {
  const found = await sql<{ depth: number }>`
    select max(cardinality(path)) - ${path.length}::int as depth from organisation
    where path @> array[${id}]::bigint[]`.execute(db)
  return found.rows[0]?.depth ?? 0
}

export async function countUnassigned(db: Reader, merchantId: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from app_user
    where merchant_id = ${merchantId} and organisation_id is null and state = 'active'`.execute(db)
  return found.rows[0]?.count ?? 0
}

type Owner = OutputOf<typeof treeOrganisations>['merchants'][number]

/** Merchants whose units may be looked at, parents before children. */
export async function listOwners(db: Reader, sight: Sight): Promise<Owner[]> {
  const found = await sql<Owner>`
    select m.id, m.parent_id as "parentId", m.name,
      (select count(*) from organisation o where o.merchant_id = m.id)::int as "unitCount"
    from merchant m where ${merchantInSight(sight, sql`m.id`)} order by m.path limit 2000`.execute(db)
  return found.rows
}
