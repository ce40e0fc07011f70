import type * as contract from '@aisle/contract/field/visit'
import type { Review } from '@aisle/contract/field/visit'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { refusalOf } from '@aisle/contract/kernel/refusal'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { verbsOf } from './visit.rules'

type ReviewRow = Omit<Review, 'verbs'> & { answer: string; isBooked: boolean }
const MOST_REVIEWS = 200

/** What nobody has decided yet, the oldest first. @param which of visit `t` */
export async function reviewsOf({ db, language }: QueryContext, which: RawBuilder<unknown>): Promise<Review[]> {
  const found = await sql<ReviewRow>`
    select v.id, t.order_id as "orderId", o.no as "orderNo", t.machine_id as "machineId", m.code as "machineCode",
      v.kind, to_json(v.at) #>> '{}' as at, v.who, v.said ->> 'slotCode' as "slotCode", p.name as "productName",
      nullif(v.said ->> 'batch', '') as batch, coalesce(v.said ->> 'pieces', v.said ->> 'counted')::int as pieces,
      v.reason, v.differs, v.answer, v.is_booked as "isBooked"
    from visit t join visit_step v on v.visit_id = t.id and v.answer <> 'applied'
    join replenishment_order o on o.id = t.order_id join machine m on m.id = t.machine_id
    join merchant c on c.id = t.merchant_id
    left join lateral (select p.name from product p
      where p.code = v.said ->> 'productCode' and p.merchant_id = any(c.path)
      order by array_position(c.path, p.merchant_id) desc limit 1) p on true
    where ${which} and not exists (select from visit_decision d where d.step_id = v.id)
    order by v.id limit ${sql.lit(MOST_REVIEWS)}`.execute(db)
  const said = (code: string, { slotCode, machineCode }: ReviewRow) =>
    word(language, refusalOf(code)?.domain ?? 'field', `refusal.${code}`, { slot: slotCode ?? '', code: machineCode })
  return found.rows.map((review) => {
    const { answer, isBooked, reason, ...row } = review
    return { ...row, reason: reason && said(reason, review), verbs: verbsOf({ answer, isBooked }) }
  })
}

type Visit = OutputOf<typeof contract.listVisits>['visits'][number]

export async function visitsOfOrder(ctx: QueryContext, { id }: { id: number }) {
  const order = await sql`select from replenishment_order o
    where o.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)}`.execute(ctx.db)
  existing(order.rows[0])
  const visits = await sql<Visit>`
    select t.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", t.state,
      to_json(t.opened_at) #>> '{}' as "openedAt", to_json(t.done_at) #>> '{}' as "doneAt",
      (select string_agg(distinct v.who, ' · ') from visit_step v where v.visit_id = t.id) as who,
      (select count(*)::int from visit_step v where v.visit_id = t.id) as steps, t.count_id as "countId",
      c.no as "countNo", coalesce((
        select json_agg(json_build_object('when', coalesce(v.said ->> 'when', 'fault'),
          'picture', v.said ->> 'picture') order by v.id)
        from visit_step v where v.visit_id = t.id and v.said ->> 'picture' is not null), '[]') as pictures
    from visit t join machine m on m.id = t.machine_id left join stock_count c on c.id = t.count_id
    join replenishment_stop s on s.order_id = t.order_id and s.machine_id = t.machine_id
    where t.order_id = ${id} order by s.position`.execute(ctx.db)
  return { visits: visits.rows, reviews: await reviewsOf(ctx, sql`t.order_id = ${id}`) }
}
