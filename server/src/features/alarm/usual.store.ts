import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'

/** Whole days that count as usual: four of each weekday. */
const DAYS = 28

/** What machines, their hours and their slots usually sell; each night anew, from rollups and order items. */
export async function recountUsual(tx: Tx, today: string): Promise<void> {
  const from = sql`${today}::date - ${DAYS}::int`
  await sql`delete from usual_day`.execute(tx)
  // Whoever sells since last week has one of each weekday, not four.
  await sql`insert into usual_day (machine_id, weekday, orders, paid_fen)
    select r.machine_id, extract(isodow from r.business_day), sum(r.orders) / min(f.weeks),
      round(sum(r.paid_fen) / min(f.weeks))
    from rollup_day_machine r
    join (select machine_id, least(4, ceil((${today}::date - min(business_day)) / 7.0)) as weeks
      from rollup_day_machine where business_day >= ${from} and business_day < ${today}::date group by 1) f
      on f.machine_id = r.machine_id
    join machine m on m.id = r.machine_id
    where r.business_day >= ${from} and r.business_day < ${today}::date
    group by 1, 2`.execute(tx)
  await sql`delete from usual_hour`.execute(tx)
  await sql`insert into usual_hour (merchant_id, weekday, hour, share)
    select merchant_id, extract(isodow from business_day), hour,
      sum(orders) / sum(sum(orders)) over (partition by merchant_id, extract(isodow from business_day))
    from rollup_hour where business_day >= ${from} and business_day < ${today}::date
    group by 1, 2, 3 having sum(orders) > 0`.execute(tx)
  await sql`delete from usual_slot`.execute(tx)
  await sql`insert into usual_slot (slot_id, fen_hour)
    select s.id, round(sum(i.price_fen) / ${DAYS * 24}::numeric) from order_item i join slot s on s.id = i.slot_id
    where i.occurred_at >= ${from} and i.occurred_at < ${today}::date and i.state = 'dispensed'
    group by 1`.execute(tx)
}
