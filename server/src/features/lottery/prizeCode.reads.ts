import { remoteShipState } from '@aisle/contract/device/remoteShip'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { checkPrizeCode, listRedemptions, Redemption } from '@aisle/contract/lottery/prizeCode'
import { prizeState } from '@aisle/contract/lottery/states'
import { sql } from 'kysely'
import { iso } from '../../db/instant'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, type Listing, listRows } from '../../kernel/list'
import { refuse } from '../../kernel/refuse'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { statesFrom, statesIn } from '../../kernel/states'
import { places } from './claim.reads'
import { prizeDigestOf } from './prizeCode.secret'

type Checked = OutputOf<typeof checkPrizeCode>

/** @throws Refusal prizeCode.unknown, also for a prize of a machine out of sight */
export async function check(ctx: QueryContext, { code }: InputOf<typeof checkPrizeCode>): Promise<Checked> {
  const found = await sql<Checked>`
    select case when p.prize_state in ${statesIn(prizeState, 'given')} then p.prize_state
        when p.prize_state not in ${statesFrom(prizeState, 'collect')} then 'shipping'
        when exists (select 1 from remote_ship r where r.order_id = p.id
          and r.state in ${statesIn(remoteShipState, 'underWay')}) then 'shipping'
        when exists (select 1 from lottery_claim k where k.play_id = p.id and k.state = 'pending') then 'claimed'
        else 'valid' end as outcome,
      p.id as "playId", p.order_no as "orderNo", product.name as "productName", product.picture,
      p.prize_fen as "prizeFen", p.prize_state as "prizeState", m.code as "machineCode", m.name as "machineName",
      p.slot_code as "slotCode", ${iso('p.drawn_at')} as "wonAt",
      to_json(coalesce(d.redeemed_at, k.reviewed_at)) #>> '{}' as "collectedAt", ${places} as places
    from lottery_play p join machine m on m.id = p.machine_id join product on product.id = p.product_id
    left join lottery_redemption d on d.play_id = p.id
    left join lottery_claim k on k.play_id = p.id and k.state = 'passed'
    where p.prize_code_digest = ${prizeDigestOf(ctx.services.keys)(code)}
      and ${machineInSight(sightOf(ctx.actor), sql`p.machine_id`)} order by p.id limit 1`.execute(ctx.db)
  return found.rows[0] ?? refuse('prizeCode.unknown')
}

export function listRedemptionsIn(sight: Sight, filter: InputOf<typeof listRedemptions>): Listing<Redemption> {
  const { orderNo, product, machineCode, merchantId, from, to } = filter
  return listRows({
    rows: sql<Redemption>`
      select d.id, p.order_no as "orderNo", p.product_id as "productId", product.name as "productName",
        p.prize_fen as "prizeFen", m.code as "machineCode", m.name as "machineName", c.name as "merchantName",
        c.path as "merchantPath", place.name as "placeName", who.display_name as "redeemedByName",
        ${iso('d.redeemed_at')} as "redeemedAt", (d.redeemed_at at time zone m.time_zone)::date as day
      from lottery_redemption d join lottery_play p on p.id = d.play_id join machine m on m.id = p.machine_id
      join merchant c on c.id = p.merchant_id join product on product.id = p.product_id
      join app_user who on who.id = d.redeemed_by left join place on place.id = d.place_id
      where ${machineInSight(sight, sql`p.machine_id`)}`,
    where: allOf([
      orderNo && sql`"orderNo" = ${orderNo}`,
      product && holds(sql`"productName"`, product),
      machineCode && sql`"machineCode" = ${machineCode}`,
      merchantId && sql`"merchantPath" @> array[${merchantId}]::bigint[]`,
      from && sql`day >= ${from}::date`,
      to && sql`day <= ${to}::date`,
    ]),
    order: { by: sql`id`, type: 'bigint', newestFirst: true },
  })
}
