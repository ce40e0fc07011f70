import { z } from 'zod'
import {
  endpoint,
  listEndpoint,
  type Permission,
  zAnyOf,
  zId,
  zInstant,
  zLine,
  zNeeded,
  zPictureUrl,
  zSearch,
} from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { isInHouse } from './barcode'
import { productKinds, zBarcode, zMoney, zProductCode } from './product'

export const MOST_COPIED = 500

/** Of what the library holds (specification, section 3): offered by a merchant, looked at by the platform. */
export const libraryState = stateTable({
  initial: 'pending_without_picture',
  states: ['pending_with_picture', 'pending_without_picture', 'checked', 'ignored'],
  moves: {
    addPicture: { from: ['pending_without_picture', 'pending_with_picture'], to: 'pending_with_picture' },
    /** What is copied needs a thumbnail, so what is checked has one. */
    check: { from: ['pending_with_picture'], to: 'checked' },
    /** Another one has it already. */
    merge: { from: ['pending_with_picture', 'pending_without_picture'], to: 'checked' },
    ignore: { from: ['pending_with_picture', 'pending_without_picture'], to: 'ignored' },
  },
  sets: { pending: ['pending_with_picture', 'pending_without_picture'] },
})

export const libraryRefusals = defineRefusals('catalog', {
  'library.barcodeTaken': 409,
  'library.noPicture': 422,
  'library.state': 409,
  'library.own': 403,
  'library.noTarget': 422,
  'library.changed': 409,
  'library.medicine': 422,
  'library.have': 409,
})

/** What the library and a product that came from it both say, field by field. */
export const sharedFields = [
  'name',
  'brand',
  'specification',
  'unit',
  'manufacturer',
  'picture',
  'pictures',
  'remark',
] as const
export type SharedField = (typeof sharedFields)[number]

const zGtin = zBarcode.refine(({ code }) => !isInHouse(code), { params: { rule: 'inHouse' } })

export const libraryItem = entity({
  domain: 'catalog',
  kind: 'libraryItem',
  path: '/api/library-items',
  right: 'product',
  owner: 'platform',
  fixed: { kind: z.enum(productKinds).default('goods') },
  editable: {
    name: zNeeded(120),
    picture: zPictureUrl.nullable(),
    brand: zLine(40).default(''),
    specification: zLine(80).default(''),
    unit: zLine(20).default(''),
    manufacturer: zLine(120).default(''),
    category: zLine(40).default(''),
    barcodes: z.array(zGtin).max(20).default([]),
    pictures: z.array(zPictureUrl).max(5).default([]),
    remark: zLine(200).default(''),
  },
  details: ['pictures', 'remark', 'barcodes'],
  facts: {
    /** Products in sight that came from it. */
    copies: z.int(),
  },
  show: {
    picture: { kind: 'image' },
    remark: { kind: 'longText' },
    kind: { kind: 'state', words: 'productKind', tones: {} },
  },
  filters: {
    /** Name, its sound or initials, brand, or a barcode. */
    q: zSearch.optional(),
    kind: z.enum(productKinds).optional(),
    category: zSearch.optional(),
    brand: zSearch.optional(),
    /** Whether a product in sight came from it. */
    copied: z.enum(['yes', 'no']).optional(),
  },
  sorts: ['name', 'newest'],
})

const keeper = 'library.write' as Permission
const reviewer = 'library.review' as Permission
const wrong = ['library.barcodeTaken', 'product.barcodeTwice', 'library.noPicture']

export const listLibraryItems = libraryItem.list('What the platform offers to all, with how often it was copied')
export const getLibraryItem = libraryItem.get('One item of the library with its codes and pictures', {
  products: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), merchantName: z.string() })),
})
export const addLibraryItem = { ...libraryItem.add('Add an item to the library', wrong), access: keeper }
export const editLibraryItem = {
  ...libraryItem.edit('Change what the library says; offered to copies, never forced', wrong),
  access: keeper,
}
export const removeLibraryItem = {
  ...libraryItem.remove('Delete an item of the library that nobody copied'),
  access: keeper,
}

const written = { method: 'POST' as const, access: 'product.write' as const, writes: true }
const outcomesOf = <const O extends readonly string[]>(outcomes: O) =>
  z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(outcomes) })) })
const ids = z.array(zId).min(1).max(MOST_COPIED)

/** One transaction of at most 500: each row says what came of it, and what can't be had leaves the rest alone. */
export const copyLibraryItems = endpoint({
  ...written,
  name: 'catalog.copyLibraryItems',
  path: '/api/library-copies',
  input: z.strictObject({
    ids,
    merchantId: zId,
    /** Before the item's number, which makes the code. */
    codePrefix: zLine(20).regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
    /** Of all that `prices` doesn't name. */
    costFen: zMoney,
    priceFen: zMoney,
    prices: z
      .array(z.strictObject({ id: zId, costFen: zMoney.optional(), priceFen: zMoney.optional() }))
      .max(MOST_COPIED)
      .default([]),
  }),
  output: outcomesOf(['done', 'have', 'barcodeTaken', 'codeTaken', 'isMedicine', 'gone']),
  refusals: ['request.notFound'],
  summary: 'Copy items of the library into what a merchant sells, with prices of its own',
})

export const copyLibraryItem = endpoint({
  ...written,
  name: 'catalog.copyLibraryItem',
  path: '/api/library-items/{id}/copy',
  input: z.strictObject({ id: zId, merchantId: zId, code: zProductCode, costFen: zMoney, priceFen: zMoney }),
  output: z.object({ productId: z.int() }),
  refusals: ['request.notFound', 'library.have', 'library.medicine', 'product.barcodeTaken', 'product.codeTaken'],
  summary: 'Copy one item of the library, with a code and prices of its own',
})

export const offerProducts = endpoint({
  ...written,
  name: 'catalog.offerProducts',
  path: '/api/library-additions',
  input: z.strictObject({ ids }),
  output: outcomesOf(['done', 'linked', 'waiting', 'have', 'gone']),
  refusals: ['request.notFound'],
  summary: 'Offer products of a merchant to the library; what it holds already is tied to it instead',
})

const addition = z.object({
  id: z.int(),
  name: z.string(),
  picture: z.string().nullable(),
  kind: z.enum(productKinds),
  brand: z.string(),
  specification: z.string(),
  manufacturer: z.string(),
  state: z.enum(libraryState.states),
  merchantId: z.int(),
  merchantName: z.string(),
  offeredBy: z.string().nullable(),
  offeredAt: zInstant,
  reviewedBy: z.string().nullable(),
  reviewedAt: zInstant.nullable(),
  /** Why it was ignored, or which item has it. */
  reason: z.string(),
})
export type Addition = z.output<typeof addition>

const tones = {
  pending_with_picture: 'warn',
  pending_without_picture: 'warn',
  checked: 'good',
  ignored: 'idle',
} as const
export const additionFields = {
  name: { kind: 'text' },
  picture: { kind: 'image' },
  kind: { kind: 'state', words: 'productKind', tones: {} },
  brand: { kind: 'text' },
  specification: { kind: 'text' },
  manufacturer: { kind: 'text' },
  state: stateField('libraryState', libraryState, tones),
  merchantName: { kind: 'text' },
  offeredBy: { kind: 'text' },
  offeredAt: { kind: 'dateTime' },
  reviewedBy: { kind: 'text' },
  reviewedAt: { kind: 'dateTime' },
  reason: { kind: 'text' },
} satisfies Fields

export const listLibraryAdditions = listEndpoint({
  name: 'catalog.listLibraryAdditions',
  path: '/api/library-additions',
  access: 'product.read',
  summary: 'What merchants in sight offered to the library, what waits first',
  filters: {
    /** What waits for a review, with a picture or without. */
    waiting: z.enum(['yes']).optional(),
    q: zSearch.optional(),
    state: zAnyOf(libraryState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['waiting', 'newest'],
  item: addition,
})

const alike = z.object({ id: z.int(), name: z.string(), brand: z.string(), specification: z.string() })

export const getLibraryAddition = endpoint({
  name: 'catalog.getLibraryAddition',
  method: 'GET',
  path: '/api/library-additions/{id}',
  access: 'product.read',
  input: z.strictObject({ id: zId }),
  output: addition.extend({
    version: z.int(),
    unit: z.string(),
    category: z.string(),
    pictures: z.array(z.string()),
    remark: z.string(),
    barcodes: z.array(zBarcode),
    /** Items that sound like it, which it may be. */
    alike: z.array(alike),
    /** Who may not judge: it is their own. */
    isOwn: z.boolean(),
  }),
  refusals: ['request.notFound'],
  summary: 'One addition with what it may be the same as',
})

const judged = z.object({ id: z.int(), state: z.enum(libraryState.states) })
const judge = <I extends z.ZodRawShape>(at: string, name: string, input: I, summary: string, more: readonly string[]) =>
  endpoint({
    method: 'POST',
    writes: true,
    access: reviewer,
    name: `catalog.${name}`,
    path: `/api/library-additions/{id}/${at}`,
    input: z.strictObject({ id: zId, ...input }),
    output: judged,
    refusals: ['request.notFound', 'library.state', 'library.own', ...more],
    summary,
  })

export const pictureAddition = judge(
  'picture',
  'pictureAddition',
  { picture: zPictureUrl },
  'Give an addition the thumbnail that it lacks',
  [],
)
export const checkAddition = judge('check', 'checkAddition', {}, 'Offer an addition to all', ['library.noPicture'])
export const mergeAddition = judge(
  'merge',
  'mergeAddition',
  { intoId: zId },
  'Say that an addition is an item that the library has: its codes and what that lacks go there',
  ['library.noTarget'],
)
export const ignoreAddition = judge(
  'ignore',
  'ignoreAddition',
  { reason: zNeeded(200).min(2) },
  'Leave an addition out of the library, and say why',
  [],
)

const zValue = z.union([z.string(), z.array(z.string()), z.null()])
const change = z.object({
  /** The product's. */
  id: z.int(),
  code: z.string(),
  name: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  itemId: z.int(),
  itemVersion: z.int(),
  changes: z.array(z.object({ field: z.enum(sharedFields), mine: zValue, library: zValue })),
})
export type LibraryChange = z.output<typeof change>

export const listLibraryChanges = listEndpoint({
  name: 'catalog.listLibraryChanges',
  path: '/api/library-changes',
  access: 'product.read',
  summary: 'What the library has changed of products that came from it, field by field, until their keeper has decided',
  filters: { q: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['name'],
  item: change,
})

export const takeLibraryChange = endpoint({
  ...written,
  name: 'catalog.takeLibraryChange',
  path: '/api/library-changes/{id}/take',
  input: z.strictObject({
    id: zId,
    /** As it was read; another one means that the library has changed once more. */
    itemVersion: z.int(),
    /** These become the library's; what is left out stays as it is and is not offered again. */
    fields: z.array(z.enum(sharedFields)).max(sharedFields.length).default([]),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'library.changed'],
  summary: 'Take over what the library has changed of a product, or keep one’s own, field by field',
})
