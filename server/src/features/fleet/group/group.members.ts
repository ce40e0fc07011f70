import type { listGroupMachines } from '@aisle/contract/fleet/group'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../../kernel/scope'

type Members = InputOf<typeof listGroupMachines>
type Member = OutputOf<typeof listGroupMachines>['items'][number]
export type MemberFilter = Pick<Members, 'q' | 'city' | 'category' | 'membership'>

/** Machines that a group has or may have: of its merchant, or of one below. */
const candidates = (sight: Sight, group: { id: number; merchantId: number }): RawBuilder<Member> => sql`
  select m.id, m.code, m.name, m.category, p.name as "pointName", p.city, b.machine_id is not null as "isMember"
  from machine m join point p on p.id = m.point_id join merchant c on c.id = m.merchant_id
  left join machine_group_member b on b.machine_id = m.id and b.group_id = ${group.id}
  where c.path @> array[${group.merchantId}]::bigint[] and (m.retired_at is null or b.machine_id is not null)
    and ${machineInSight(sight, sql`m.id`)}`

const memberWhere = ({ q, city, category, membership }: MemberFilter) =>
  allOf([
    q && sql`(${holds(sql`code`, q)} or ${holds(sql`name`, q)} or ${holds(sql`"pointName"`, q)})`,
    city && holds(sql`city`, city),
    isAnyOf(sql`category`, category),
    membership && sql`"isMember" = ${membership === 'in'}`,
  ])

export type GroupKey = { id: number; merchantId: number }

export function members(sight: Sight, group: GroupKey, filter: Members): Listing<Member> {
  const listed = { rows: candidates(sight, group), where: memberWhere(filter) }
  return listRows({ ...listed, order: { by: sql`code`, type: 'text' } })
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
