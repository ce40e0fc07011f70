import { purchaseOrderState, type PurchaseOrderState } from '@aisle/contract/purchase/order'
import type { SupplierPrice } from '@aisle/contract/purchase/supplierProduct'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, Tx } from '../../../kernel/context'
import { refusedBy } from '../../../kernel/constraint'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful, stateTo } from '../../../kernel/states'
import { faultOfSupplier, type MedicineClass } from '../supplier.rules'
import { sharedStanding, type Standing } from '../supplier.store'

/** @throws Refusal purchaseOrder.state */
export const purchaseOrders = stateful('purchaseOrder', 'state', purchaseOrderState, {
  versioned: true,
  refuse: ({ no }: HeldOrder) => refuse('purchaseOrder.state', { no }),
})

export type HeldOrder = {
  id: number
  merchantId: number
  no: string
  supplierId: number
  warehouseId: number
  state: PurchaseOrderState
  dueOn: string
  note: string
  madeBy: number | null
  version: number
}
type Verb = keyof typeof purchaseOrderState.moves

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdOrder(ctx: CommandContext, id: number, verb: Verb | null): Promise<HeldOrder> {
  const found = await sql<HeldOrder>`
    select o.id, o.merchant_id as "merchantId", o.no, o.supplier_id as "supplierId", o.warehouse_id as "warehouseId",
      o.state, to_char(o.due_on, 'YYYY-MM-DD') as "dueOn", o.note, o.made_by as "madeBy", o.version
    from purchase_order o
    where o.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)} for update of o`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) purchaseOrders.must(held, verb)
  return held
}

type Facts = Record<string, unknown> | null
type Deed = { verb: string; note?: string; before: Facts; after: Facts }

/** The row itself is moved by the caller; here its story and the audit. */
export async function recordOrder(
  ctx: CommandContext,
  { id, merchantId }: Pick<HeldOrder, 'id' | 'merchantId'>,
  { verb, note = '', before, after }: Deed,
): Promise<void> {
  await sql`insert into purchase_event (order_id, at, verb, user_id, note)
    values (${id}, ${ctx.now()}, ${verb}, ${ctx.actor.userId}, ${note})`.execute(ctx.tx)
  await ctx.audit({ merchantId, objectKind: 'purchaseOrder', objectId: id, before, after })
}

/** Whoever wrote any of it does not agree to it. */
export const wroteIt = (orderId: number, userId: number) => sql<boolean>`exists (select from purchase_event e
  where e.order_id = ${orderId} and e.user_id = ${userId} and e.verb in ('add', 'edit', 'submit', 'pass'))`

export type OrderLine = {
  line: number
  productId: number
  productName: string
  supplierProductId: number
  medicineClass: MedicineClass | null
  packs: number
  packUnits: number
  pieces: number
  priceFen: number
  claimed: number
  received: number
}

export async function linesOf(tx: Tx, orderId: number): Promise<OrderLine[]> {
  const found = await sql<OrderLine>`
    select l.line, l.product_id as "productId", p.name as "productName",
      l.supplier_product_id as "supplierProductId", p.medicine_class as "medicineClass", l.packs,
      l.pack_units as "packUnits", l.pieces, l.price_fen as "priceFen", l.claimed, l.received
    from purchase_order_line l join product p on p.id = l.product_id
    where l.order_id = ${orderId} order by l.line`.execute(tx)
  return found.rows
}

export type NewLine = {
  supplierProductId: number
  productId: number
  packs: number
  packUnits: number
  priceFen: number
  listFen: number | null
  taxPermille: number
  most: number
}

export async function putLines(tx: Tx, orderId: number, lines: readonly NewLine[]): Promise<void> {
  await sql`delete from purchase_order_line where order_id = ${orderId}`.execute(tx)
  const numbered = lines.map((line, at) => ({ ...line, line: at + 1 }))
  await sql`insert into purchase_order_line (order_id, line, supplier_product_id, product_id, packs, pack_units,
      price_fen, list_fen, tax_permille, most)
    select ${orderId}, l.line, l.supplier_product_id, l.product_id, l.packs, l.pack_units, l.price_fen, l.list_fen,
      l.tax_permille, l.most
    from ${rows('l', numbered, {
      line: 'int',
      supplierProductId: 'bigint',
      productId: 'bigint',
      packs: 'int',
      packUnits: 'int',
      priceFen: 'bigint',
      listFen: 'bigint',
      taxPermille: 'int',
      most: 'int',
    })}`.execute(tx)
}

export type Listed = {
  id: number
  productId: number
  productName: string
  packUnits: number
  leadDays: number
  taxPermille: number
  prices: SupplierPrice[]
}

/** What a supplier delivers of these, as far as it is ordered from it. */
export const listedOf = (tx: Tx, supplierId: number, ids: readonly number[]) =>
  findListed(tx, supplierId, sql`s.id = any(${[...ids]}::bigint[])`)

/** The same, by what the products are. */
export const listedFor = (tx: Tx, supplierId: number, productIds: readonly number[]) =>
  findListed(tx, supplierId, sql`s.product_id = any(${[...productIds]}::bigint[])`)

async function findListed(tx: Tx, supplierId: number, which: RawBuilder<unknown>): Promise<Listed[]> {
  const found = await sql<Listed>`
    select s.id, s.product_id as "productId", p.name as "productName", s.pack_units as "packUnits",
      s.lead_days as "leadDays", s.tax_permille as "taxPermille",
      coalesce((select json_agg(json_build_object('fromOn', to_char(c.from_on, 'YYYY-MM-DD'),
          'toOn', to_char(c.to_on, 'YYYY-MM-DD'), 'fromPacks', c.from_packs, 'priceFen', c.price_fen))
        from supplier_price c where c.supplier_product_id = s.id), '[]') as prices
    from supplier_product s join product p on p.id = s.product_id
    where s.supplier_id = ${supplierId} and ${which} and s.state = 'active'`.execute(tx)
  return found.rows
}

/** Stays so until the transaction ends, with its papers as they are today. @throws Refusal for one out of sight */
export async function holdSupplier(ctx: CommandContext, id: number): Promise<Standing> {
  const inSight = merchantInSight(sightOf(ctx.actor), sql`s.merchant_id`)
  return existing((await sharedStanding(ctx.tx, ctx.now(), sql`s.id = ${id} and ${inSight}`))[0])
}

type Goods = { medicineClass: MedicineClass | null }

/** @throws Refusal naming what stands against buying these goods of the supplier today */
export function refuseSupplier(supplier: Standing, goods: readonly Goods[]): void {
  const classes = [...new Set(goods.flatMap(({ medicineClass }) => medicineClass ?? []))]
  const fault = faultOfSupplier(supplier, classes)
  if (fault) refuse(fault, { name: supplier.name, count: supplier.missing.length })
}

/** What one person let pass today, as days go where the merchant is. */
export async function passedToday(ctx: CommandContext, merchantId: number): Promise<number> {
  const found = await sql<{ fen: number }>`
    select coalesce(sum(l.packs * l.price_fen), 0)::bigint as fen
    from purchase_order o join merchant m on m.id = o.merchant_id
    join purchase_order_line l on l.order_id = o.id
    where o.merchant_id = ${merchantId} and o.state <> ${stateTo(purchaseOrderState, 'cancel')}
      and o.approver is null
      and o.approved_at >= date_trunc('day', ${ctx.now()}::timestamptz at time zone m.time_zone)
        at time zone m.time_zone
      and exists (select from purchase_event e
        where e.order_id = o.id and e.verb = 'pass' and e.user_id = ${ctx.actor.userId})`.execute(ctx.tx)
  return found.rows[0]?.fen ?? 0
}

type Claim = { line: number; claimed: number; received: number }

/**
 * What a receipt counted of lines, and what of it was taken in; below 0 where it is given up. However many count at
 * once, the database lets no more through than may come. @throws Refusal receipt.over
 */
export async function claimLines(tx: Tx, order: HeldOrder, claims: readonly Claim[]): Promise<void> {
  const given = rows('c', claims, { line: 'int', claimed: 'int', received: 'int' })
  await refusedBy(
    'purchase_order_line_most',
    sql`update purchase_order_line l set claimed = l.claimed + c.claimed, received = l.received + c.received
      from ${given} where l.order_id = ${order.id} and l.line = c.line`.execute(tx),
    () => refusal('receipt.over', { no: order.no }),
  )
}
