import type { getGroup, listGroupMachines, listGroups } from '@aisle/contract/fleet/group'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listGroups>
type Row = OutputOf<typeof listGroups>['items'][number]

const seen = (sight: Sight): RawBuilder<unknown> => sql`
  select g.id, g.merchant_id as "merchantId", c.name as "merchantName", g.name, g.remark, g.sort,
    coalesce(m.count, 0)::int as "machineCount",
    (select count(*)::int from assortment_group a where a.group_id = g.id) as "usedBy"
  from machine_group g join merchant c on c.id = g.merchant_id
  left join (select b.group_id, count(*) as count from machine_group_member b
    where ${machineInSight(sight, sql`b.machine_id`)} group by b.group_id) m on m.group_id = g.id
  where ${merchantInSight(sight, sql`g.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  order: { by: sql`sort`, type: 'bigint' },
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
}

export function page(db: Reader, sight: Sight, filter: Filter): Promise<Page<Row>> {
  const typed = filter.group ?? filter.q
  const where = allOf([
    typed && sql`(${holds(sql`name`, typed)} or ${holds(sql`remark`, typed)})`,
    filter.merchantId &&
      sql`"merchantId" in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
  ])
  return listRows<Row>(db, { rows: seen(sight), where, order: orders[filter.sort] }, filter)
}

export async function findDetail(db: Reader, sight: Sight, id: number): Promise<OutputOf<typeof getGroup> | undefined> {
  const found = await sql<OutputOf<typeof getGroup>>`
    select seen.*, g.version, array(select a.name from assortment_group u join assortment a on a.id = u.assortment_id
      where u.group_id = g.id and ${merchantInSight(sight, sql`a.merchant_id`)} order by a.name limit 30) as uses
    from (${seen(sight)}) seen join machine_group g on g.id = seen.id where seen.id = ${id}`.execute(db)
  return found.rows[0]
}

export type GroupRow = { id: number; merchantId: number; name: string; remark: string; sort: number; version: number }

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<GroupRow | undefined> {
  const found = await sql<GroupRow>`select g.id, g.merchant_id as "merchantId", g.name, g.remark, g.sort, g.version
    from machine_group g where g.id = ${id} and ${merchantInSight(sight, sql`g.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

type Members = InputOf<typeof listGroupMachines>
type Member = OutputOf<typeof listGroupMachines>['items'][number]
export type MemberFilter = Pick<Members, 'q' | 'city' | 'category' | 'membership'>

/** Machines that a group has or may have: of its merchant, or of one below. */
const candidates = (sight: Sight, group: { id: number; merchantId: number }): RawBuilder<unknown> => sql`
  select m.id, m.code, m.name, m.category, p.name as "pointName", p.city, b.machine_id is not null as "isMember"
  from machine m join point p on p.id = m.point_id join merchant c on c.id = m.merchant_id
  left join machine_group_member b on b.machine_id = m.id and b.group_id = ${group.id}
  where c.path @> array[${group.merchantId}]::bigint[] and (m.retired_at is null or b.machine_id is not null)
    and ${machineInSight(sight, sql`m.id`)}`

const memberWhere = ({ q, city, category, membership }: MemberFilter) =>
  allOf([
    q && sql`(${holds(sql`code`, q)} or ${holds(sql`name`, q)} or ${holds(sql`"pointName"`, q)})`,
    city && holds(sql`city`, city),
    category && sql`category = ${category}`,
    membership && sql`"isMember" = ${membership === 'in'}`,
  ])

type GroupKey = { id: number; merchantId: number }

export function members(db: Reader, sight: Sight, group: GroupKey, filter: Members): Promise<Page<Member>> {
  const listed = { rows: candidates(sight, group), where: memberWhere(filter) }
  return listRows<Member>(db, { ...listed, order: { by: sql`code`, type: 'text' } }, filter)
}

/** The ids of those that are named or found, each a candidate of the group. */
export async function chosenOf(
  db: Reader,
  sight: Sight,
  group: GroupKey,
  chosen: { ids: readonly number[] } | { filter: MemberFilter },
): Promise<number[]> {
  const where = 'ids' in chosen ? sql`id = any(${chosen.ids}::bigint[])` : memberWhere(chosen.filter)
  const found = await sql<{ id: number }>`select id from (${candidates(sight, group)}) one where ${where}
    order by id`.execute(db)
  return found.rows.map(({ id }) => id)
}

export async function groupInSight(db: Reader, sight: Sight, id: number): Promise<GroupKey | undefined> {
  const found = await sql<GroupKey>`select g.id, g.merchant_id as "merchantId" from machine_group g
    where g.id = ${id} and ${merchantInSight(sight, sql`g.merchant_id`)}`.execute(db)
  return found.rows[0]
}
