import type { Claim, getClaim, listClaims, summariseClaims } from '@aisle/contract/lottery/claim'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'

type Filter = InputOf<typeof listClaims>

const rowsInSight = (sight: Sight): RawBuilder<Claim> => sql`
  select k.id, p.order_no as "orderNo", m.code as "machineCode", m.name as "machineName", c.name as "merchantName",
    c.path as "merchantPath", product.id as "productId", product.name as "productName",
    p.prize_fen as "prizeFen", k.claimant, k.state,
    to_json(k.created_at) #>> '{}' as "createdAt", writer.display_name as "createdByName",
    to_json(k.reviewed_at) #>> '{}' as "reviewedAt", reviewer.display_name as "reviewedByName"
  from lottery_claim k join lottery_play p on p.id = k.play_id join machine m on m.id = p.machine_id
  join merchant c on c.id = p.merchant_id join product on product.id = p.product_id
  join app_user writer on writer.id = k.created_by left join app_user reviewer on reviewer.id = k.reviewed_by
  where ${machineInSight(sight, sql`p.machine_id`)}`

const orders: Record<Filter['sort'], Order> = {
  waiting: { by: sql`case when state = 'pending' then id else 9000000000000000 - id end`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listClaimsIn(sight: Sight, filter: Filter): Listing<Claim> {
  const { q, state, machineCode, merchantId, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`"orderNo"`, q)} or ${holds(sql`claimant`, q)} or ${holds(sql`"productName"`, q)})`,
    isAnyOf(sql`state`, state),
    machineCode && sql`"machineCode" = ${machineCode}`,
    merchantId && sql`"merchantPath" @> array[${merchantId}]::bigint[]`,
  ])
  return listRows({ rows: rowsInSight(sight), where, order: orders[sort] })
}

/** Stores and fillers that have the prize of the play `p`. */
export const places = sql<Detail['places']>`
  coalesce((select json_agg(json_build_object('id', held.id, 'name', held.name, 'kind', held.kind,
      'quantity', l.quantity) order by held.kind desc, held.id)
    from stock_level l join place held on held.id = l.place_id
    where held.kind in ('warehouse', 'replenisher') and held.merchant_id = p.merchant_id
      and l.product_id = p.product_id and l.quantity > 0), '[]')`

type Detail = OutputOf<typeof getClaim>

export async function findClaimDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select seen.*, p.id as "playId", to_json(p.drawn_at) #>> '{}' as "wonAt", p.prize_state as "prizeState",
      p.slot_code as "slotCode", k.phone, k.note, k.pictures, k.review_note as "reviewNote", place.name as "placeName",
      k.created_by = ${ctx.actor.userId} as "isOwn",
      ${places} as places
    from (${rowsInSight(sightOf(ctx.actor))}) seen join lottery_claim k on k.id = seen.id
    join lottery_play p on p.id = k.play_id left join place on place.id = k.place_id where seen.id = ${id}`.execute(
    ctx.db,
  )
  return found.rows[0]
}

export async function summary(db: Reader, sight: Sight): Promise<OutputOf<typeof summariseClaims>> {
  const found = await sql<OutputOf<typeof summariseClaims>>`
    select (count(*) filter (where k.state = 'pending'))::int as pending,
      (count(*) filter (where k.state = 'passed'))::int as passed,
      (count(*) filter (where k.state = 'rejected'))::int as rejected,
      (select count(*) from lottery_play p where p.prize_state = 'owed'
        and ${machineInSight(sight, sql`p.machine_id`)}
        and not exists (select 1 from lottery_claim open where open.play_id = p.id and open.state = 'pending'))::int
        as owed
    from lottery_claim k join lottery_play p on p.id = k.play_id
    where ${machineInSight(sight, sql`p.machine_id`)}`.execute(db)
  return found.rows[0] ?? { pending: 0, passed: 0, rejected: 0, owed: 0 }
}

/** What waits for whoever reviews prizes: the number beside the bell. */
export async function countPendingClaims(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count
    from lottery_claim k join lottery_play p on p.id = k.play_id
    where k.state = 'pending' and ${machineInSight(sight, sql`p.machine_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
