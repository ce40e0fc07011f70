import type { getMarkdown, listMarkdowns, Markdown } from '@aisle/contract/promotion/markdown'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'

type Filter = InputOf<typeof listMarkdowns>

const rowsInSight = (sight: Sight): RawBuilder<Markdown> => sql`
  select k.id, k.merchant_id as "merchantId", m.name as "merchantName", p.id as "productId", p.code as "productCode",
    p.name as "productName", b.number as batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
    k.paid_percent as "paidPercent", k.state, to_json(k.starts_at) #>> '{}' as "startsAt",
    to_json(k.ends_at) #>> '{}' as "endsAt", coalesce(k.ends_at, 'infinity') as "endsOn",
    (select count(*)::int from markdown_machine x where x.markdown_id = k.id) as "machineCount",
    (select count(*)::int from markdown_slot c where c.markdown_id = k.id and c.ended_at is null) as "slotCount",
    (select coalesce(sum(l.quantity), 0)::int from markdown_slot c join slot s on s.id = c.slot_id
      join stock_level l on l.place_id = s.place_id and l.product_id = k.product_id
      where c.markdown_id = k.id and c.ended_at is null) as pieces,
    k.reason, u.display_name as "createdBy", to_json(k.created_at) #>> '{}' as "createdAt",
    to_json(k.ended_at) #>> '{}' as "endedAt", k.version
  from markdown k join merchant m on m.id = k.merchant_id join product p on p.id = k.product_id
  left join medicine_batch b on b.id = k.batch_id left join app_user u on u.id = k.created_by
  where ${merchantInSight(sight, sql`k.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  ends: { by: sql`coalesce(extract(epoch from nullif("endsOn", 'infinity'))::bigint, 99999999999)`, type: 'bigint' },
}

export function listMarkdownsIn(ctx: QueryContext, filter: Filter): Listing<Markdown> {
  const { q, state, lasting, productId, merchantId, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or "productCode" = ${q} or ${holds(sql`coalesce(batch, '')`, q)})`,
    isAnyOf(sql`state`, state),
    lasting && sql`"endedAt" is null`,
    productId && sql`"productId" = ${productId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order: orders[sort] })
}

type Detail = OutputOf<typeof getMarkdown>

export async function detail(ctx: QueryContext, id: number): Promise<Detail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Markdown & { version: number }>`select * from (${rowsInSight(sight)}) seen
    where id = ${id}`.execute(ctx.db)
  const markdown = existing(found.rows[0])
  return { ...markdown, ...(await findSold(ctx.db, id)), slots: await findSlots(ctx.db, sight, id) }
}

/** Of pieces whose money stayed and that came out. */
async function findSold(db: Reader, id: number): Promise<Pick<Detail, 'soldPieces' | 'forgoneFen'>> {
  const found = await sql<Pick<Detail, 'soldPieces' | 'forgoneFen'>>`
    select count(*)::int as "soldPieces", coalesce(sum(t.before_fen - t.after_fen), 0)::bigint as "forgoneFen"
    from order_price_step t join order_number n on n.order_id = t.order_id
    join order_item i on i.merchant_id = n.merchant_id and i.occurred_at = n.occurred_at and i.order_id = n.order_id
      and i.index = t.index
    where t.kind = 'markdown' and t.reference = ${id} and i.state = 'dispensed'`.execute(db)
  return found.rows[0] ?? { soldPieces: 0, forgoneFen: 0 }
}

async function findSlots(db: Reader, sight: Sight, id: number): Promise<Detail['slots']> {
  const found = await sql<Detail['slots'][number]>`
    select s.id, a.code as "machineCode", s.code as "slotCode", coalesce(s.price_fen, 0) as "listFen",
      o.struck_fen as "struckFen",
      case when s.price_fen > 0 then marked_down_fen(s.price_fen, k.paid_percent) else 0 end as "priceFen",
      s.price_fen > 0 and marked_down_fen(s.price_fen, k.paid_percent) < p.cost_fen as "isBelowCost",
      coalesce(l.quantity, 0) as pieces
    from markdown_slot c join markdown k on k.id = c.markdown_id join slot s on s.id = c.slot_id
    join machine a on a.id = s.machine_id join product p on p.id = k.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = k.product_id
    left join slot_offer o on o.slot_id = s.id and o.product_id = s.product_id
    where c.markdown_id = ${id} and c.ended_at is null and ${machineInSight(sight, sql`a.id`)}
    order by a.code, s.layer, s.position limit 500`.execute(db)
  return found.rows
}
