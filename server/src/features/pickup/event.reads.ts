import type { CodeEvent } from '@aisle/contract/pickup/pickupCode'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'

/** A code is used a few times; more of it is somebody trying. */
const MOST_EVENTS = 100

/** A machine out of sight has no name, and its order no number. */
const at = (sight: Sight, machineId: RawBuilder<unknown>, orderNo: RawBuilder<unknown>) => sql`
  case when ${machineInSight(sight, machineId)} then m.code end as "machineCode",
  case when ${machineInSight(sight, machineId)} then m.name end as "machineName",
  case when ${machineInSight(sight, machineId)} then ${orderNo} end as "orderNo"`

const nowhere = sql`null::text as "machineCode", null::text as "machineName", null::text as "orderNo"`

/** All that happened to a code, newest first: what machines did with it, what they were refused, what people did. */
export async function findEvents(db: Reader, sight: Sight, codeId: number): Promise<CodeEvent[]> {
  const use = at(sight, sql`u.machine_id`, sql`u.order_no`)
  const refused = at(sight, sql`r.machine_id`, sql`nullif(r.order_no, '')`)
  const found = await sql<CodeEvent>`
    select kind, ${iso('happened.at')} as at, "machineCode", "machineName", "orderNo", pieces, extra, refusal,
      "byName"
    from (
      select 'made' as kind, c.created_at as at, ${nowhere}, c.pieces::int, null::int as extra, null::text as refusal,
        p.display_name as "byName", 0 as step
      from pickup_code c join pickup_batch b on b.id = c.batch_id left join app_user p on p.id = b.created_by
      where c.id = ${codeId}
      union all
      select 'held', u.held_at, ${use}, cardinality(u.asked), null, null, null, 1
      from pickup_use u join machine m on m.id = u.machine_id where u.code_id = ${codeId}
      union all
      select case when u.late_at is null and u.out <> '{}' then 'dispensed' else 'givenBack' end, u.settled_at, ${use},
        case when u.late_at is null then coalesce(nullif(cardinality(u.out), 0), cardinality(u.asked)) end, null, null,
        null, 2
      from pickup_use u join machine m on m.id = u.machine_id where u.code_id = ${codeId} and u.settled_at is not null
      union all
      select 'late', u.late_at, ${use}, cardinality(u.out), u.extra::int, null, null, 3
      from pickup_use u join machine m on m.id = u.machine_id where u.code_id = ${codeId} and u.late_at is not null
      union all
      select 'refused', r.refused_at, ${refused}, null, null, r.reason, null, 1
      from pickup_refusal r join machine m on m.id = r.machine_id where r.code_id = ${codeId}
      union all
      select case when s.use = 'reveal' then 'revealed' else 'released' end, s.released_at, ${nowhere}, null, null,
        null, p.display_name, 1
      from pickup_code c
      join pickup_release s on s.batch_id = c.batch_id and c.serial between s.from_serial and s.to_serial
      join app_user p on p.id = s.user_id where c.id = ${codeId}
      union all
      select 'ended', c.ended_at, ${nowhere}, null, null, null, p.display_name, 4
      from pickup_code c left join app_user p on p.id = c.ended_by
      where c.id = ${codeId} and c.ended_at is not null
    ) happened order by happened.at desc, step desc limit ${sql.lit(MOST_EVENTS)}`.execute(db)
  return found.rows
}
