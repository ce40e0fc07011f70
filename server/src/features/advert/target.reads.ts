import { kindsForMinors } from '@aisle/contract/fleet/point'
import type { Targets } from '@aisle/contract/advert/booking'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { machineInSight, machinesInSight, merchantInSight, type Sight, subtreeOf } from '../../kernel/scope'

/** Machines `m` that a booking `b` is about: what it names, of its merchant and of those below, else all of them. */
export const isAbout = sql<boolean>`(m.retired_at is null
  and m.merchant_id in (select id from merchant where path @> array[b.merchant_id])
  and (cardinality(b.machine_ids) + cardinality(b.group_ids) + cardinality(b.point_ids)
      + cardinality(b.merchant_ids) = 0
    or m.id = any(b.machine_ids) or m.point_id = any(b.point_ids)
    or exists (select from machine_group_member g where g.machine_id = m.id and g.group_id = any(b.group_ids))
    or exists (select from merchant o where o.id = m.merchant_id and o.path && b.merchant_ids)))`

/** The same of one that is not written down yet, as rows of a table `b`. */
export const asBooking = (merchantId: number, targets: Targets): RawBuilder<unknown> => sql`(select
  ${merchantId}::bigint as merchant_id, ${ids(targets.machineIds)} as machine_ids,
  ${ids(targets.groupIds)} as group_ids, ${ids(targets.pointIds)} as point_ids,
  ${ids(targets.merchantIds)} as merchant_ids) b`

export const ids = (of: readonly number[]) => sql`${[...of]}::bigint[]`

type Counts = { machines: number; groups: number; points: number; merchants: number }

/** What is named has to be in sight; who sees single machines names machines. @throws Refusal booking.machines */
export async function refuseStrange(ctx: CommandContext, sight: Sight, targets: Targets): Promise<void> {
  const { machineIds, groupIds, pointIds, merchantIds } = targets
  const isPlaced = machineIds.length > 0 && groupIds.length + pointIds.length + merchantIds.length === 0
  if (sight.kind === 'granted' && !isPlaced) refuse('booking.machines')
  const found = await sql<Counts>`select
    (select count(*)::int from machine m where m.id = any(${ids(machineIds)}) and ${machineInSight(sight, sql`m.id`)}
      and m.merchant_id in (${subtreeOf(ctx.actor.merchantId)})) as machines,
    (select count(*)::int from machine_group g where g.id = any(${ids(groupIds)})
      and ${merchantInSight(sight, sql`g.merchant_id`)}) as groups,
    (select count(*)::int from point p where p.id = any(${ids(pointIds)})
      and ${merchantInSight(sight, sql`p.merchant_id`)}) as points,
    (select count(*)::int from merchant o where o.id = any(${ids(merchantIds)})
      and ${merchantInSight(sight, sql`o.id`)}) as merchants`.execute(ctx.tx)
  const known = only(found)
  const isMissing = (named: readonly number[], count: number) => new Set(named).size > count
  const isStrange =
    isMissing(machineIds, known.machines) ||
    isMissing(groupIds, known.groups) ||
    isMissing(pointIds, known.points) ||
    isMissing(merchantIds, known.merchants)
  if (isStrange) refuse('booking.machines')
}

export type Places = { machines: number; atSchools: number; schools: string[]; namedSchools: string[] }
const SHOWN = 5

/** Where it would play, and which machines and points that it names stand where the law wants no adverts. */
export async function placesOf(db: Reader, sight: Sight, merchantId: number, targets: Targets): Promise<Places> {
  const isSeen = sight.kind === 'all' ? sql`true` : sql`m.id in (${machinesInSight(sight)})`
  const found = await sql<Places>`with met as (
      select m.name, p.kind = any(${[...kindsForMinors]}::text[]) as at_school, m.id = any(b.machine_ids)
        or m.point_id = any(b.point_ids) as is_named
      from ${asBooking(merchantId, targets)} cross join machine m join point p on p.id = m.point_id
      where ${isAbout} and ${isSeen})
    select count(*) filter (where not at_school)::int as machines,
      count(*) filter (where at_school)::int as "atSchools",
      coalesce(to_json((array_agg(name order by name) filter (where at_school))[1:${sql.lit(SHOWN)}]), '[]') as schools,
      coalesce(to_json((array_agg(name order by name)
        filter (where at_school and is_named))[1:${sql.lit(SHOWN)}]), '[]') as "namedSchools"
    from met`.execute(db)
  return only(found)
}
