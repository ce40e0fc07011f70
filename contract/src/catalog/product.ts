import { z } from 'zod'
import { zDay, zId, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { zPictureUrl } from '../kernel/picture'
import { defineRefusals } from '../kernel/refusal'
import { isBarcode } from './barcode'
import { productState, productTones } from './states'

/** What may be sold where depends on the class (docs/GLOSSARY.md): prescription, OTC A and OTC B. */
export const medicineClasses = ['rx', 'otc_a', 'otc_b'] as const
export type MedicineClass = (typeof medicineClasses)[number]

export const productKinds = ['goods', 'medicine'] as const

/** Worded as `law.<reason>` in the catalog of planogram, wherever a product is turned down for it. */
export const unlawfulReasons = ['noLicence', 'otcBOnly'] as const
export type UnlawfulReason = (typeof unlawfulReasons)[number]

type LicenceMode = 'none' | 'retail' | 'hospital'

/**
 * Why a machine of this licence mode may not sell a product; null when it may (domain rules, section 5: the regulator's
 * ruling of April 2024, retail machines sell OTC B only). The one rule for slot, template, push and order.
 */
export function unlawfulBecause(mode: LicenceMode, medicineClass: MedicineClass | null): UnlawfulReason | null {
  if (medicineClass === null || mode === 'hospital') return null
  if (mode === 'none') return 'noLicence'
  return medicineClass === 'otc_b' ? null : 'otcBOnly'
}

export const isSaleLawful = (mode: LicenceMode, medicineClass: MedicineClass | null): boolean =>
  unlawfulBecause(mode, medicineClass) === null

export const productRefusals = defineRefusals('catalog', {
  'product.codeTaken': 409,
  /** `fields` names each with the product that has it. */
  'product.barcodeTaken': 409,
  'product.barcodeTwice': 422,
  'product.categoryUnknown': 422,
  'product.dates': 422,
  'product.noPicture': 422,
  'product.state': 409,
})

/** Codes are printed on labels and typed by fillers. */
const zProductCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,39}$/)

const zMoney = z.coerce.number().int().min(0).max(10_000_000)

/** What a scanner reads on a pack of so many pieces. */
export const zBarcode = z.strictObject({
  code: z.string().trim().refine(isBarcode),
  packUnits: z.int().min(1).max(10_000).default(1),
})

/** What a person says of any product (specification, section 3); of a medicine there is more (medicine). */
export const productTyped = {
  name: zNeeded(120),
  /** Must be chosen; what was kept before pictures were has none. */
  picture: zPictureUrl.nullable(),
  categoryId: zId.nullable().default(null),
  conditionIds: z.array(zId).max(20).default([]),
  brand: zLine(40).default(''),
  specification: zLine(80).default(''),
  unit: zLine(20).default(''),
  manufacturer: zLine(120).default(''),
  barcodes: z.array(zBarcode).max(20).default([]),
  externalCode: zLine(40).default(''),
  isJointVenture: z.boolean().default(false),
  shelfLifeDays: z.coerce.number().int().min(1).max(7300).nullable().default(null),
  producedOn: zDay.nullable().default(null),
  bestBefore: zDay.nullable().default(null),
  costFen: zMoney,
  priceFen: zMoney,
  tags: z.array(zNeeded(40)).max(10).default([]),
  /** Beside the thumbnail; seen on a machine's page of the product. */
  pictures: z.array(zPictureUrl).max(5).default([]),
  remark: zLine(200).default(''),
}

export const product = entity({
  domain: 'catalog',
  kind: 'product',
  path: '/api/products',
  right: 'product',
  owner: 'merchant',
  fixed: { code: zProductCode },
  editable: productTyped,
  details: ['conditionIds', 'barcodes', 'tags', 'pictures', 'remark'],
  facts: {
    kind: z.enum(productKinds),
    medicineClass: z.enum(medicineClasses).nullable(),
    categoryName: z.string().nullable(),
    /** Slots of machines in sight that hold it by plan, and pieces in them. */
    slotCount: z.int(),
    stock: z.int(),
    /** Since when it costs and is sold at what it does. */
    pricedAt: z.string().nullable(),
  },
  show: {
    picture: { kind: 'image' },
    costFen: { kind: 'money' },
    priceFen: { kind: 'money' },
    producedOn: { kind: 'day' },
    bestBefore: { kind: 'day' },
    remark: { kind: 'longText' },
    kind: { kind: 'state', words: 'productKind', tones: {} },
    medicineClass: { kind: 'state', words: 'medicineClass', tones: {} },
    pricedAt: { kind: 'dateTime' },
  },
  states: { table: productState, tones: productTones, refusal: 'product.state' },
  unique: { product_merchant_id_code_key: 'product.codeTaken' },
  filters: {
    /** Name, brand, code, the sound of the name, or a barcode. */
    q: zSearch.optional(),
    code: zSearch.optional(),
    kind: z.enum(productKinds).optional(),
    /** With all below it. */
    categoryId: zId.optional(),
    conditionId: zId.optional(),
    brand: zSearch.optional(),
    merchantId: zId.optional(),
    state: z.enum(productState.states).optional(),
  },
  sorts: ['name', 'code', 'price', 'newest'],
})

export const listProducts = product.list('Products in sight, with where they stand and how many pieces are left')
export const getProduct = product.get('One product with its codes, pictures and what is known of it', {})
export const addProduct = product.add('Add goods to what a merchant sells', [
  'product.barcodeTaken',
  'product.barcodeTwice',
  'product.categoryUnknown',
  'product.dates',
  'product.noPicture',
])
export const editProduct = product.edit('Change what is known of a product', [
  'product.barcodeTaken',
  'product.barcodeTwice',
  'product.categoryUnknown',
  'product.dates',
  'product.noPicture',
])
export const takeOffline = product.move('takeOffline', 'Sell a product no longer, on any machine')
export const relist = product.move('relist', 'List a product again')
export const removeProduct = product.remove('Delete a product that was never planned, sold or moved')
