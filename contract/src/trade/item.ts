import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { orderFields } from './order'
import { businessTypes, itemState, paymentMethods, paymentState } from './states'

/** No order has so many items. */
export const ITEMS_OF_ORDER = 20
/** A number for each item of an order: rows of lists are told apart by one. */
export const itemIdOf = (orderId: number, index: number): number => orderId * ITEMS_OF_ORDER + index
export const orderIdOf = (itemId: number): number => Math.floor(itemId / ITEMS_OF_ORDER)
export const indexOf = (itemId: number): number => itemId % ITEMS_OF_ORDER

/** One piece of an order, with what the machine said of it. */
const item = z.object({
  id: z.int(),
  orderId: z.int(),
  orderNo: z.string(),
  occurredAt: zInstant,
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  pointName: z.string(),
  slotCode: z.string(),
  productCode: z.string(),
  productName: z.string(),
  method: z.enum(paymentMethods),
  businessType: z.enum(businessTypes),
  paymentState: z.enum(paymentState.states),
  thirdPartyNo: z.string().nullable(),
  listPriceFen: zFenPositive,
  priceFen: zFenPositive,
  itemState: z.enum(itemState.states),
  motorCode: z.string().nullable(),
  sensorCode: z.string().nullable(),
  durationMs: z.int().nullable(),
  attempts: z.int().nullable(),
  batch: z.string().nullable(),
  traceCode: z.string().nullable(),
  shippedAt: zInstant.nullable(),
})
export type OrderItem = z.output<typeof item>

const filters = {
  orderNo: zSearch.optional(),
  machineCode: zSearch.optional(),
  merchantId: zId.optional(),
  pointId: zId.optional(),
  productCode: zSearch.optional(),
  from: zDay.optional(),
  to: zDay.optional(),
}
/** `bad`: whatever did not come out, or was never heard of. */
const outcome = z.enum(['bad', ...itemState.states])

const soldFilters = {
  ...filters,
  method: zAnyOf(paymentMethods).optional(),
  businessType: zAnyOf(businessTypes).optional(),
  itemState: outcome.optional(),
}

export const listSoldItems = listEndpoint({
  name: 'trade.listSoldItems',
  path: '/api/sold-items',
  access: 'order.read',
  summary: 'One line a piece of orders whose money arrived, of machines in sight, newest first',
  filters: soldFilters,
  sorts: ['newest'],
  item,
  sums: { priceFen: zFen },
  isCountedExactly: true,
})

export const listShipResults = listEndpoint({
  name: 'trade.listShipResults',
  path: '/api/ship-results',
  access: 'shipResult.read',
  summary: 'What machines in sight said of each piece they had to hand out, newest first',
  filters: {
    ...filters,
    itemState: outcome.optional(),
    motorCode: z.string().trim().min(1).max(8).optional(),
    sensorCode: z.string().trim().min(1).max(8).optional(),
  },
  sorts: ['newest'],
  item,
})

export const listShippedItems = listEndpoint({
  name: 'trade.listShippedItems',
  path: '/api/shipped-items',
  access: 'shipResult.read',
  summary: 'One line a piece that came out, with slot, batch and trace code, newest first',
  filters: { ...filters, batch: zSearch.optional(), traceCode: zSearch.optional() },
  sorts: ['newest'],
  item,
})

export const itemFields = {
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  occurredAt: orderFields.occurredAt,
  machineCode: orderFields.machineCode,
  machineName: orderFields.machineName,
  merchantName: orderFields.merchantName,
  pointName: { kind: 'text' },
  slotCode: { kind: 'code' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: codedNameField,
  method: orderFields.method,
  businessType: { kind: 'state', words: 'businessType', tones: {} },
  paymentState: orderFields.paymentState,
  thirdPartyNo: { kind: 'code' },
  listPriceFen: { kind: 'money' },
  priceFen: { kind: 'money' },
  itemState: stateField('itemState', itemState, {
    waiting: 'busy',
    dispensed: 'good',
    jammed: 'bad',
    failed: 'bad',
    no_answer: 'bad',
  }),
  motorCode: { kind: 'code' },
  sensorCode: { kind: 'code' },
  durationMs: { kind: 'count' },
  attempts: { kind: 'count' },
  batch: batchField,
  traceCode: { kind: 'code' },
  shippedAt: { kind: 'dateTime' },
} satisfies Fields
