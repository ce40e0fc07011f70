import * as contract from '@aisle/contract/catalog/product'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { pinyin } from 'pinyin-pro'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext, Tx } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { holds } from '../../kernel/list'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { machineInSight } from '../../kernel/scope'
import { noteUnlessTaken } from './barcode.store'
import { recordPrices } from './price.store'
import { usesOf } from './product.uses'

type Added = InputOf<typeof contract.addProduct>
type Typed = Omit<Added, 'merchantId' | 'code'>

/** What a merchant sells; what only machines have named is no such thing. */
export const products = kept(contract.product, {
  table: 'product',
  among: sql<boolean>`not product.is_unknown`,
  joins: () => sql`left join category on category.id = product.category_id`,
  facts: (sight) => ({
    kind: sql`product.kind`,
    medicineClass: sql`product.medicine_class`,
    categoryName: sql`category.name`,
    slotCount: sql`(select count(*)::int from slot s
      where s.product_id = product.id and ${machineInSight(sight, sql`s.machine_id`)})`,
    stock: sql`(select coalesce(sum(l.quantity), 0)::int from slot s
      join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      where s.product_id = product.id and ${machineInSight(sight, sql`s.machine_id`)})`,
    pricedAt: sql`(select to_json(max(p.changed_at)) #>> '{}' from product_price p where p.product_id = product.id)`,
  }),
  shown: {
    barcodes: sql`coalesce((select json_agg(json_build_object('code', b.code, 'packUnits', b.pack_units)
      order by b.pack_units, b.code) from product_barcode b where b.product_id = product.id), '[]')`,
    conditionIds: sql`coalesce((select json_agg(c.category_id order by c.category_id)
      from product_condition c where c.product_id = product.id), '[]')`,
    producedOn: sql`product.produced_on::text`,
    bestBefore: sql`product.best_before::text`,
  },
  columns: async (_, { name, producedOn, bestBefore }, row) => ({
    kind: row.kind ?? 'goods',
    sound: soundOf(name),
    producedOn,
    bestBefore,
  }),
  search: ['name', 'code', 'brand'],
  where: {
    q: (value) => sql`(${holds(sql`name`, value)} or ${holds(sql`code`, value)} or ${holds(sql`brand`, value)}
      or id in (select product_id from product_barcode b where b.code = ${value})
      or id in (select p.id from product p where ${holds(sql`p.sound`, value.toLowerCase())}))`,
    code: (value) => sql`code = ${value}`,
    categoryId: (id) => sql`"categoryId" in (with recursive below as (
      select ${id}::bigint as id union all select c.id from category c join below b on c.parent_id = b.id)
      select id from below)`,
    conditionId: (id) => sql`id in (select product_id from product_condition c where c.category_id = ${id})`,
  },
  orders: { price: { by: sql`"priceFen"`, type: 'bigint' } },
  uses: usesOf,
})

export const routes: Route[] = [
  ...listOf(contract.listProducts, products.list),
  query(contract.getProduct, products.get),
  command(contract.addProduct, addProduct),
  command(contract.editProduct, editProduct),
  command(contract.takeOffline, products.move('takeOffline')),
  command(contract.relist, products.move('relist')),
  command(contract.removeProduct, products.remove),
]

/** Whole pinyin and initials, so that `kele` and `kl` both find 可乐. */
export const soundOf = (name: string): string => {
  const whole = pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive' })
  const initials = pinyin(name, { toneType: 'none', pattern: 'first', type: 'array', nonZh: 'consecutive' })
  return `${whole.join('')} ${initials.join('')}`.toLowerCase().slice(0, 400)
}

export async function addProduct(ctx: CommandContext, input: Added): Promise<{ id: number }> {
  await refuseWrong(ctx, input.merchantId, input)
  const { id } = await products.add(ctx, input)
  await keepMore(ctx, { id, merchantId: input.merchantId }, input)
  await recordPrices(ctx.tx, [id], { by: ctx.actor.userId, at: ctx.now(), reason: '' })
  return { id }
}

async function editProduct(ctx: CommandContext, input: InputOf<typeof contract.editProduct>): Promise<{ id: number }> {
  const { id, merchantId } = await products.load(ctx, input.id)
  await refuseWrong(ctx, merchantId, input)
  await products.edit(ctx, input)
  await keepMore(ctx, { id, merchantId }, input)
  await recordPrices(ctx.tx, [id], { by: ctx.actor.userId, at: ctx.now(), reason: '' })
  return { id }
}

/** Categories are of the merchant's own trees or of those above; conditions of the tree of conditions. */
async function refuseWrong(ctx: CommandContext, merchantId: number, typed: Typed): Promise<void> {
  const { picture, producedOn, bestBefore, categoryId, conditionIds } = typed
  if (picture === null) refuse('product.noPicture')
  if (producedOn && bestBefore && bestBefore < producedOn) refuse('product.dates')
  const wanted = [
    ...(categoryId ? [{ id: categoryId, isCondition: false }] : []),
    ...conditionIds.map((id) => ({ id, isCondition: true })),
  ]
  if (wanted.length === 0) return
  const found = await sql<{
    id: number
  }>`select c.id from ${rows('w', wanted, { id: 'bigint', isCondition: 'boolean' })}
    join category c on c.id = w.id and (c.tree = 'condition') = w.is_condition and c.tree <> 'combination'
    join merchant own on own.id = ${merchantId} and c.merchant_id = any(own.path)`.execute(ctx.tx)
  if (found.rows.length < wanted.length) refuse('product.categoryUnknown')
}

async function keepMore(ctx: CommandContext, product: { id: number; merchantId: number }, typed: Typed): Promise<void> {
  await noteUnlessTaken(ctx.tx, product, typed.barcodes)
  await keepConditions(ctx.tx, product.id, typed.conditionIds)
}

async function keepConditions(tx: Tx, id: number, ids: readonly number[]): Promise<void> {
  const kept = sql`category_id = any(${[...ids]}::bigint[])`
  await sql`delete from product_condition where product_id = ${id} and not ${kept}`.execute(tx)
  await sql`insert into product_condition (product_id, category_id)
    select ${id}, unnest(${[...new Set(ids)]}::bigint[]) on conflict do nothing`.execute(tx)
}
