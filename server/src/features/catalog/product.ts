import * as contract from '@aisle/contract/catalog/product'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext, QueryContext, Tx } from '../../kernel/context'
import { historyOf } from '../../kernel/history'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { machineInSight, sightOf } from '../../kernel/scope'
import { holdsAny } from '../../kernel/search'
import { tellListing } from './listing'
import { noteUnlessTaken } from './barcode.store'
import { offerUnknown } from './library/offer.store'
import { pricesOf, recordPrices } from './price.store'
import { standingOf } from './standing.reads'
import { wrongOf } from './product.rules'
import { soundOf } from './product.sound'
import { usesOf } from './product.uses'

type Added = InputOf<typeof contract.addProduct>
type Edited = InputOf<typeof contract.editProduct>
type Typed = Omit<Added, 'merchantId' | 'code'>

/** What is typed of a product and stands in no column of its name; medicines are read by it, too. */
export const productShown = {
  barcodes: sql`coalesce((select json_agg(json_build_object('code', b.code, 'packUnits', b.pack_units)
    order by b.pack_units, b.code) from product_barcode b where b.product_id = product.id), '[]')`,
  conditionIds: sql`coalesce((select json_agg(c.category_id order by c.category_id)
    from product_condition c where c.product_id = product.id), '[]')`,
  producedOn: sql`product.produced_on::text`,
  bestBefore: sql`product.best_before::text`,
}

/** A medicine's class is no part of what is typed of goods: only the commands of medicine hand it over. */
const classIn = (more: object) => ('medicineClass' in more ? (more.medicineClass as contract.MedicineClass) : undefined)

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
  shown: productShown,
  columns: async (_, { name, producedOn, bestBefore, ...more }, row) => {
    const medicineClass = classIn(more) ?? row.medicineClass ?? null
    const kind = medicineClass ? ('medicine' as const) : ('goods' as const)
    return { kind, medicineClass, sound: soundOf(name), producedOn, bestBefore }
  },
  search: ['name', 'code', 'brand'],
  where: {
    q: (value) => sql`id in (${foundAs(value)})`,
    code: (value) => sql`code = ${value}`,
    categoryId: (id) => sql`"categoryId" in (${withBelow(id)})`,
    conditionId: (id) =>
      sql`id in (select product_id from product_condition c where c.category_id in (${withBelow(id)}))`,
  },
  orders: { price: { by: sql`"priceFen"`, type: 'bigint' } },
  uses: usesOf,
})

/**
 * Products by name, code, brand, sound or a whole barcode: one set of ids and no `or`, so that each part is found by
 * its own index.
 */
export const foundAs = (typed: string) => sql`
  select p.id from product p where ${holdsAny([sql`p.name`, sql`p.code`, sql`p.brand`, sql`p.sound`], typed)}
  union all select b.product_id from product_barcode b where b.code = ${typed}`

/** A category and all below it. */
export const withBelow = (id: number) => sql`with recursive below as (
  select ${id}::bigint as id union all select c.id from category c join below b on c.parent_id = b.id)
  select id from below`

export const routes: Route[] = [
  ...listOf(contract.listProducts, products.list),
  query(contract.getProduct, getProduct),
  command(contract.addProduct, (ctx, input) => addProduct(ctx, input)),
  command(contract.editProduct, (ctx, input) => editProduct(ctx, input)),
  command(contract.takeOffline, (ctx, input) => moveProduct('takeOffline')(ctx, input)),
  command(contract.relist, relist),
  command(contract.removeProduct, products.remove),
]

async function getProduct(ctx: QueryContext, { id }: InputOf<typeof contract.getProduct>) {
  const product = await products.get(ctx, { id })
  const [standing, prices, history] = await Promise.all([
    standingOf(ctx.db, sightOf(ctx.actor), id),
    pricesOf(ctx.db, id),
    historyOf(ctx.db, { kind: 'product', id, merchantId: product.merchantId }),
  ])
  return { ...product, standing, prices, history }
}

/** @param medicineClass makes a medicine of it */
export async function addProduct(
  ctx: CommandContext,
  input: Added,
  medicineClass: contract.MedicineClass | null = null,
): Promise<{ id: number }> {
  await refuseWrong(ctx, input.merchantId, input)
  const { id } = await products.add(ctx, { ...input, ...(medicineClass && { medicineClass }) })
  await keepMore(ctx, { id, merchantId: input.merchantId }, input)
  await recordPrices(ctx.tx, [id], { by: ctx.actor.userId, at: ctx.now(), reason: '' })
  return { id }
}

/** In sight and held until the transaction ends, with all that is typed of it. */
export const loadProduct = products.load
export const { remove: removeProduct } = products

/** What is listed no longer is sold from no slot: machines that hold it are told, as they are once it is again. */
export const moveProduct =
  (verb: 'takeOffline' | 'relist') =>
  async (ctx: CommandContext, input: { id: number }): Promise<{ id: number }> => {
    const moved = await products.move(verb)(ctx, input)
    await tellListing(ctx.tx, input.id)
    return moved
  }

/** What a sheet made has no picture yet, and a machine nothing to show of it. */
async function relist(ctx: CommandContext, input: { id: number }): Promise<{ id: number }> {
  const { picture } = await products.load(ctx, input.id)
  if (picture === null) refuse('product.noPicture')
  return moveProduct('relist')(ctx, input)
}

/** @param medicineClass the class of a medicine, as it is now; left out, it stays */
export async function editProduct(
  ctx: CommandContext,
  input: Edited,
  medicineClass: contract.MedicineClass | null = null,
): Promise<{ id: number }> {
  const { id, merchantId } = await products.load(ctx, input.id)
  await refuseWrong(ctx, merchantId, input)
  await products.edit(ctx, { ...input, ...(medicineClass && { medicineClass }) })
  await keepMore(ctx, { id, merchantId }, input)
  await recordPrices(ctx.tx, [id], { by: ctx.actor.userId, at: ctx.now(), reason: '' })
  return { id }
}

/** Categories are of the merchant's own trees or of those above; conditions of the tree of conditions. */
async function refuseWrong(ctx: CommandContext, merchantId: number, typed: Typed): Promise<void> {
  const { picture, categoryId, conditionIds } = typed
  if (picture === null) refuse('product.noPicture')
  const [wrong] = wrongOf(typed)
  if (wrong) refuse(wrong.code)
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
  await offerUnknown(
    ctx,
    product.id,
    typed.barcodes.map(({ code }) => code),
  )
}

async function keepConditions(tx: Tx, id: number, ids: readonly number[]): Promise<void> {
  const kept = sql`category_id = any(${[...ids]}::bigint[])`
  await sql`delete from product_condition where product_id = ${id} and not ${kept}`.execute(tx)
  await sql`insert into product_condition (product_id, category_id)
    select ${id}, unnest(${[...new Set(ids)]}::bigint[]) on conflict do nothing`.execute(tx)
}
