import type { getDispute, listDisputes, SettlementDispute } from '@aisle/contract/settlement/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { isPlatformsOwn, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { settledInSight, toAnswer } from './batch.store'

type Filter = InputOf<typeof listDisputes>

const rowsInSight = (sight: Sight): RawBuilder<SettlementDispute> => sql`
  select d.id, d.order_no as "orderNo", d.settlement_id as "settlementId", d.merchant_id as "merchantId",
    to_char(s.business_day, 'YYYY-MM-DD') as "businessDay", m.name as "merchantName", s.method,
    i.amount_fen as "amountFen", d.reason, d.state, u.display_name as "raisedBy", d.raised_by as "raisedById",
    ${toAnswer(sight)} as "toAnswer",
    to_json(d.raised_at) #>> '{}' as "raisedAt", d.correction, d.answer, a.display_name as "answeredBy",
    to_json(d.answered_at) #>> '{}' as "answeredAt"
  from settlement_dispute d join settlement s on s.id = d.settlement_id join merchant m on m.id = d.merchant_id
  join settled_item i on i.kind = d.item_kind and i.reference = d.order_id
  join app_user u on u.id = d.raised_by left join app_user a on a.id = d.answered_by
  where ${settledInSight(sight, sql`d.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  oldest: { by: sql`id`, type: 'bigint' },
}

export function listDisputesIn(ctx: QueryContext, filter: Filter): Listing<SettlementDispute> {
  const { state, orderNo, merchantId, settlementId, sort } = filter
  const where = allOf([
    isAnyOf(sql`state`, state, { toAnswer: sql`"toAnswer"` }),
    orderNo && sql`"orderNo" = ${orderNo}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    settlementId && sql`"settlementId" = ${settlementId}`,
  ])
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order: orders[sort] })
}

export async function findDispute(ctx: QueryContext, { id }: { id: number }): Promise<OutputOf<typeof getDispute>> {
  const found = await sql<SettlementDispute & { raisedById: number }>`
    select * from (${rowsInSight(sightOf(ctx.actor))}) seen where id = ${id}`.execute(ctx.db)
  const row = existing(found.rows[0])
  return { ...row, isPlatform: await isPlatformsOwn(ctx.db, ctx.actor), isMine: row.raisedById === ctx.actor.userId }
}
