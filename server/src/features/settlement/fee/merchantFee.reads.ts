import type { getMerchantFees, HeldFee, listMerchantFees, MerchantFees } from '@aisle/contract/settlement/fee'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { todayOf } from './feeRule.reads'
import { nearestFirst, reaching, terms } from './feeRule.store'

type Merchant = Pick<MerchantFees, 'id' | 'merchantName' | 'parentName'>

const byName: Order = { by: sql`"merchantName"`, type: 'text' }
const rowsInSight = (ctx: QueryContext) => sql<Merchant>`
  select m.id, m.name as "merchantName", p.name as "parentName", m.path,
    exists (select 1 from fee_rule f where f.merchant_id = m.id and ${reaching(todayOf(ctx))}) as "isOwn"
  from merchant m left join merchant p on p.id = m.parent_id where ${merchantInSight(sightOf(ctx.actor), sql`m.id`)}`

export function merchantFeePage(ctx: QueryContext, filter: InputOf<typeof listMerchantFees>): Listing<MerchantFees> {
  const { q, own, merchantId } = filter
  const where = allOf([
    q && holds(sql`"merchantName"`, q),
    own && sql`"isOwn" = ${own === 'yes'}`,
    merchantId && sql`path @> array[${merchantId}]::bigint[]`,
  ])
  return mapRows(listRows({ rows: rowsInSight(ctx), where, order: byName }), async (rows, reader) => {
    const held = await heldBy(
      ctx,
      reader,
      rows.map(({ id }) => id),
    )
    return rows.map(({ id, merchantName, parentName }) => {
      const its = held.filter((fee) => fee.merchantId === id)
      const rate = (subject: HeldFee['subject']) => its.find((fee) => fee.subject === subject)?.ratePercent ?? 0
      return {
        id,
        merchantName,
        parentName,
        ownTerms: its.filter(({ ofId }) => ofId === id).length,
        alipay: rate('alipay'),
        wechat: rate('wechat'),
        unionpay: rate('unionpay'),
        memberCard: rate('member_card'),
        functionSale: rate('function_sale'),
        tax: rate('tax'),
        withdrawal: rate('withdrawal'),
      }
    })
  })
}

const columns = (ctx: QueryContext) => sql`${terms}, f.merchant_id as "ofId",
  coalesce(o.name, ${word(ctx.language, 'settlement', 'fee.forAll')}) as "ofName", m.id as "merchantId"`

type Held = HeldFee & { merchantId: number }

async function heldBy(ctx: QueryContext, db: Reader, merchantIds: readonly number[]) {
  const found = await sql<Held>`
    select distinct on (m.id, f.subject) ${columns(ctx)}
    from merchant m join fee_rule f on ${reaching(todayOf(ctx))} left join merchant o on o.id = f.merchant_id
    where m.id = any(${[...merchantIds]}::bigint[]) order by m.id, f.subject, ${nearestFirst}`.execute(db)
  return found.rows
}

type Detail = OutputOf<typeof getMerchantFees>

export async function merchantFees(ctx: QueryContext, { id }: InputOf<typeof getMerchantFees>): Promise<Detail> {
  const found = await sql<Merchant>`select * from (${rowsInSight(ctx)}) seen where id = ${id}`.execute(ctx.db)
  const { merchantName } = existing(found.rows[0])
  const coming = await sql<Held>`select ${columns(ctx)}
    from merchant m join fee_rule f on f.merchant_id = any(m.path) left join merchant o on o.id = f.merchant_id
    where m.id = ${id} and f.valid_from > ${todayOf(ctx)}::date order by f.valid_from, f.subject limit 100`.execute(
    ctx.db,
  )
  return { id, merchantName, held: await heldBy(ctx, ctx.db, [id]), coming: coming.rows }
}
