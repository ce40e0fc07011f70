import { purchaseOrderState } from '@aisle/contract/purchase/order'
import { purchasePlanState } from '@aisle/contract/purchase/plan'
import { priceOn, type SupplierPrice } from '@aisle/contract/purchase/supplierProduct'
import { mayStore, type StorageClass } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import type { CommandContext, Reader } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful, statesIn } from '../../../kernel/states'
import { faultOfSupplier, type MedicineClass } from '../supplier.rules'
import { standingFor } from '../supplier.store'
import { hindranceOf, type Lot, type Option } from './plan.rules'

/** @throws Refusal purchasePlan.state */
export const purchasePlans = stateful('purchasePlan', 'state', purchasePlanState, {
  versioned: true,
  refuse: ({ no }: HeldPlan) => refuse('purchasePlan.state', { no }),
})

export type HeldPlan = {
  id: number
  merchantId: number
  no: string
  state: (typeof purchasePlanState.states)[number]
  warehouseId: number
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdPlan(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof purchasePlanState.moves | null,
): Promise<HeldPlan> {
  const found = await sql<HeldPlan>`
    select p.id, p.merchant_id as "merchantId", p.no, p.state, p.warehouse_id as "warehouseId" from purchase_plan p
    where p.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)} for update of p`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) purchasePlans.must(held, verb)
  return held
}

type Stock = { productId: number; kind: 'warehouse' | 'transit' | 'replenisher' } & Lot

/** What a merchant has of these products outside of machines: in warehouses, on the way between them, and in bags. */
export async function stockOf(db: Reader, merchantId: number, productIds: readonly number[]): Promise<Stock[]> {
  const found = await sql<Stock>`
    select p.id as "productId", o.kind, x.quantity, b.state, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn"
    from place o join stock_level l on l.place_id = o.id and l.product_id = any(${[...productIds]}::bigint[])
    join product p on p.id = l.product_id
    cross join lateral (
      select '' as batch, l.quantity where p.kind <> 'medicine' and l.quantity > 0
      union all
      select v.batch, v.quantity from batch_level v
      where p.kind = 'medicine' and v.place_id = l.place_id and v.product_id = l.product_id and v.quantity > 0) x
    left join medicine_batch b on b.product_id = p.id and b.number = x.batch
    where o.merchant_id = ${merchantId} and o.kind in ('warehouse', 'transit', 'replenisher')`.execute(db)
  return found.rows
}

/** Ordered and not here yet, drafts too: whoever plans twice orders once. */
export async function comingOf(db: Reader, merchantId: number): Promise<Map<number, number>> {
  const found = await sql<{ productId: number; pieces: number }>`
    select l.product_id as "productId", sum(greatest(0, l.pieces - l.received))::int as pieces
    from purchase_order o join purchase_order_line l on l.order_id = o.id
    where o.merchant_id = ${merchantId} and o.state not in ${statesIn(purchaseOrderState, 'over')} group by 1`.execute(
    db,
  )
  return new Map(found.rows.map(({ productId, pieces }) => [productId, pieces]))
}

type Listed = Omit<Option, 'hindrance' | 'packFen'> & {
  productId: number
  medicineClass: MedicineClass | null
  storage: StorageClass | null
  warehouseStorage: StorageClass
  prices: SupplierPrice[]
}
export type Offered = Option & { productId: number; prices: SupplierPrice[]; day: string }

/** Who delivers these products to a warehouse, and what speaks against it today. */
export async function optionsFor(
  db: Reader,
  { warehouseId, now }: { warehouseId: number; now: Date },
  productIds: readonly number[],
): Promise<Map<number, Offered[]>> {
  const found = await sql<Listed>`
    select s.id as "supplierProductId", s.supplier_id as "supplierId", s.product_id as "productId",
      s.pack_units as "packUnits", s.minimum_packs as "minimumPacks", s.lead_days as "leadDays", s.preference,
      p.medicine_class as "medicineClass", w.storage as "warehouseStorage",
      case when p.kind = 'medicine' then coalesce(m.storage, 'room') end as storage,
      coalesce((select json_agg(json_build_object('fromOn', to_char(c.from_on, 'YYYY-MM-DD'),
          'toOn', to_char(c.to_on, 'YYYY-MM-DD'), 'fromPacks', c.from_packs, 'priceFen', c.price_fen))
        from supplier_price c where c.supplier_product_id = s.id), '[]') as prices
    from warehouse w join supplier_product s on s.merchant_id = w.merchant_id
    join product p on p.id = s.product_id left join medicine m on m.product_id = p.id
    where w.id = ${warehouseId} and s.state = 'active' and s.product_id = any(${[...productIds]}::bigint[])
    order by s.id`.execute(db)
  const ids = [...new Set(found.rows.map(({ supplierId }) => supplierId))]
  const standings = new Map(
    (await standingFor(db, now, sql`s.id = any(${ids}::bigint[])`)).map((each) => [each.id, each]),
  )
  const options = new Map<number, Offered[]>()
  for (const { medicineClass, storage, warehouseStorage, ...listed } of found.rows) {
    const supplier = must(standings.get(listed.supplierId), 'who delivers it')
    const packFen = priceOn(listed.prices, supplier.day, 1)?.priceFen ?? null
    const hindrance = hindranceOf({
      fits: storage === null || mayStore(storage, warehouseStorage),
      fault: faultOfSupplier(supplier, medicineClass === null ? [] : [medicineClass]),
      packFen: priceOn(listed.prices, supplier.day, listed.minimumPacks)?.priceFen ?? null,
    })
    const known = options.get(listed.productId) ?? []
    options.set(listed.productId, [...known, { ...listed, packFen, hindrance, day: supplier.day }])
  }
  return options
}

/** Of a pack, where so many are ordered. */
export const priceFor = ({ prices, day }: Offered, packs: number): number | null =>
  priceOn(prices, day, Math.max(1, packs))?.priceFen ?? null
