import { z } from 'zod'
import { medicineClasses } from '../catalog/product'
import { endpoint, zId, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

export const combinationRefusals = defineRefusals('medicine', {
  'combination.nameTaken': 409,
  'combination.state': 409,
  'combination.itemUnknown': 422,
  'combination.itemTwice': 422,
  'combination.onePiece': 422,
  'combination.tooDear': 422,
  'combination.categoryUnknown': 422,
})

export const MOST_ITEMS = 6

const zItem = z.strictObject({ productId: zId, quantity: z.coerce.number().int().min(1).max(5) })
const zItems = z.array(zItem).min(1).max(MOST_ITEMS)

/** What is found of medicines that would be had together, worst first; each is worded as `finding.<kind>`. */
export const findingKinds = ['pair', 'ingredientTwice', 'overLimit', 'limited', 'prescription', 'hospitalOnly'] as const
export type FindingKind = (typeof findingKinds)[number]
const finding = z.object({ kind: z.enum(findingKinds), facts: z.record(z.string(), z.string()) })
export type Finding = z.output<typeof finding>

/** Medicines that are sold together for a condition, at a price of their own. */
export const combination = entity({
  domain: 'medicine',
  kind: 'combination',
  path: '/api/combinations',
  right: 'combination',
  owner: 'merchant',
  editable: {
    name: zNeeded(80),
    categoryId: zId.nullable().default(null),
    items: zItems,
    priceFen: z.coerce.number().int().min(1).max(10_000_000),
    /** How they are taken together; shown to customers. */
    note: zLine(200).default(''),
  },
  details: ['items', 'note'],
  facts: {
    categoryName: z.string().nullable(),
    itemNames: z.string(),
    /** The strictest class of what is in it; null where all of it is goods. */
    medicineClass: z.enum(medicineClasses).nullable(),
    /** What its pieces cost one by one. */
    listFen: z.int(),
  },
  show: {
    priceFen: { kind: 'money' },
    listFen: { kind: 'money' },
    note: { kind: 'longText' },
    medicineClass: { kind: 'state', words: 'medicineClass', tones: { rx: 'warn' } },
  },
  states: { table: onOff, tones: onOffTones, refusal: 'combination.state' },
  unique: { combination_merchant_id_name_key: 'combination.nameTaken' },
  filters: {
    q: zSearch.optional(),
    /** With all below it. */
    categoryId: zId.optional(),
    merchantId: zId.optional(),
    state: z.enum(onOff.states).optional(),
  },
  sorts: ['name', 'price'],
})

const refusals = [
  'combination.itemUnknown',
  'combination.itemTwice',
  'combination.onePiece',
  'combination.tooDear',
  'combination.categoryUnknown',
]

export const listCombinations = combination.list('Sets of medicines that are sold together, in sight')
export const getCombination = combination.get('One set with its medicines and what is found of them', {
  pieces: z.array(
    z.object({
      productId: z.int(),
      code: z.string(),
      name: z.string(),
      medicineClass: z.enum(medicineClasses).nullable(),
      quantity: z.int(),
      priceFen: z.int(),
    }),
  ),
  findings: z.array(finding),
})
export const addCombination = combination.add('Put medicines together as a set', refusals)
export const editCombination = combination.edit('Change a set', refusals)
export const stopCombination = combination.move('stop', 'Sell a set no longer at its price')
export const resumeCombination = combination.move('resume', 'Sell a set at its price again')
export const removeCombination = combination.remove('Delete a set that no order was priced by')

export const checkCombination = endpoint({
  name: 'medicine.checkCombination',
  method: 'POST',
  path: '/api/combination-findings',
  access: 'combination.write',
  input: z.strictObject({ merchantId: zId.optional(), items: z.array(zItem).max(MOST_ITEMS) }),
  output: z.object({ listFen: z.int(), findings: z.array(finding) }),
  summary: 'What is found of medicines that would be sold together, while somebody still chooses',
})
