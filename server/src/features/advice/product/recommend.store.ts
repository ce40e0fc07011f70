import {
  type Recommendation,
  type RecommendationDetail,
  recommendationState,
  type listRecommendations,
} from '@aisle/contract/advice/recommendation'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'
import { templateOfSlot } from '../../planogram/public'
import { FACT_DAYS, levelFen, levelOf } from './recommend.rules'

/** @throws Refusal recommendation.state */
export const recommendations = stateful('recommendation', 'state', recommendationState, {
  versioned: false,
  refuse: () => refuse('recommendation.state'),
})

/** Fewer days seen say nothing. */
const LEAST_SEEN = 7

const rowsInSight = (sight: Sight): RawBuilder<Recommendation> => sql`
  select r.id, r.merchant_id as "merchantId", m.name as "merchantName", a.code as "machineCode",
    a.name as "machineName", r.kind, r.state, s.code as "slotCode", i.name as "incomingName",
    i.code as "incomingCode", o.name as "outgoingName", o.code as "outgoingCode", r.gain_fen as "gainFen",
    r.low_fen as "lowFen", r.high_fen as "highFen",
    case when r.low_fen > 0 then 'likely' else 'open' end as certainty,
    case when r.seen_days >= ${sql.lit(LEAST_SEEN)} then r.seen_fen end as "seenFen", r.seen_days as "seenDays",
    to_json(r.computed_at) #>> '{}' as "computedAt", to_json(r.decided_at) #>> '{}' as "decidedAt",
    u.display_name as decider
  from recommendation r join merchant m on m.id = r.merchant_id join machine a on a.id = r.machine_id
  join slot s on s.id = r.slot_id left join product i on i.id = r.incoming_id
  left join product o on o.id = r.outgoing_id left join app_user u on u.id = r.decided_by
  where ${machineInSight(sight, sql`r.machine_id`)}`

type Filter = InputOf<typeof listRecommendations>
const orders: Record<Filter['sort'], Order> = {
  gain: { by: sql`"gainFen"`, type: 'bigint', newestFirst: true },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listIn(ctx: QueryContext, filter: Filter): Listing<Recommendation> {
  const { q, kind, state, certainty, merchantId, sort } = filter
  const where = allOf([
    q &&
      sql`(${holds(sql`"machineCode"`, q)} or ${holds(sql`"machineName"`, q)}
        or ${holds(sql`coalesce("incomingName", '')`, q)} or ${holds(sql`coalesce("outgoingName", '')`, q)})`,
    isAnyOf(sql`kind`, kind),
    isAnyOf(sql`state`, state),
    isAnyOf(sql`certainty`, certainty),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order: orders[sort] })
}

/** Where it holds what slot `s` held when `r` was recommended, and still does. */
const itsTemplate = (sight: Sight) => sql`${templateOfSlot(sight)} and s.product_id is not distinct from r.outgoing_id`

type More = Omit<RecommendationDetail, keyof Recommendation | 'similar' | 'levelFromFen' | 'levelToFen'>

export async function detail(ctx: QueryContext, id: number): Promise<RecommendationDetail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Recommendation & More & { level: number; incomingId: number | null }>`
    select seen.*, r.place_kind as "placeKind", r.level::int as level, r.incoming_id as "incomingId",
      r.machines, r.machines_with as "machinesWith", r.incoming_fen as "incomingFen",
      r.incoming_pieces::float8 as "incomingPieces", r.outgoing_fen as "outgoingFen",
      r.outgoing_pieces::float8 as "outgoingPieces", r.loss_fen as "lossFen", r.empty_permille as "emptyPermille",
      to_char(r.stood_since, 'YYYY-MM-DD') as "stoodSince", r.price_fen as "priceFen", r.reason,
      to_char(r.begun_on, 'YYYY-MM-DD') as "begunOn", r.before_fen as "beforeFen",
      (select json_build_object('id', t.id, 'name', t.name, 'machines', t.machines)
        from (${itsTemplate(sight)}) t) as template,
      (select json_build_object('id', t.id, 'name', t.name) from template t
        where t.id = r.template_id and ${merchantInSight(sight, sql`t.merchant_id`)}) as "acceptedInto"
    from (${rowsInSight(sight)}) seen join recommendation r on r.id = seen.id
    join slot s on s.id = r.slot_id where seen.id = ${id}`.execute(ctx.db)
  const { level, incomingId, ...row } = existing(found.rows[0])
  const { from, to } = levelFen(level)
  const similar =
    incomingId === null || row.machinesWith === 0 ? [] : await findSimilar(ctx, { ...row, level, incomingId })
  return { ...row, levelFromFen: from, levelToFen: to, similar }
}

type Asked = { merchantId: number; placeKind: string; level: number; incomingId: number }
const SHOWN = 10

/** Those in sight that sell as much now, at such a place. */
async function findSimilar({ db, actor, now }: QueryContext, { merchantId, placeKind, level, incomingId }: Asked) {
  const found = await sql<RecommendationDetail['similar'][number] & { days: number; salesFen: number }>`
    select a.code as "machineCode", a.name as "machineName", d.pieces, d.fen as "marginFen", t.days,
      t.fen as "salesFen"
    from machine a join merchant m on m.id = a.merchant_id and m.path @> array[${merchantId}]::bigint[]
    join point p on p.id = a.point_id and p.kind = ${placeKind}
    cross join lateral (select (${now()}::timestamptz at time zone a.time_zone)::date as today) y
    cross join lateral (select sum(r.quantity - r.refunded_quantity)::int as pieces,
        sum(r.paid_fen - r.refunded_fen - r.cost_fen + r.refunded_cost_fen)::bigint as fen
      from rollup_day_machine_product r where r.machine_id = a.id and r.product_id = ${incomingId}
        and r.business_day >= y.today - ${sql.lit(FACT_DAYS)} and r.business_day < y.today) d
    cross join lateral (select (y.today - min(r.business_day))::int as days, coalesce(sum(r.paid_fen), 0)::bigint as fen
      from rollup_day_machine r where r.machine_id = a.id
        and r.business_day >= y.today - ${sql.lit(FACT_DAYS)} and r.business_day < y.today) t
    where a.retired_at is null and ${machineInSight(sightOf(actor), sql`a.id`)} and d.pieces > 0 and t.days > 0
    order by d.fen desc, a.code limit 200`.execute(db)
  return found.rows
    .filter((row) => levelOf(row) === level)
    .slice(0, SHOWN)
    .map(({ days: _days, salesFen: _sales, ...row }) => row)
}

export type HeldOne = {
  id: number
  merchantId: number
  machineId: number
  slotId: number
  state: Recommendation['state']
  incomingId: number | null
  outgoingId: number | null
  priceFen: number | null
}

/** Locked. @throws Refusal for one out of sight, and for one that is decided */
export async function hold(ctx: CommandContext, id: number, verb: keyof typeof recommendationState.moves) {
  const found = await sql<HeldOne>`select r.id, r.merchant_id as "merchantId", r.machine_id as "machineId",
      r.slot_id as "slotId", r.state, r.incoming_id as "incomingId", r.outgoing_id as "outgoingId",
      r.price_fen as "priceFen"
    from recommendation r where r.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`r.machine_id`)}
    for update of r`.execute(ctx.tx)
  const held = existing(found.rows[0])
  recommendations.must(held, verb)
  return held
}

type TemplateLine = { id: number; layer: number; position: number }

/** Undefined where it can't be changed in a template. */
export async function findTemplateLine(ctx: CommandContext, { id }: HeldOne): Promise<TemplateLine | undefined> {
  const found = await sql<TemplateLine>`select t.id, t.layer, t.position from recommendation r
    join slot s on s.id = r.slot_id cross join lateral (${itsTemplate(sightOf(ctx.actor))}) t
    where r.id = ${id}`.execute(ctx.tx)
  return found.rows[0]
}
