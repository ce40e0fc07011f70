import { unlawfulBecause } from '@aisle/contract/catalog/product'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listPlaceable, Placeable } from '@aisle/contract/planogram/slot'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { allowedProducts, mayPlace, recommendedProducts } from '../fleet/public'
import type { PlanMachine } from './machine.store'

type Row = Omit<Placeable, 'unlawful' | 'isInAssortment' | 'recommendedFor'>

/** @param recommended ids of products that come first where that is asked for */
const ordersOf = (recommended: readonly number[]): Record<'recommended' | 'name' | 'code', Order> => ({
  recommended: { by: sql`(case when id = any(${recommended}::bigint[]) then '0' else '1' end || name)`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
  code: { by: sql`code`, type: 'text' },
})

/** What a merchant may sell: its own products and those of merchants above, while they are offered. */
const sellable = (merchantId: number, standsIn: RawBuilder<unknown>) => sql`
  select p.id, p.code, p.name, p.brand, p.specification, p.category, p.picture, p.medicine_class as "medicineClass",
    p.price_fen as "priceFen", ${standsIn} as "standsIn"
  from product p join merchant c on c.id = ${merchantId} and p.merchant_id = any(c.path)
  where p.state = 'online'`

type Asked = Pick<InputOf<typeof listPlaceable>, 'q' | 'category' | 'sort' | 'cursor' | 'pageSize'>

function search(db: Reader, rows: RawBuilder<unknown>, asked: Asked, first: readonly number[]): Promise<Page<Row>> {
  const { q, category } = asked
  const where = allOf([
    q && sql`(${holds(sql`name`, q)} or ${holds(sql`code`, q)} or ${holds(sql`brand`, q)})`,
    category && sql`category = ${category}`,
  ])
  return listRows<Row>(db, { rows, where, order: ordersOf(first)[asked.sort] }, asked)
}

export async function findPlaceable(
  db: Reader,
  machine: PlanMachine,
  asked: InputOf<typeof listPlaceable>,
): Promise<Page<Placeable>> {
  const standsIn = sql`(select count(*)::int from slot s where s.product_id = p.id and s.machine_id = ${machine.id})`
  const recommended = [...(await recommendedProducts(db, machine.id))]
  const first = [...new Set(recommended.map(([, productId]) => productId))]
  const page = await search(db, sellable(machine.merchantId, standsIn), asked, first)
  const allowed = (await allowedProducts(db, [machine.id])).get(machine.id)
  const judged = (row: Row) => ({
    ...row,
    unlawful: unlawfulBecause(machine.licenceMode, row.medicineClass),
    isInAssortment: mayPlace(allowed, row.id),
    recommendedFor: recommended.flatMap(([code, productId]) => (productId === row.id ? [code] : [])),
  })
  return { ...page, items: page.items.map(judged) }
}

export async function findTemplateProducts(db: Reader, merchantId: number, asked: Asked): Promise<Page<Placeable>> {
  const page = await search(db, sellable(merchantId, sql`0`), asked, [])
  const free = { unlawful: null, isInAssortment: true, recommendedFor: [] }
  return { ...page, items: page.items.map((row) => ({ ...row, ...free })) }
}
