import { z } from 'zod'
import { zDay, zId, zLine, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'
import { supplierState } from './supplier'

export const supplierProductRefusals = defineRefusals('purchase', {
  'supplierProduct.taken': 409,
  'supplierProduct.state': 409,
  /** The product is not of the supplier's merchant or of one above it. */
  'supplierProduct.unknown': 422,
  'supplierProduct.prices': 422,
})

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/** Of a pack, with tax: from a day on, until one or another that begins later, from so many packs on. */
const zPrice = z.strictObject({
  fromOn: zDay,
  toOn: zDay.nullable().default(null),
  fromPacks: whole(1, 100_000).default(1),
  priceFen: whole(1, 1_000_000_000),
})
export type SupplierPrice = z.output<typeof zPrice>
export const MOST_PRICES = 50

/**
 * The price of a pack on a day, for so many packs: of those that have begun and not ended, that of the greatest number
 * of packs that is reached, and of these the one that began last. Null where none is in force.
 */
export function priceOn(prices: readonly SupplierPrice[], day: string, packs: number): SupplierPrice | null {
  const inForce = prices.filter(
    ({ fromOn, toOn, fromPacks }) => fromOn <= day && (toOn === null || day <= toOn) && fromPacks <= packs,
  )
  const better = (a: SupplierPrice, b: SupplierPrice) =>
    b.fromPacks - a.fromPacks || (a.fromOn < b.fromOn ? 1 : a.fromOn > b.fromOn ? -1 : 0)
  return [...inForce].sort(better)[0] ?? null
}

export const supplierProduct = entity({
  domain: 'purchase',
  kind: 'supplierProduct',
  path: '/api/supplier-products',
  right: 'supplier',
  owner: 'merchant',
  fixed: { supplierId: zId, productId: zId },
  editable: {
    supplierCode: zLine(40).default(''),
    packUnits: whole(1, 10_000).default(1),
    minimumPacks: whole(1, 100_000).default(1),
    leadDays: whole(0, 365).default(7),
    preference: whole(1, 9).default(1),
    taxPermille: whole(0, 500).default(130),
    prices: z.array(zPrice).min(1).max(MOST_PRICES),
  },
  details: ['prices'],
  facts: {
    supplierName: z.string(),
    supplierState: z.enum(supplierState.states),
    productCode: z.string(),
    productName: z.string(),
    specification: z.string(),
    isMedicine: z.boolean(),
    /** Of one pack today; null where none is in force. */
    packFen: z.int().nullable(),
    /** Of one piece, rounded: to compare suppliers. */
    pieceFen: z.int().nullable(),
  },
  show: {
    supplierCode: { kind: 'code' },
    productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
    taxPermille: { kind: 'permille' },
    packFen: { kind: 'money' },
    pieceFen: { kind: 'money' },
    supplierState: {
      kind: 'state',
      words: 'supplierState',
      tones: { draft: 'idle', review: 'warn', qualified: 'good', suspended: 'bad', stopped: 'idle' },
    },
  },
  states: { table: onOff, tones: onOffTones, refusal: 'supplierProduct.state' },
  unique: { supplier_product_supplier_id_product_id_key: 'supplierProduct.taken' },
  filters: {
    q: zSearch.optional(),
    supplierId: zId.optional(),
    productId: zId.optional(),
    state: z.enum(onOff.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['product', 'cheapest', 'newest'],
})

/** Also what an order's lines are chosen from. */
export const listSupplierProducts = supplierProduct.list('What suppliers in sight deliver, at which price today')
export const getSupplierProduct = supplierProduct.get('One product as a supplier delivers it, with its prices', {})
export const addSupplierProduct = supplierProduct.add('Say that a supplier delivers a product, and at which price', [
  'supplierProduct.unknown',
  'supplierProduct.prices',
])
export const editSupplierProduct = supplierProduct.edit('Change terms and prices at which a product is delivered', [
  'supplierProduct.prices',
])
export const stopSupplierProduct = supplierProduct.move('stop', 'Order a product from a supplier no longer')
export const resumeSupplierProduct = supplierProduct.move('resume', 'Order a product from a supplier again')
export const removeSupplierProduct = supplierProduct.remove('Delete a product of a supplier that was never ordered')
