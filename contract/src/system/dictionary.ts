import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'

export const dictionaryRefusals = defineRefusals('system', {
  'dictionary.codeTaken': 409,
  'dictionary.codeInUse': 409,
  'dictionary.platformOnly': 403,
  'dictionary.noMerchantItems': 422,
  'dictionary.systemType': 409,
})

const word = z.string().trim().max(60)
/** Chinese is needed; where another language is empty, Chinese is shown. */
const words = { zh: word.min(1), en: word.default(''), fr: word.default(''), ko: word.default('') }
const zSort = z.coerce.number().int().min(0).max(9_999).default(0)
const zVersion = z.coerce.number().int().min(1)
const zTypeCode = z.string().regex(/^[a-z][A-Za-z0-9]{1,39}$/)
const zItemCode = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,19}$/)

const wordsOut = { zh: z.string(), en: z.string(), fr: z.string(), ko: z.string() }

export const dictionaryType = entity({
  domain: 'system',
  kind: 'dictionaryType',
  path: '/api/dictionary-types',
  right: 'dictionary',
  owner: 'platform',
  fixed: { code: zTypeCode },
  editable: {
    ...words,
    remark: z.string().trim().max(200).default(''),
    allowsMerchants: z.boolean().default(false),
    sort: zSort,
  },
  facts: {
    isSystem: z.boolean(),
    itemCount: z.int(),
    /** Types are few, and edited from the list. */
    version: z.int(),
  },
  unique: { dictionary_type_code_key: 'dictionary.codeTaken' },
  filters: { forMerchants: z.enum(['true', 'false']).optional() },
  sorts: ['order'],
})
export type DictionaryType = z.output<typeof dictionaryType.item>

const dictionaryItem = z.object({
  id: z.int(),
  typeId: z.int(),
  typeCode: z.string(),
  typeName: z.string(),
  merchantId: z.int().nullable(),
  merchantName: z.string().nullable(),
  code: z.string(),
  ...wordsOut,
  sort: z.int(),
  isOn: z.boolean(),
  version: z.int(),
})
export type DictionaryItem = z.output<typeof dictionaryItem>

export const dictionaryFields = {
  code: { kind: 'code' },
  zh: { kind: 'text' },
  en: { kind: 'text' },
  fr: { kind: 'text' },
  ko: { kind: 'text' },
  remark: { kind: 'longText' },
  allowsMerchants: { kind: 'boolean' },
  typeName: { kind: 'text' },
  merchantName: { kind: 'text' },
  sort: { kind: 'count' },
  isOn: { kind: 'boolean' },
} satisfies Fields

export const listDictionaryTypes = endpoint({
  name: 'system.listDictionaryTypes',
  method: 'GET',
  path: '/api/dictionary-types',
  access: 'dictionary.read',
  input: z.strictObject(dictionaryType.filters),
  output: z.object({ items: z.array(dictionaryType.item) }),
  summary: 'The lists of words that people choose from, each with its number of items in sight',
})
export const addDictionaryType = {
  ...dictionaryType.add('Begin a list of words; only the platform does', ['dictionary.platformOnly']),
  path: '/api/dictionary-types/create',
}
export const editDictionaryType = dictionaryType.edit(
  'Change the words of a list, or whether merchants may add to it',
  ['request.inUse'],
)
export const removeDictionaryType = {
  ...dictionaryType.remove('Delete a list that is empty and that the product does not ask for itself', [
    'request.inUse',
    'dictionary.systemType',
  ]),
  path: '/api/dictionary-types/{id}/delete',
}

const itemFilters = {
  q: zSearch.optional(),
  type: zSearch.optional(),
  isOn: z.enum(['true', 'false']).optional(),
}

export const listDictionaryItems = listEndpoint({
  name: 'system.listDictionaryItems',
  path: '/api/dictionary-items',
  access: 'dictionary.read',
  summary: 'Items of the platform, which hold for everybody',
  filters: itemFilters,
  sorts: ['order', 'code'],
  item: dictionaryItem,
})

export const listMerchantItems = listEndpoint({
  name: 'system.listMerchantItems',
  path: '/api/dictionary-items/own',
  access: 'dictionary.read',
  summary: 'Items that merchants in sight, and merchants above, added for themselves',
  filters: { ...itemFilters, merchantId: zId.optional() },
  sorts: ['order', 'code'],
  item: dictionaryItem,
})

export const getDictionaryItem = endpoint({
  name: 'system.getDictionaryItem',
  method: 'GET',
  path: '/api/dictionary-items/{id}',
  access: 'dictionary.read',
  input: z.strictObject({ id: zId }),
  output: dictionaryItem.extend({
    mayWrite: z.boolean(),
    /** What uses it, as people know it; at most twenty are named. */
    uses: z.array(z.string()),
    changedAt: zInstant.nullable(),
    changedBy: z.string().nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One item with what uses it',
})

export const createDictionaryItem = endpoint({
  name: 'system.createDictionaryItem',
  method: 'POST',
  path: '/api/dictionary-items/create',
  access: 'dictionary.write',
  writes: true,
  /** Without a merchant it is for everybody, which only the platform may decide. */
  input: z.strictObject({
    type: zTypeCode,
    merchantId: zId.nullable().default(null),
    code: zItemCode,
    ...words,
    sort: zSort,
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', ...dictionaryRefusals],
  summary: 'Add an item to a list',
})

export const editDictionaryItem = endpoint({
  name: 'system.editDictionaryItem',
  method: 'POST',
  path: '/api/dictionary-items/{id}/edit',
  access: 'dictionary.write',
  writes: true,
  input: z.strictObject({ id: zId, version: zVersion, code: zItemCode, ...words, sort: zSort }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', ...dictionaryRefusals],
  summary: 'Change an item; its code only while nothing uses it',
})

export const switchDictionaryItem = endpoint({
  name: 'system.switchDictionaryItem',
  method: 'POST',
  path: '/api/dictionary-items/{id}/switch',
  access: 'dictionary.write',
  writes: true,
  input: z.strictObject({ id: zId, isOn: z.boolean() }),
  output: z.object({ isOn: z.boolean() }),
  refusals: ['request.notFound', 'dictionary.platformOnly'],
  summary: 'Offer an item, or offer it no more; what chose it before keeps it',
})

export const deleteDictionaryItem = endpoint({
  name: 'system.deleteDictionaryItem',
  method: 'POST',
  path: '/api/dictionary-items/{id}/delete',
  access: 'dictionary.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'request.inUse', 'dictionary.platformOnly'],
  summary: 'Delete an item that nothing uses',
})

export const listDictionaryOptions = endpoint({
  name: 'system.listDictionaryOptions',
  method: 'GET',
  path: '/api/dictionary-options',
  access: 'session',
  /** Of a merchant: what the platform, merchants above it and itself offer. */
  input: z.strictObject({ type: zTypeCode, merchantId: zId.optional() }),
  output: z.object({ items: z.array(z.object({ code: z.string(), word: z.string() })) }),
  refusals: ['request.notFound'],
  summary: 'What can be chosen from a list now, in order, in the language asked for',
})
