import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { callbackState, shipmentResults } from './states'

/** `none`: the interface is asked, not told; or it has nothing to hear yet. */
const callbackStates = ['none', ...callbackState.states] as const

const shipment = z.object({
  id: z.int(),
  requestNo: z.string(),
  createdAt: zInstant,
  /** Merchant and contract of the interface that asked. */
  merchantName: z.string(),
  contractNumber: z.string(),
  machineCode: z.string(),
  machineName: z.string(),
  orderNo: z.string(),
  productNames: z.string(),
  itemCount: z.int(),
  dispensedCount: z.int(),
  result: z.enum(shipmentResults),
  callback: z.enum(callbackStates),
  tries: z.int(),
  nextTryAt: zInstant.nullable(),
})
export type Shipment = z.output<typeof shipment>

export const listShipments = listEndpoint({
  name: 'partner.listShipments',
  path: '/api/partner-shipments',
  access: 'shipResult.read',
  summary: 'Shipments that other programs asked for, newest first, with what came of them and whether they heard it',
  filters: {
    requestNo: zSearch.optional(),
    orderNo: zSearch.optional(),
    machineCode: zSearch.optional(),
    contractNumber: zSearch.optional(),
    result: zAnyOf(shipmentResults).optional(),
    callback: zAnyOf(callbackStates).optional(),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: shipment,
})

export const shipmentFields = {
  requestNo: { kind: 'code' },
  createdAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
  contractNumber: { kind: 'code' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  productNames: { kind: 'text' },
  itemCount: { kind: 'count' },
  dispensedCount: { kind: 'count' },
  result: stateField('shipmentResult', shipmentResults, {
    shipping: 'busy',
    dispensed: 'good',
    partly: 'warn',
    failed: 'bad',
    timeout: 'bad',
  }),
  callback: stateField('callbackState', callbackStates, {
    none: 'idle',
    waiting: 'busy',
    delivered: 'good',
    failed: 'bad',
  }),
  tries: { kind: 'count' },
  nextTryAt: { kind: 'dateTime' },
} satisfies Fields

export const getShipment = endpoint({
  name: 'partner.getShipment',
  method: 'GET',
  path: '/api/partner-shipments/{id}',
  access: 'shipResult.read',
  input: z.strictObject({ id: zId }),
  output: shipment.extend({
    configId: z.int(),
    path: z.string().nullable(),
    ip: z.string(),
    request: z.string(),
    answer: z.string(),
    endedAt: zInstant.nullable(),
    items: z.array(
      z.object({
        index: z.int(),
        slotCode: z.string(),
        productName: z.string(),
        state: z.string(),
        motorCode: z.string().nullable(),
        sensorCode: z.string().nullable(),
        batch: z.string().nullable(),
        traceCode: z.string().nullable(),
        shippedAt: zInstant.nullable(),
      }),
    ),
    commands: z.array(
      z.object({
        id: z.string(),
        state: z.string(),
        createdAt: zInstant,
        sentAt: zInstant.nullable(),
        endedAt: zInstant.nullable(),
      }),
    ),
    callbacks: z.array(
      z.object({
        id: z.int(),
        event: z.enum(['shipment.ended', 'shipment.corrected']),
        eventId: z.string(),
        state: z.enum(callbackState.states),
        body: z.string().nullable(),
        tries: z.int(),
        nextTryAt: zInstant.nullable(),
        createdAt: zInstant,
        attempts: z.array(
          z.object({
            id: z.int(),
            at: zInstant,
            address: z.string(),
            status: z.int().nullable(),
            problem: z.string().nullable(),
            answer: z.string(),
            durationMs: z.int(),
            byName: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One requested shipment: what was asked, commanded, handed out, and told back',
})

export const callAgain = endpoint({
  name: 'partner.callAgain',
  method: 'POST',
  path: '/api/partner-shipments/{id}/call-again',
  access: 'shipResult.callback',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'partnerCallback.waiting', 'partnerCallback.none'],
  summary: 'Tell the other program once more what came of its shipment',
})

export const summariseShipments = endpoint({
  name: 'partner.summariseShipments',
  method: 'GET',
  path: '/api/partner-shipments/summary',
  access: 'shipResult.read',
  input: z.strictObject({}),
  output: z.object({ today: z.int(), shipping: z.int(), undelivered: z.int(), waiting: z.int(), failed: z.int() }),
  summary: 'Requested shipments of today, those under way, and callbacks that nobody has heard yet',
})
