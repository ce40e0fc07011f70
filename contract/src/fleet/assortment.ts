import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

export const assortmentState = onOff

export const assortmentRefusals = defineRefusals('fleet', {
  'assortment.nameTaken': 409,
  'assortment.state': 409,
  'assortment.otherMerchant': 409,
  'assortment.notInIt': 422,
})

export const MOST_PRODUCTS = 500
export const MOST_RECOMMENDED = 100

const editable = {
  name: z.string().trim().min(1).max(60),
  remark: z.string().trim().max(200).default(''),
}

const assortment = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  remark: z.string(),
  state: z.enum(assortmentState.states),
  productCount: z.int(),
  slotCount: z.int(),
  groupCount: z.int(),
  /** In sight, named or through a group. */
  machineCount: z.int(),
})

export const listAssortments = listEndpoint({
  name: 'fleet.listAssortments',
  path: '/api/assortments',
  access: 'machine.read',
  summary: 'Assortments in sight: what machines and groups may sell',
  filters: {
    assortment: zSearch.optional(),
    state: z.enum(assortmentState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['name', 'machines', 'newest'],
  item: assortment,
})

export const assortmentFields = {
  name: { kind: 'text' },
  state: stateField('assortmentState', assortmentState, onOffTones),
  productCount: { kind: 'count' },
  slotCount: { kind: 'count' },
  groupCount: { kind: 'count' },
  machineCount: { kind: 'count' },
  remark: { kind: 'longText' },
  merchantName: { kind: 'text' },
} satisfies Fields

const product = z.object({ id: z.int(), code: z.string(), name: z.string(), specification: z.string() })
const machine = z.object({ id: z.int(), code: z.string(), name: z.string() })

/** What stands in slots of its machines and is not in the assortment. */
const stray = z.object({ machineCode: z.string(), slotCode: z.string(), productName: z.string() })

export const getAssortment = endpoint({
  name: 'fleet.getAssortment',
  method: 'GET',
  path: '/api/assortments/{id}',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: assortment.extend({
    version: z.int(),
    products: z.array(product),
    slots: z.array(z.object({ code: z.string(), productId: z.int() })),
    groups: z.array(z.object({ id: z.int(), name: z.string(), machineCount: z.int() })),
    machines: z.array(machine),
    strays: z.array(stray),
    /** More than are listed. */
    strayCount: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'One assortment with its products, recommendations and machines, and what they sell beside it',
})
export type AssortmentDetail = z.output<typeof getAssortment.output>

/** What a picker of products asks. */
export const listPlaceable = listEndpoint({
  name: 'fleet.listPlaceable',
  path: '/api/assortment-products',
  access: 'machine.read',
  summary: 'Products of the merchants in sight that an assortment may name',
  filters: { q: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['name'],
  item: product,
})

const changed = z.object({ id: z.int() })

export const addAssortment = endpoint({
  name: 'fleet.addAssortment',
  method: 'POST',
  path: '/api/assortments',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, ...editable }),
  output: changed,
  refusals: ['request.notFound', 'assortment.nameTaken'],
  summary: 'Add an assortment to a merchant; it holds for no machine yet',
})

export const editAssortment = endpoint({
  name: 'fleet.editAssortment',
  method: 'POST',
  path: '/api/assortments/{id}/edit',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'assortment.nameTaken'],
  summary: 'Change name and remark of an assortment',
})

const zSlotCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,12}$/)

export const setAssortment = endpoint({
  name: 'fleet.setAssortment',
  method: 'POST',
  path: '/api/assortments/{id}/contents',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    version: z.int(),
    productIds: z.array(zId).max(MOST_PRODUCTS),
    slots: z.array(z.strictObject({ code: zSlotCode, productId: zId })).max(MOST_RECOMMENDED),
    groupIds: z.array(zId).max(100),
    machineIds: z.array(zId).max(500),
  }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'assortment.otherMerchant', 'assortment.notInIt'],
  summary: 'Say what the assortment holds, what is recommended for which slot, and for whom it holds',
})

const verb = (name: string, path: string, summary: string, more: readonly string[]) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/assortments/{id}/${path}`,
    access: 'machine.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', ...more],
    summary,
  })

export const stopAssortment = verb('stopAssortment', 'stop', 'Let an assortment hold no longer', ['assortment.state'])
export const resumeAssortment = verb('resumeAssortment', 'resume', 'Let an assortment hold again', ['assortment.state'])
export const removeAssortment = verb('removeAssortment', 'remove', 'Delete an assortment that holds for no machine', [
  'request.inUse',
])
