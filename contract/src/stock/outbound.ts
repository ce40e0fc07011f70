import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/**
 * Goods that leave a warehouse in a replenisher's bag. Batches are found when it is picked, first expiry first; goods
 * move when it is loaded. What is left comes back when it is closed. Between warehouses goods go by transfer.
 */
export const outboundState = stateTable({
  initial: 'draft',
  states: ['draft', 'picked', 'loaded', 'closed', 'cancelled'],
  moves: {
    pick: { from: ['draft'], to: 'picked' },
    putBack: { from: ['picked'], to: 'draft' },
    load: { from: ['picked'], to: 'loaded' },
    close: { from: ['loaded'], to: 'closed' },
    cancel: { from: ['draft', 'picked'], to: 'cancelled' },
  },
  sets: {
    /** Its goods lie ready, or are out. */
    taken: ['picked', 'loaded', 'closed'],
    /** Its goods are out of the warehouse. */
    out: ['loaded', 'closed'],
    ended: ['closed', 'cancelled'],
  },
})
export type OutboundState = (typeof outboundState.states)[number]

export const outboundRefusals = defineRefusals('stock', {
  'outbound.state': 409,
  /** Not a person of the warehouse's merchant or of one above. */
  'outbound.replenisher': 422,
  /** A product stands in it twice, or was not asked for. */
  'outbound.lines': 422,
  /** Expired, locked, recalled or rejected. */
  'outbound.batch': 409,
  /** Nothing of it is there that may leave. */
  'outbound.nothing': 409,
})

const order = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  warehouseName: z.string(),
  replenisherName: z.string(),
  state: z.enum(outboundState.states),
  lineCount: z.int(),
  wanted: z.int(),
  picked: z.int(),
  returned: z.int(),
  note: z.string(),
  maker: z.string(),
  madeAt: zInstant,
  picker: z.string().nullable(),
  pickedAt: zInstant.nullable(),
  loader: z.string().nullable(),
  loadedAt: zInstant.nullable(),
  ender: z.string().nullable(),
  endedAt: zInstant.nullable(),
})
export type OutboundOrder = z.output<typeof order>

export const listOutboundOrders = listEndpoint({
  name: 'stock.listOutboundOrders',
  path: '/api/outbound-orders',
  access: 'outboundOrder.read',
  summary: 'What leaves warehouses in sight with replenishers, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(outboundState.states).optional(),
    warehouseId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: order,
})

export const outboundFields = {
  no: { kind: 'code' },
  state: stateField('outboundState', outboundState, {
    draft: 'idle',
    picked: 'warn',
    loaded: 'busy',
    closed: 'good',
    cancelled: 'idle',
  }),
  replenisherName: { kind: 'text' },
  warehouseName: { kind: 'text' },
  wanted: { kind: 'count' },
  picked: { kind: 'count' },
  returned: { kind: 'count' },
  lineCount: { kind: 'count' },
  note: { kind: 'text' },
  maker: { kind: 'text' },
  madeAt: { kind: 'dateTime' },
  picker: { kind: 'text' },
  pickedAt: { kind: 'dateTime' },
  loader: { kind: 'text' },
  loadedAt: { kind: 'dateTime' },
  ender: { kind: 'text' },
  endedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const summariseOutboundOrders = endpoint({
  name: 'stock.summariseOutboundOrders',
  method: 'GET',
  path: '/api/outbound-orders/summary',
  access: 'outboundOrder.read',
  input: z.strictObject({}),
  output: z.object({ draft: z.int(), picked: z.int(), loaded: z.int() }),
  summary: 'How many orders are to be picked, to be loaded and under way',
})

const named = { productId: z.int(), productCode: z.string(), productName: z.string(), specification: z.string() }
const lot = z.object({ ...named, batch: z.string(), expiresOn: zDay.nullable(), quantity: z.int() })
export type Lot = z.output<typeof lot>

export const getOutboundOrder = endpoint({
  name: 'stock.getOutboundOrder',
  method: 'GET',
  path: '/api/outbound-orders/{id}',
  access: 'outboundOrder.read',
  input: z.strictObject({ id: zId }),
  output: order.extend({
    version: z.int(),
    warehouseId: z.int(),
    replenisherId: z.int().nullable(),
    endReason: z.string(),
    /** At cost, once it is loaded. */
    valueFen: zFen,
    lines: z.array(
      z.object({
        line: z.int(),
        ...named,
        wanted: z.int(),
        picked: z.int(),
        /** What lies there that may leave and nobody else has picked; null once it is picked. */
        free: z.int().nullable(),
      }),
    ),
    /** Of a draft: what should be taken, first expiry first. Later: what was. */
    picks: z.array(lot.extend({ returned: z.int() })),
    /** Of a draft: each lot that may be taken, and how much of it nobody else has picked. */
    lots: z.array(lot),
    /** All that the replenisher has of this merchant's goods now, whatever order brought it. */
    inBag: z.array(lot),
  }),
  refusals: ['request.notFound'],
  summary: 'One order with what is to be picked of which batch, and what its replenisher has',
})

const count = z.coerce.number().int().min(1).max(1_000_000)
const zWanted = z
  .array(z.strictObject({ productId: zId, quantity: count }))
  .min(1)
  .max(200)
const zLots = z.array(
  z.strictObject({ productId: zId, batch: zLine(120).default(''), quantity: z.coerce.number().int().min(0) }),
)
const said = { warehouseId: zId, replenisherId: zId, lines: zWanted, note: zLine(200).default('') }
const written = { method: 'POST' as const, access: 'outboundOrder.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(outboundState.states) })
const ofOne = { ...written, input: z.strictObject({ id: zId }), output: changed }
const refusals = ['request.notFound', 'outbound.state'] as const

export const addOutboundOrder = endpoint({
  ...written,
  name: 'stock.addOutboundOrder',
  path: '/api/outbound-orders',
  input: z.strictObject(said),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: ['request.notFound', 'outbound.replenisher', 'outbound.lines'],
  summary: 'Draft what a replenisher is to take along from a warehouse',
})

export const editOutboundOrder = endpoint({
  ...written,
  name: 'stock.editOutboundOrder',
  path: '/api/outbound-orders/{id}/edit',
  input: z.strictObject({ id: zId, version: z.int().positive(), lines: zWanted, note: zLine(200).default('') }),
  output: changed,
  refusals: [...refusals, 'edit.stale', 'outbound.lines'],
  summary: 'Change what a draft wants',
})

export const pickOutboundOrder = endpoint({
  ...written,
  name: 'stock.pickOutboundOrder',
  path: '/api/outbound-orders/{id}/pick',
  input: z.strictObject({ id: zId, picks: zLots.max(500) }),
  output: changed,
  refusals: [...refusals, 'outbound.lines', 'outbound.batch', 'outbound.nothing', 'warehouse.less'],
  summary: 'Say what lies ready of which batch; it is kept for this order until it is loaded',
})

export const putBackOutboundOrder = endpoint({
  ...ofOne,
  name: 'stock.putBackOutboundOrder',
  path: '/api/outbound-orders/{id}/put-back',
  refusals,
  summary: 'What lay ready is free again, and the order a draft',
})

export const loadOutboundOrder = endpoint({
  ...ofOne,
  name: 'stock.loadOutboundOrder',
  path: '/api/outbound-orders/{id}/load',
  refusals: [...refusals, 'outbound.batch', 'warehouse.less'],
  summary: 'What lies ready leaves the warehouse with the replenisher',
})

export const closeOutboundOrder = endpoint({
  ...written,
  name: 'stock.closeOutboundOrder',
  path: '/api/outbound-orders/{id}/close',
  input: z.strictObject({ id: zId, returns: zLots.max(500).default([]) }),
  output: changed,
  refusals: [...refusals, 'outbound.lines', 'warehouse.less'],
  summary: 'What is left comes back into the warehouse; what is not named stays with the replenisher',
})

export const cancelOutboundOrder = endpoint({
  ...written,
  name: 'stock.cancelOutboundOrder',
  path: '/api/outbound-orders/{id}/cancel',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals,
  summary: 'It is not to be, and why; only before it is loaded',
})

/** What a picker of people who carry goods asks. */
export const listReplenishers = listEndpoint({
  name: 'stock.listReplenishers',
  path: '/api/replenishers',
  access: 'outboundOrder.read',
  summary: 'People of merchants in sight who may be given goods, with what they have',
  filters: { q: zSearch.optional() },
  sorts: ['name'],
  item: z.object({
    id: z.int(),
    name: z.string(),
    account: z.string(),
    merchantName: z.string(),
    pieces: z.int(),
  }),
})

const carried = z.object({
  id: z.int(),
  replenisherName: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  ...named,
  batch: z.string(),
  expiresOn: zDay.nullable(),
  quantity: z.int(),
  valueFen: zFen,
})
export type Carried = z.output<typeof carried>

export const listCarriedGoods = listEndpoint({
  name: 'stock.listCarriedGoods',
  path: '/api/carried-goods',
  access: 'outboundOrder.read',
  summary: 'What replenishers have of the goods of merchants in sight, by product and batch, at cost',
  filters: { q: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['replenisher'],
  item: carried,
  sums: { quantity: z.int(), valueFen: zFen },
})

export const carriedFields = {
  replenisherName: { kind: 'text' },
  productName: codedNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  specification: { kind: 'text' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  quantity: { kind: 'count' },
  valueFen: { kind: 'money' },
  merchantName: { kind: 'text' },
} satisfies Fields
