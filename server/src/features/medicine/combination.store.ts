import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import type { Offered, Pair, Piece } from './combination.rules'
import { limitFor } from './limit.store'

type Item = { productId: number; quantity: number }

/** Of the line of a merchant: its own products and those of merchants above. What is not there is missing. */
export async function findPieces(
  db: Reader,
  merchantId: number,
  items: readonly Item[],
): Promise<(Piece & { code: string; priceFen: number })[]> {
  const found = await sql<Piece & { code: string; priceFen: number }>`
    select p.id as "productId", p.code, p.name, p.medicine_class as "medicineClass", p.price_fen as "priceFen",
      coalesce(m.ingredients, '{}') as ingredients, m.limit_group as "limitGroup", l.packs as "limitPacks", i.quantity
    from ${rows('i', items, { productId: 'bigint', quantity: 'int' })}
    join product p on p.id = i.product_id and not p.is_unknown
    join merchant own on own.id = ${merchantId} and p.merchant_id = any(own.path)
    left join medicine m on m.product_id = p.id
    left join lateral (${limitFor(sql`own.id`, sql`m.limit_group`)}) l on true
    order by p.name, p.id`.execute(db)
  return found.rows
}

/** Pairs that must not meet among these ingredients. */
export async function pairsAmong(db: Reader, pieces: readonly Piece[]): Promise<Pair[]> {
  const substances = [...new Set(pieces.flatMap(({ ingredients }) => ingredients))]
  const found = await sql<{ first: string; second: string }>`select first, second from ingredient_pair
    where first = any(${substances}::text[]) and second = any(${substances}::text[]) order by 1, 2`.execute(db)
  return found.rows.map(({ first, second }) => [first, second])
}

export async function putItems(tx: Tx, combinationId: number, items: readonly Item[]): Promise<void> {
  await sql`delete from combination_item where combination_id = ${combinationId}`.execute(tx)
  await sql`insert into combination_item (combination_id, product_id, quantity)
    select ${combinationId}, i.product_id, i.quantity
    from ${rows('i', items, { productId: 'bigint', quantity: 'int' })}`.execute(tx)
}

type Wanted = { merchantId: number; productIds: readonly number[] }

/** Sets on offer of which all products are wanted, by the merchant that sells: its own, and those of those above. */
export async function findOffered(db: Reader, wanted: readonly Wanted[]): Promise<Map<number, Offered[]>> {
  const asked = wanted.flatMap(({ merchantId, productIds }) =>
    productIds.map((productId) => ({ merchantId, productId })),
  )
  if (asked.length === 0) return new Map()
  const found = await sql<Offered & { merchantId: number }>`
    with asked as (select distinct * from ${rows('a', asked, { merchantId: 'bigint', productId: 'bigint' })})
    select a.merchant_id as "merchantId", c.id, c.name, c.price_fen as "priceFen",
      json_agg(json_build_object('productId', i.product_id, 'quantity', i.quantity) order by i.product_id) as items
    from asked a join merchant own on own.id = a.merchant_id
    join combination_item i on i.product_id = a.product_id
    join combination c on c.id = i.combination_id and c.state = 'active' and c.merchant_id = any(own.path)
    group by 1, 2, 3, 4
    having count(*) = (select count(*) from combination_item whole where whole.combination_id = c.id)`.execute(db)
  const byMerchant = new Map<number, Offered[]>()
  for (const { merchantId, ...set } of found.rows) {
    byMerchant.set(merchantId, [...(byMerchant.get(merchantId) ?? []), set])
  }
  return byMerchant
}

/** Sets on offer of which all stands in the plan of a machine, by machine; sold as one order (docs/DEVICES.md). */
export type OfferedSet = {
  id: number
  name: string
  priceFen: number
  items: { product: string; pieces: number }[]
}

export async function findSetsAt(db: Reader, machineIds: readonly number[]): Promise<Map<number, OfferedSet[]>> {
  const found = await sql<OfferedSet & { machineId: number }>`
    select m.id as "machineId", c.id, c.name, c.price_fen as "priceFen", whole.items
    from machine m join merchant own on own.id = m.merchant_id
    join combination c on c.state = 'active' and c.merchant_id = any(own.path)
    cross join lateral (
      select json_agg(json_build_object('product', p.code, 'pieces', i.quantity) order by p.code) as items,
        bool_and(exists (select from slot s where s.machine_id = m.id and s.product_id = i.product_id)) as is_there
      from combination_item i join product p on p.id = i.product_id where i.combination_id = c.id) whole
    where m.id = any(${[...machineIds]}::bigint[]) and whole.is_there order by m.id, c.id`.execute(db)
  const byMachine = new Map<number, OfferedSet[]>(machineIds.map((id) => [id, []]))
  for (const { machineId, ...set } of found.rows) byMachine.get(machineId)?.push(set)
  return byMachine
}

/** Whose set it is, and its products; nothing where it is gone. */
export async function goodsOf(tx: Tx, id: number): Promise<{ merchantId: number; productIds: number[] } | undefined> {
  const found = await sql<{ merchantId: number; productIds: number[] }>`
    select c.merchant_id as "merchantId", array_agg(i.product_id order by i.product_id) as "productIds"
    from combination c join combination_item i on i.combination_id = c.id where c.id = ${id} group by 1`.execute(tx)
  return found.rows[0]
}
