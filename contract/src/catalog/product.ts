import { z } from 'zod'
import { historyEvent } from '../kernel/changes'
import { zDay, zId, zLine, zNeeded, zPictureUrl, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import type { Field } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { isBarcode } from './barcode'
import { productState, productTones } from './states'

/** What may be sold where depends on the class (docs/GLOSSARY.md): prescription, OTC A and OTC B. */
export const medicineClasses = ['rx', 'otc_a', 'otc_b'] as const
export type MedicineClass = (typeof medicineClasses)[number]

/** The name of a product in a row that holds its `productId`: it opens the product. */
export const productNameField = { kind: 'text', to: 'spgl/wdsp', search: { open: 'productId' } } satisfies Field
/** Where a row knows its product by code alone. */
/** A batch opens where it is told of, whatever else has the same number. */
export const batchField = {
  kind: 'text',
  to: 'ypgl/yppc',
  search: { q: 'batch', productCode: 'productCode' },
} satisfies Field
export const codedNameField = { kind: 'text', to: 'spgl/wdsp', search: { code: 'productCode' } } satisfies Field

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
  /** Somebody has made one of them while a sheet was taken. */
  'product.meanwhile': 409,
  'product.state': 409,
})

/** Codes are printed on labels and typed by fillers. */
export const zProductCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,39}$/)

export const zMoney = z.coerce.number().int().min(0).max(10_000_000)

/** What a scanner reads on a pack of so many pieces. */
export const zBarcode = z.strictObject({
  code: z.string().trim().refine(isBarcode),
  packUnits: z.int().min(1).max(10_000).default(1),
})

/** What a person says of any product (specification, section 3); of a medicine there is more (medicine). */
export const productTyped = {
  name: zNeeded(120),
  /** Must be chosen; what a sheet made has none yet, and is kept offline until it has. */
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
    categoryName: { kind: 'text', to: 'spgl/wdsp', search: { categoryId: 'categoryId' } },
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
    /** With all below it, too. */
    conditionId: zId.optional(),
    brand: zSearch.optional(),
    merchantId: zId.optional(),
    state: z.enum(productState.states).optional(),
  },
  sorts: ['name', 'code', 'price', 'newest'],
})

export const listProducts = product.list('Products in sight, with where they stand and how many pieces are left')
/** A slot of a machine in sight that holds it by plan. */
const standing = z.object({
  slotId: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  slotCode: z.string(),
  stock: z.int(),
  capacity: z.int(),
  priceFen: z.int().nullable(),
  /** It gets the product at its next service, at that price; until then something else stands there. */
  isNext: z.boolean(),
})
export type Standing = z.output<typeof standing>

/** What it cost and was sold at from a moment on, by whose word; nobody's for what was there from the beginning. */
const pricedSince = z.object({
  at: z.string(),
  costFen: z.int(),
  priceFen: z.int(),
  byName: z.string().nullable(),
  reason: z.string(),
})

/** Slots that the single product tells; `slotCount` counts all. */
export const MOST_STANDING = 100

export const getProduct = product.get('One product: where it stands, what it cost when, and who changed what of it', {
  /** The fullest first. */
  standing: z.array(standing),
  /** Newest first, the last fifty. */
  prices: z.array(pricedSince),
  history: z.array(historyEvent),
})
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
export const relist = product.move('relist', 'List a product again', ['product.noPicture'])
export const removeProduct = product.remove('Delete a product that was never planned, sold or moved')
