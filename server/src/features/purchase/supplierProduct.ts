import type { InputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/purchase/supplierProduct'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext, Tx } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { dayAt } from '../../kernel/platformDays'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf } from '../../kernel/scope'

/** The price of a single pack on a day: as `priceOn` has it. */
const packFen = (now: Date) => sql`(select c.price_fen from supplier_price c
  where c.supplier_product_id = supplier_product.id and c.from_packs = 1
    and c.from_on <= ${dayAt(now, sql`owner.time_zone`)}
    and (c.to_on is null or c.to_on >= ${dayAt(now, sql`owner.time_zone`)})
  order by c.from_on desc limit 1)`

const products = kept(contract.supplierProduct, {
  table: 'supplierProduct',
  joins: () => sql`join supplier s on s.id = supplier_product.supplier_id
    join product p on p.id = supplier_product.product_id`,
  facts: (_, now) => ({
    supplierName: sql`s.name`,
    supplierState: sql`s.state`,
    productCode: sql`p.code`,
    productName: sql`p.name`,
    specification: sql`p.specification`,
    isMedicine: sql`p.kind = 'medicine'`,
    packFen: packFen(now),
    pieceFen: sql`round(${packFen(now)}::numeric / supplier_product.pack_units)::bigint`,
  }),
  shown: {
    prices: sql`coalesce((select json_agg(json_build_object('fromOn', to_char(c.from_on, 'YYYY-MM-DD'),
        'toOn', to_char(c.to_on, 'YYYY-MM-DD'), 'fromPacks', c.from_packs, 'priceFen', c.price_fen)
        order by c.from_packs, c.from_on)
      from supplier_price c where c.supplier_product_id = supplier_product.id), '[]')`,
  },
  uses: (id) => sql`select o.no as name from purchase_order_line l join purchase_order o on o.id = l.order_id
    where l.supplier_product_id = ${id} order by 1`,
  search: ['productName', 'productCode', 'supplierName', 'supplierCode'],
  orders: {
    product: { by: sql`"productName"`, type: 'text' },
    cheapest: { by: sql`coalesce("pieceFen", 1000000000000)`, type: 'bigint' },
  },
})

export const routes: Route[] = [
  ...listOf(contract.listSupplierProducts, products.list),
  query(contract.getSupplierProduct, products.get),
  command(contract.addSupplierProduct, add),
  command(contract.editSupplierProduct, async (ctx, input) => {
    refuseDouble(input.prices)
    const { id } = await products.edit(ctx, input)
    await putPrices(ctx.tx, id, input.prices)
    return { id }
  }),
  command(contract.stopSupplierProduct, products.move('stop')),
  command(contract.resumeSupplierProduct, products.move('resume')),
  command(contract.removeSupplierProduct, products.remove),
]

/** Of the line of the supplier's merchant: its own products and those of merchants above. */
async function add(ctx: CommandContext, input: InputOf<typeof contract.addSupplierProduct>): Promise<{ id: number }> {
  refuseDouble(input.prices)
  const supplier = await sql<{ merchantId: number }>`select s.merchant_id as "merchantId" from supplier s
    where s.id = ${input.supplierId} and ${merchantInSight(sightOf(ctx.actor), sql`s.merchant_id`)}`.execute(ctx.tx)
  if (existing(supplier.rows[0]).merchantId !== input.merchantId) refuse('supplierProduct.unknown')
  const product = await sql`select from product p join merchant own on own.id = ${input.merchantId}
    where p.id = ${input.productId} and not p.is_unknown and p.merchant_id = any(own.path)`.execute(ctx.tx)
  if (product.rows.length === 0) refuse('supplierProduct.unknown')
  const { id } = await products.add(ctx, input)
  await putPrices(ctx.tx, id, input.prices)
  return { id }
}

type Prices = readonly contract.SupplierPrice[]

/** Two that begin on one day for as many packs can't both be meant; one that ends before it begins is a slip. */
function refuseDouble(prices: Prices): void {
  const starts = new Set(prices.map(({ fromOn, fromPacks }) => `${fromOn}/${fromPacks}`))
  const isPeriod = ({ fromOn, toOn }: contract.SupplierPrice) => toOn === null || fromOn <= toOn
  if (starts.size < prices.length || !prices.every(isPeriod)) refuse('supplierProduct.prices')
}

async function putPrices(tx: Tx, id: number, prices: Prices): Promise<void> {
  await sql`delete from supplier_price where supplier_product_id = ${id}`.execute(tx)
  await sql`insert into supplier_price (supplier_product_id, from_on, to_on, from_packs, price_fen)
    select ${id}, c.from_on, c.to_on, c.from_packs, c.price_fen
    from ${rows('c', prices, { fromOn: 'date', toOn: 'date', fromPacks: 'int', priceFen: 'bigint' })}`.execute(tx)
}
