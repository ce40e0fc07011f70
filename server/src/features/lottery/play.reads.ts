import { playState } from '@aisle/contract/lottery/states'
import type { getDraw, getPlay, listPlays, Play, summarisePlays } from '@aisle/contract/lottery/play'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { machineInSight, type Sight } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listPlays>

/** Plays of machines in sight; what a filter asks by is in the row under its own name. */
const rowsInSight = (sight: Sight): RawBuilder<Play> => sql`
  select p.id, p.order_no as "orderNo", ${iso('p.opened_at')} as "openedAt", ${iso('p.drawn_at')} as "drawnAt",
    to_char(p.business_day, 'YYYY-MM-DD') as "businessDay", p.business_day as day, p.machine_id as "machineId",
    p.product_id as "productId", m.code as "machineCode", m.name as "machineName", c.name as "merchantName",
    c.path as "merchantPath", p.slot_code as "slotCode", product.name as "productName",
    p.odds_permille as "oddsPermille", p.stake_fen as "stakeFen", p.prize_fen as "prizeFen", p.state,
    p.prize_state as "prizeState", s.revealed_at is not null as "isRevealed"
  from lottery_play p join machine m on m.id = p.machine_id join merchant c on c.id = p.merchant_id
  join product on product.id = p.product_id join lottery_series s on s.id = p.series_id
  where ${machineInSight(sight, sql`p.machine_id`)}`

const filterOf = (filter: Filter) =>
  allOf([
    filter.orderNo && sql`"orderNo" = ${filter.orderNo}`,
    filter.machineCode && sql`"machineCode" = ${filter.machineCode}`,
    filter.product && holds(sql`"productName"`, filter.product),
    isAnyOf(sql`state`, filter.state),
    isAnyOf(sql`"prizeState"`, filter.prizeState),
    filter.merchantId && sql`"merchantPath" @> array[${filter.merchantId}]::bigint[]`,
    filter.machineId && sql`"machineId" = ${filter.machineId}`,
    filter.productId && sql`"productId" = ${filter.productId}`,
    filter.from && sql`day >= ${filter.from}::date`,
    filter.to && sql`day <= ${filter.to}::date`,
  ])

export const listPlaysIn = (sight: Sight, filter: Filter): Listing<Play> =>
  listRows({
    rows: rowsInSight(sight),
    where: filterOf(filter),
    order: { by: sql`id`, type: 'bigint', newestFirst: true },
    sums: sql`
      coalesce(sum("stakeFen") filter (where state in ${statesIn(playState, 'drawn')}), 0)::bigint as "stakeFen",
      coalesce(sum("prizeFen") filter (where state = 'won'), 0)::bigint as "wonFen"`,
  })

/** The seed itself is shown only once it is revealed: until then its column is empty. */
const proof = sql`s.seed_hash as "seedHash", s.seed, p.number, ${iso('s.committed_at')} as "committedAt",
  ${iso('s.revealed_at')} as "revealedAt"`

type Detail = OutputOf<typeof getPlay>

export async function findPlayDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select seen.*, ${proof}, p.cost_fen as "costFen", o.method, o.ship_state as "shipState",
      ${iso('o.ship_sent_at')} as "shipSentAt", ${iso('o.ship_received_at')} as "shipReceivedAt",
      ${iso('o.finished_at')} as "finishedAt", i.motor_code as "motorCode", i.sensor_code as "sensorCode",
      coalesce((select json_agg(json_build_object('id', k.id, 'state', k.state, 'claimant', k.claimant,
        'createdAt', k.created_at, 'reviewedAt', k.reviewed_at) order by k.id)
        from lottery_claim k where k.play_id = p.id), '[]') as claims,
      ${iso('d.redeemed_at')} as "redeemedAt", who.display_name as "redeemedByName"
    from (${rowsInSight(sight)}) seen join lottery_play p on p.id = seen.id join lottery_series s on s.id = p.series_id
    join order_number n on n.order_no = p.order_no
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    left join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.index = 0
    left join lottery_redemption d on d.play_id = p.id left join app_user who on who.id = d.redeemed_by
    where seen.id = ${id}`.execute(db)
  return found.rows[0]
}

type Summary = OutputOf<typeof summarisePlays>

export async function summary(db: Reader, sight: Sight, now: Date): Promise<Summary> {
  const found = await sql<Summary>`
    select count(*) filter (where today and p.state in ${statesIn(playState, 'drawn')})::int as today,
      count(*) filter (where today and p.state = 'won')::int as won,
      count(*) filter (where p.prize_state = 'shipping')::int as shipping,
      count(*) filter (where p.prize_state = 'owed')::int as owed
    from lottery_play p join machine m on m.id = p.machine_id
    cross join lateral (select p.business_day = (${now}::timestamptz at time zone m.time_zone)::date as today) is_of
    where ${machineInSight(sight, sql`p.machine_id`)}
      and (p.prize_state = 'owed' or p.business_day >= ${now}::timestamptz::date - 1)`.execute(db)
  return found.rows[0] ?? { today: 0, won: 0, shipping: 0, owed: 0 }
}

type Draw = NonNullable<OutputOf<typeof getDraw>['draw']>

export async function findDraw(db: Reader, orderNo: string): Promise<Draw | undefined> {
  const found = await sql<Draw>`
    select p.order_no as "orderNo", p.state, p.odds_permille as "oddsPermille", ${iso('p.drawn_at')} as "drawnAt",
      ${proof} from lottery_play p join lottery_series s on s.id = p.series_id
    where p.order_no = ${orderNo}`.execute(db)
  return found.rows[0]
}
