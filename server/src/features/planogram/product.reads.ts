import { unlawfulBecause } from '@aisle/contract/catalog/product'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listPlaceable, Placeable } from '@aisle/contract/planogram/slot'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { allowedProducts, mayPlace, recommendedProducts } from '../fleet/public'
import { isOffered, offeredFen } from '../medicine/public'
import type { PlanMachine } from './machine.store'

type Row = Omit<Placeable, 'unlawful' | 'isInAssortment' | 'recommendedFor'>

/** @param recommended ids of products that come first where that is asked for */
const ordersOf = (recommended: readonly number[]): Record<'recommended' | 'name' | 'code', Order> => ({
  recommended: { by: sql`(case when id = any(${recommended}::bigint[]) then '0' else '1' end || name)`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
  code: { by: sql`code`, type: 'text' },
})

/** What a merchant may sell: its own products and those of merchants above, while they are offered. */
const sellable = (merchantId: number, standsIn: RawBuilder<unknown>) => sql<Row>`
  select p.id, p.code, p.name, p.brand, p.specification, coalesce(k.name, '') as category, p.picture,
    p.medicine_class as "medicineClass",
    coalesce(${offeredFen(sql`c.path`, sql`p.id`)}, p.price_fen) as "priceFen", ${standsIn} as "standsIn"
  from product p join merchant c on c.id = ${merchantId} and p.merchant_id = any(c.path)
  left join category k on k.id = p.category_id
  where p.state = 'online' and ${isOffered(sql`c.path`, sql`p.id`)}`

type Asked = Pick<InputOf<typeof listPlaceable>, 'q' | 'category' | 'sort'>

function search(rows: RawBuilder<Row>, asked: Asked, first: readonly number[]): Listing<Row> {
  const { q, category } = asked
  const where = allOf([
    q && sql`(${holds(sql`name`, q)} or ${holds(sql`code`, q)} or ${holds(sql`brand`, q)})`,
    category && sql`category = ${category}`,
  ])
  return listRows({ rows, where, order: ordersOf(first)[asked.sort] })
}

export async function findPlaceable(
  db: Reader,
  machine: PlanMachine,
  asked: InputOf<typeof listPlaceable>,
): Promise<Listing<Placeable>> {
  const standsIn = sql`(select count(*)::int from slot s where s.product_id = p.id and s.machine_id = ${machine.id})`
  const recommended = [...(await recommendedProducts(db, machine.id))]
  const first = [...new Set(recommended.map(([, productId]) => productId))]
  const allowed = (await allowedProducts(db, [machine.id])).get(machine.id)
  const judged = (row: Row) => ({
    ...row,
    unlawful: unlawfulBecause(machine.licenceMode, row.medicineClass),
    isInAssortment: mayPlace(allowed, row.id),
    recommendedFor: recommended.flatMap(([code, productId]) => (productId === row.id ? [code] : [])),
  })
  return mapRows(search(sellable(machine.merchantId, standsIn), asked, first), (rows) => rows.map(judged))
}

export function findTemplateProducts(merchantId: number, asked: Asked): Listing<Placeable> {
  const free = { unlawful: null, isInAssortment: true, recommendedFor: [] }
  return mapRows(search(sellable(merchantId, sql`0`), asked, []), (rows) => rows.map((row) => ({ ...row, ...free })))
}
