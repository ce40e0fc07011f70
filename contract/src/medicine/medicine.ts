import { z } from 'zod'
import { medicineClasses, product, productTyped, zProductCode } from '../catalog/product'
import { productState, productTones } from '../catalog/states'
import { zAnyOf, zId, zLine, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'

/** What the law counts by person (real-name limits): compound preparations with a substance that is misused. */
export const limitGroups = ['ephedrine', 'codeine', 'diphenoxylate', 'licorice'] as const
export type LimitGroup = (typeof limitGroups)[number]

/** As labelled: up to 30 °C, up to 20 °C, 2 to 8 °C. */
export const storageClasses = ['room', 'cool', 'cold'] as const
export type StorageClass = (typeof storageClasses)[number]

export const notForWhom = ['pregnant', 'lactating', 'liver', 'kidney'] as const

/** Packs in packs: each level has codes of its own. */
export const packLevels = ['pack', 'middle', 'case'] as const

/** Names of substances are compared, so they are kept in small letters. */
export const zIngredient = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[^,，;；\s][^,，;；]{0,79}$/)

const zTracePrefix = z.strictObject({
  level: z.enum(packLevels),
  prefix: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{3,20}$/),
})

const unlessEmpty = <T extends z.ZodType>(type: T) => type.nullable().default(null)

/** What is known of a medicine beyond what is known of any product. */
export const medicineTyped = {
  medicineClass: z.enum(medicineClasses),
  approvalNumber: zLine(40).default(''),
  /** A code of the dictionary of dosage forms. */
  dosageForm: zLine(40).default(''),
  storage: z.enum(storageClasses).default('room'),
  limitGroup: unlessEmpty(z.enum(limitGroups)),
  ingredients: z.array(zIngredient).max(20).default([]),
  minAge: unlessEmpty(z.coerce.number().int().min(1).max(120)),
  notFor: z.array(z.enum(notForWhom)).max(4).default([]),
  doseUnit: zLine(12).default(''),
  unitsPerPack: z.coerce.number().int().min(1).max(10_000).default(1),
  maxDailyUnits: unlessEmpty(z.coerce.number().min(0.01).max(999_999)),
  maxDays: unlessEmpty(z.coerce.number().int().min(1).max(365)),
  tracePrefixes: z.array(zTracePrefix).max(12).default([]),
}

const { show } = product

/** A product with more to it: what is sold only under a licence and may need a prescription or a checked person. */
export const medicine = entity({
  domain: 'medicine',
  kind: 'medicine',
  path: '/api/medicines',
  right: 'medicine',
  owner: 'merchant',
  fixed: { code: zProductCode },
  editable: { ...productTyped, ...medicineTyped },
  details: [
    'conditionIds',
    'barcodes',
    'tags',
    'pictures',
    'remark',
    'notFor',
    'doseUnit',
    'unitsPerPack',
    'maxDailyUnits',
    'maxDays',
    'tracePrefixes',
    'externalCode',
    'isJointVenture',
    'producedOn',
    'bestBefore',
  ],
  facts: {
    categoryName: z.string().nullable(),
    dosageFormName: z.string(),
    slotCount: z.int(),
    stock: z.int(),
  },
  show: {
    ...show,
    approvalNumber: { kind: 'code' },
    categoryName: { kind: 'text', to: 'ypgl/yplb', search: { categoryId: 'categoryId' } },
    storage: { kind: 'state', words: 'storage', tones: { cool: 'idle', cold: 'warn' } },
    limitGroup: { kind: 'state', words: 'limitGroup', tones: { ephedrine: 'warn' } },
    medicineClass: { kind: 'state', words: 'medicineClass', tones: { rx: 'warn' } },
    notFor: {
      kind: 'states',
      words: 'notFor',
      tones: { pregnant: 'warn', lactating: 'warn', liver: 'warn', kidney: 'warn' },
    },
  },
  states: { table: productState, tones: productTones, refusal: 'product.state' },
  unique: { product_merchant_id_code_key: 'product.codeTaken' },
  filters: {
    /** Name, maker, code, the sound of the name, a barcode, an approval number or an ingredient. */
    q: zSearch.optional(),
    code: zSearch.optional(),
    medicineClass: zAnyOf(medicineClasses).optional(),
    storage: zAnyOf(storageClasses).optional(),
    limitGroup: zAnyOf(limitGroups).optional(),
    /** With all below it. */
    categoryId: zId.optional(),
    conditionId: zId.optional(),
    merchantId: zId.optional(),
    state: z.enum(productState.states).optional(),
  },
  sorts: ['name', 'code', 'price', 'newest'],
})

const refusals = [
  'product.barcodeTaken',
  'product.barcodeTwice',
  'product.categoryUnknown',
  'product.dates',
  'product.noPicture',
] as const

export const listMedicines = medicine.list('Medicines in sight, with where they stand and how many packs are left')
export const getMedicine = medicine.get('One medicine with all that is known of it', {})
export const addMedicine = medicine.add('Add a medicine to what a merchant sells', refusals)
export const editMedicine = medicine.edit('Change what is known of a medicine', refusals)
export const takeOffline = medicine.move('takeOffline', 'Sell a medicine no longer, on any machine')
export const relist = medicine.move('relist', 'List a medicine again')
export const removeMedicine = medicine.remove('Delete a medicine that was never planned, sold or moved')
