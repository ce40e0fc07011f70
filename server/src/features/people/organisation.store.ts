import type { Organisation } from '@aisle/contract/people/organisation'
import { type RawBuilder, sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { Reader, Tx } from '../../kernel/context'
import { refusal } from '../../kernel/refuse'
import { exceedsSight, isInForce, keptOfUnit, machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

export type Unit = {
  id: number
  merchantId: number
  parentId: number | null
  name: string
  kind: Organisation['kind']
  state: Organisation['state']
  path: number[]
  version: number
}

/** Not there and not in sight are one answer. */
export async function findInSight(
  db: Reader,
  sight: Sight,
  id: number,
  how: 'read' | 'lock' = 'read',
): Promise<Unit | undefined> {
  const found = await sql<Unit>`
    select id, merchant_id as "merchantId", parent_id as "parentId", name, kind, state, path, version
    from organisation where id = ${id} and ${merchantInSight(sight, sql`merchant_id`)}
    ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  return found.rows[0]
}

type Counted = Omit<Organisation, 'memberTotal'>

const counted = (where: RawBuilder<unknown>): RawBuilder<Counted> => sql<Counted>`
  select o.id, o.parent_id as "parentId", o.name, o.kind, o.state, o.version,
    (select count(*) from app_user u where u.organisation_id = o.id)::int as "memberCount",
    (select count(*) from machine_grant_organisation g
      where g.organisation_id = o.id and ${isInForce(sql`g.ends_at`)})::int as "machineCount"
  from organisation o where ${where} order by cardinality(o.path), o.sort, o.name`

/** Parents before children. */
export async function listOf(db: Reader, merchantId: number): Promise<Organisation[]> {
  const found = await counted(sql`o.merchant_id = ${merchantId}`).execute(db)
  return withTotals(found.rows)
}

/** The unit and all below it, itself first. */
export async function branchOf(db: Reader, id: number): Promise<Organisation[]> {
  const found = await counted(sql`o.path @> array[${id}]::bigint[]`).execute(db)
  return withTotals(found.rows)
}

function withTotals(units: readonly Counted[]): Organisation[] {
  const totals = new Map(units.map(({ id, memberCount }) => [id, memberCount]))
  // Children stand behind their parents, so from the end each is whole before it is added.
  for (const { id, parentId } of [...units].reverse()) {
    if (parentId !== null && totals.has(parentId)) {
      totals.set(parentId, (totals.get(parentId) ?? 0) + (totals.get(id) ?? 0))
    }
  }
  return units.map((unit) => ({ ...unit, memberTotal: totals.get(unit.id) ?? 0 }))
}

type Member = { id: number; account: string; name: string; isActive: boolean }

export async function membersOf(db: Reader, id: number): Promise<Member[]> {
  const found = await sql<Member>`
    select id, account, display_name as name, state = 'active' as "isActive" from app_user
    where organisation_id = ${id} order by account limit 100`.execute(db)
  return found.rows
}

export async function machinesOf(
  db: Reader,
  sight: Sight,
  id: number,
): Promise<{ id: number; code: string; name: string }[]> {
  const found = await sql<{ id: number; code: string; name: string }>`
    select m.id, m.code, m.name from machine_grant_organisation g join machine m on m.id = g.machine_id
    where g.organisation_id = ${id} and ${isInForce(sql`g.ends_at`)} and ${machineInSight(sight, sql`m.id`)}
    order by m.code limit 100`.execute(db)
  return found.rows
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

export async function namesOf(db: Reader, ids: readonly number[]): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select name from organisation where id = any(${ids}::bigint[]) order by cardinality(path)`.execute(db)
  return found.rows.map(({ name }) => name)
}

/** How many levels hang below the unit. */
export async function depthBelow(db: Reader, unit: Unit): Promise<number> {
  const found = await sql<{ depth: number }>`
    select max(cardinality(path)) - ${unit.path.length}::int as depth from organisation
    where path @> array[${unit.id}]::bigint[]`.execute(db)
  return found.rows[0]?.depth ?? 0
}

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('organisation_merchant_id_parent_id_name_key', write, () => refusal('organisation.nameTaken', { name }))

export async function insert(tx: Tx, unit: Pick<Unit, 'merchantId' | 'parentId' | 'name' | 'kind'>): Promise<number> {
  const made = await unlessTaken(
    unit.name,
    sql<{ id: number }>`insert into organisation (merchant_id, parent_id, name, kind, path)
      values (${unit.merchantId}, ${unit.parentId}, ${unit.name}, ${unit.kind}, '{}') returning id`.execute(tx),
  )
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('the unit just written is missing')
  return id
}

export async function rename(tx: Tx, id: number, to: Pick<Unit, 'name' | 'kind'>): Promise<void> {
  await unlessTaken(
    to.name,
    sql`update organisation set name = ${to.name}, kind = ${to.kind}, version = version + 1
      where id = ${id}`.execute(tx),
  )
}

export async function hang(tx: Tx, unit: Unit, parentId: number | null): Promise<void> {
  await unlessTaken(
    unit.name,
    sql`update organisation set parent_id = ${parentId}, version = version + 1 where id = ${unit.id}`.execute(tx),
  )
}

export async function setState(tx: Tx, id: number, state: Unit['state']): Promise<void> {
  await sql`update organisation set state = ${state}, version = version + 1 where id = ${id}`.execute(tx)
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await sql`delete from organisation where id = ${id}`.execute(tx)
}

export async function countUnassigned(db: Reader, merchantId: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from app_user
    where merchant_id = ${merchantId} and organisation_id is null and state = 'active'`.execute(db)
  return found.rows[0]?.count ?? 0
}

type Owner = { id: number; parentId: number | null; name: string; unitCount: number }

/** Merchants whose units may be looked at, parents before children. */
export async function listOwners(db: Reader, sight: Sight): Promise<Owner[]> {
  const found = await sql<Owner>`
    select m.id, m.parent_id as "parentId", m.name,
      (select count(*) from organisation o where o.merchant_id = m.id)::int as "unitCount"
    from merchant m where ${merchantInSight(sight, sql`m.id`)} order by m.path limit 2000`.execute(db)
  return found.rows
}
