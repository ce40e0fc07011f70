import type { listOffers, Offer } from '@aisle/contract/promotion/offer'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { MARKDOWN_PRIORITY } from '@aisle/contract/promotion/plan'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { memberOfferFen } from './cut.reads'
import { isFor, isInForce } from './price.rules'
import { type Single, singlesOf } from './single.reads'

type Filter = InputOf<typeof listOffers>
type Row = Omit<Offer, 'passedOver'> & Omit<Single, 'priceFen' | 'productId' | 'id'> & { versionIds: number[] }

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select s.id, a.id as "machineId", a.code as "machineCode", a.name as "machineName", s.code as "slotCode",
    p.id as "productId", p.name as "productName", p.medicine_class as "medicineClass", a.time_zone as "timeZone",
    s.price_fen as "listFen", offered_fen(s.price_fen, o.kinds, o.amounts) as "priceFen", o.struck_fen as "struckFen",
    ${memberOfferFen} as "memberFen", coalesce(mn.name, '') as "memberReason",
    case when cardinality(o.kinds) = 0 then 'member' when v.id is null then 'markdown' else 'plan' end as source,
    coalesce(n.name, k.reason, '') as reason,
    v.plan_id as "planId", coalesce(v.priority, ${sql.lit(MARKDOWN_PRIORITY)})::int as priority,
    case when v.id is null then to_char(k.ends_at at time zone m.time_zone - interval '1 second', 'YYYY-MM-DD')
      else to_char(v.ends_on, 'YYYY-MM-DD') end as "endsOn",
    to_json(o.began_at) #>> '{}' as "beganAt", m.id as "merchantId", m.name as "merchantName",
    to_json(o.version_ids) as "versionIds"
  from slot_offer o join slot s on s.id = o.slot_id and s.product_id = o.product_id and s.price_fen > 0
  join machine a on a.id = s.machine_id join merchant m on m.id = a.merchant_id join product p on p.id = s.product_id
  left join promotion_plan_version mv on mv.id = o.member_version_ids[1]
  left join promotion_plan mn on mn.id = mv.plan_id
  left join promotion_plan_version v
    on v.id = case when cardinality(o.kinds) > 0 then o.version_ids[1] else o.member_version_ids[1] end
  left join promotion_plan n on n.id = v.plan_id
  left join markdown_slot c on v.id is null and c.slot_id = s.id and c.ended_at is null
  left join markdown k on k.id = c.markdown_id
  where ${machineInSight(sight, sql`a.id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`"beganAt"::timestamptz`, type: 'timestamptz', newestFirst: true },
  priority: { by: sql`priority::bigint`, type: 'bigint' },
  price: { by: sql`"priceFen"::bigint`, type: 'bigint' },
}

export function listOffersIn(ctx: QueryContext, filter: Filter): Listing<Offer> {
  const { q, source, code, productId, merchantId, sort } = filter
  const where = allOf([
    q &&
      sql`(${holds(sql`"productName"`, q)} or ${holds(sql`"machineName"`, q)} or "machineCode" = ${q}
        or ${holds(sql`reason`, q)})`,
    isAnyOf(sql`source`, source),
    code && sql`"machineCode" = ${code}`,
    productId && sql`"productId" = ${productId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return mapRows(listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order: orders[sort] }), async (found, db) => {
    const singles = await singlesOf(
      db,
      found.map((row) => ({ ...row, priceFen: row.listFen, shown: row })),
      ctx.now(),
    )
    return singles.map(({ slot, basket, plans, cut }): Offer => {
      const { machineId: _, medicineClass: _c, timeZone: _z, merchantId: _m, versionIds, ...offer } = slot.shown
      const [item] = basket.items
      const others = plans.filter(
        (plan) => item && !versionIds.includes(plan.versionId) && isInForce(plan, basket) && isFor(plan, item),
      )
      const names = others.map(({ name, priority }) => `${name} (${priority})`)
      const passed = cut && versionIds.length > 0 ? [...names, `${cut.reason} (${MARKDOWN_PRIORITY})`] : names
      return { ...offer, passedOver: passed.join(' · ') }
    })
  })
}
