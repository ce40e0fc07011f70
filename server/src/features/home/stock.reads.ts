import { replenishmentState } from '@aisle/contract/field/replenishmentOrder'
import { type RunningOut, SOON_HOURS } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineRowInSight, type Sight } from '../../kernel/scope'
import { statesIn, stateTo } from '../../kernel/states'

/** Machines whose slots are looked at one by one: those with the most empty ones, which are counted as stock moves. */
const CANDIDATES = 300
const SHOWN = 8

export type Stock = { machines: number; emptySlots: number; lowSlots: number; slots: number }

export async function countShortages(db: Reader, sight: Sight): Promise<Stock> {
  const found = await sql<Stock>`
    select count(*) filter (where s.empty_slots + s.low_slots > 0)::int as machines,
      coalesce(sum(s.empty_slots), 0)::int as "emptySlots", coalesce(sum(s.low_slots), 0)::int as "lowSlots",
      coalesce(sum(s.slot_count), 0)::int as slots
    from machine_state s join machine m on m.id = s.machine_id
    where m.retired_at is null and ${machineRowInSight(sight, 'm')}`.execute(db)
  return found.rows[0] ?? { machines: 0, emptySlots: 0, lowSlots: 0, slots: 0 }
}

/** What is empty costs what it usually sells; what is left lasts as long as it usually does. */
export async function findRunningOut(db: Reader, sight: Sight): Promise<RunningOut[]> {
  const found = await sql<RunningOut>`
    with worst as materialized (
      select m.id, m.code, m.name, m.point_id from machine_state s join machine m on m.id = s.machine_id
      where s.empty_slots + s.low_slots > 0 and m.retired_at is null and ${machineRowInSight(sight, 'm')}
      order by s.empty_slots desc, s.low_slots desc, m.id limit ${sql.lit(CANDIDATES)}
    ), slots as (
      select w.id as machine_id, p.name as product, coalesce(l.quantity, 0) as stock, u.fen_hour,
        case when coalesce(l.quantity, 0) > 0 and u.fen_hour > 0 and s.price_fen > 0
          then l.quantity * s.price_fen::numeric / u.fen_hour end as hours
      from worst w join slot s on s.machine_id = w.id and s.product_id is not null and s.choice <> 'stopped_sale'
      join product p on p.id = s.product_id left join usual_slot u on u.slot_id = s.id
      left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    ), whole as (
      select machine_id, count(*) filter (where stock <= 0) as empty,
        coalesce(sum(fen_hour) filter (where stock <= 0), 0) as lost,
        min(hours) as hours, (array_agg(product order by hours nulls last))[1] as product
      from slots group by 1)
    select w.id as "machineId", w.code as "machineCode", w.name as "machineName", p.name as "pointName",
      whole.empty::int as "emptySlots", whole.lost::bigint as "lostFenHour",
      round(whole.hours, 1)::float8 as "nextInHours",
      case when whole.hours is not null then whole.product end as "nextProduct",
      coalesce(tour.pieces, 0)::int as "comingPieces", coalesce(tour.leaves, false) as "isUnderWay"
    from whole join worst w on w.id = whole.machine_id join point p on p.id = w.point_id
    left join lateral (
      select sum(l.bring) as pieces, bool_or(o.state = ${stateTo(replenishmentState, 'depart')}) as leaves
      from replenishment_stop t join replenishment_order o on o.id = t.order_id
      join replenishment_line l on l.order_id = t.order_id and l.machine_id = t.machine_id
      where t.machine_id = w.id and o.state in ${statesIn(replenishmentState, 'coming')}) tour on true
    where whole.empty > 0 or whole.hours < ${SOON_HOURS}
    order by whole.lost desc, whole.empty desc, whole.hours nulls last, w.id limit ${sql.lit(SHOWN)}`.execute(db)
  return found.rows
}
