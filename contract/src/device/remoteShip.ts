import { z } from 'zod'
import { productNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zReason } from './sendable'

/** `unknown`: the machine was interrupted or fell silent while its motor turned; a person who looks says what fell. */
export const remoteShipState = stateTable({
  initial: 'sent',
  states: ['sent', 'received', 'dispensed', 'jammed', 'refused', 'expired', 'unknown'],
  moves: {
    receive: { from: ['sent'], to: 'received' },
    dispense: { from: ['sent', 'received', 'expired', 'unknown'], to: 'dispensed' },
    jam: { from: ['sent', 'received', 'expired', 'unknown'], to: 'jammed' },
    refuse: { from: ['sent', 'received'], to: 'refused' },
    expire: { from: ['sent'], to: 'expired' },
    lose: { from: ['sent', 'received'], to: 'unknown' },
  },
  sets: {
    underWay: ['sent', 'received', 'unknown'],
    /** What has come out, or may have. */
    perhapsOut: ['sent', 'received', 'dispensed', 'unknown'],
  },
})
export type RemoteShipState = (typeof remoteShipState.states)[number]

export const remoteShipRefusals = defineRefusals('device', {
  'remoteShip.noSlot': 422,
  'remoteShip.empty': 409,
  'remoteShip.fault': 409,
  /** By hand, by an excursion or by a recall: closed to everybody. */
  'remoteShip.locked': 409,
  /** An expired, recalled or locked batch may be in the slot. */
  'remoteShip.batch': 422,
  /** Counted for each person, and without an order nobody knows for whom it is. */
  'remoteShip.limited': 422,
  'remoteShip.unlawful': 422,
  'remoteShip.prescription': 422,
  'remoteShip.noOrder': 422,
  'remoteShip.otherMachine': 422,
  'remoteShip.otherProduct': 422,
  'remoteShip.nothingDue': 409,
  'remoteShip.repaid': 409,
  'remoteShip.again': 409,
  'remoteShip.known': 409,
})

const ship = z.object({
  id: z.int(),
  createdAt: zInstant,
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  slotCode: z.string(),
  productId: z.int(),
  productName: z.string(),
  state: z.enum(remoteShipState.states),
  /** With an order what it paid for is handed out; without one it is given away. */
  kind: z.enum(['order', 'free']),
  orderNo: z.string().nullable(),
  customer: z.string(),
  reason: z.string(),
  costFen: zFenPositive,
  motorCode: z.string().nullable(),
  sensorCode: z.string().nullable(),
  createdBy: z.string().nullable(),
  receivedAt: zInstant.nullable(),
  finishedAt: zInstant.nullable(),
})
export type RemoteShip = z.output<typeof ship>

/** The sums count what was given away and came out: a cost, never a sale. */
export const listRemoteShips = listEndpoint({
  name: 'device.listRemoteShips',
  path: '/api/remote-ships',
  access: 'command.read',
  summary: 'What was let out of machines in sight from afar, newest first',
  filters: {
    machineCode: zSearch.optional(),
    orderNo: zSearch.optional(),
    state: zAnyOf(remoteShipState.states).optional(),
    kind: z.enum(['order', 'free']).optional(),
    createdBy: zSearch.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: ship,
  sums: { costFen: zFenPositive },
})

export const remoteShipTones = {
  sent: 'busy',
  received: 'busy',
  dispensed: 'good',
  jammed: 'bad',
  refused: 'bad',
  expired: 'warn',
  unknown: 'warn',
} as const

export const remoteShipFields = {
  createdAt: { kind: 'dateTime' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  slotCode: { kind: 'code' },
  productName: productNameField,
  state: stateField('remoteShipState', remoteShipState, remoteShipTones),
  kind: { kind: 'state', words: 'remoteShipKind', tones: { order: 'idle', free: 'warn' } },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  customer: { kind: 'text' },
  reason: { kind: 'text' },
  costFen: { kind: 'money' },
  createdBy: { kind: 'text' },
  receivedAt: { kind: 'dateTime' },
  finishedAt: { kind: 'dateTime' },
} satisfies Fields

export const getRemoteShip = endpoint({
  name: 'device.getRemoteShip',
  method: 'GET',
  path: '/api/remote-ships/{id}',
  access: 'command.read',
  input: z.strictObject({ id: zId }),
  output: ship.extend({
    commandId: z.int(),
    detail: z.string().nullable(),
    itemIndex: z.int().nullable(),
    merchantName: z.string(),
    sentAt: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One remote dispense with its command',
})

const asked = {
  id: zId,
  slot: z.string().trim().min(1).max(12),
  orderNo: z.string().trim().max(64).default(''),
}

/** The second look: what would come out, and whether it may. */
export const previewRemoteShip = endpoint({
  name: 'device.previewRemoteShip',
  method: 'GET',
  path: '/api/machines/{id}/remote-ship-preview',
  access: 'command.operate',
  input: z.strictObject(asked),
  output: z.object({
    machineCode: z.string(),
    machineName: z.string(),
    pointName: z.string(),
    slot: z.string(),
    productName: z.string().nullable(),
    picture: z.string().nullable(),
    stock: z.int(),
    priceFen: zFenPositive.nullable(),
    costFen: zFenPositive.nullable(),
    /** Which item of the order it would make good. */
    itemIndex: z.int().nullable(),
    /** The refusal's code and its words; null when it may be sent. */
    refusal: z.object({ code: z.string(), msg: z.string() }).nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'What a remote dispense would let out, and whether it may',
})

export const remoteShip = endpoint({
  name: 'device.remoteShip',
  method: 'POST',
  path: '/api/machines/{id}/remote-ship',
  access: 'command.operate',
  writes: true,
  input: z.strictObject({ ...asked, customer: z.string().trim().max(60).default(''), reason: zReason }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'command.retired', 'command.offline', ...remoteShipRefusals],
  summary: 'Let one piece out of a slot for the customer in front of the machine',
})

export const concludeRemoteShip = endpoint({
  name: 'device.concludeRemoteShip',
  method: 'POST',
  path: '/api/remote-ships/{id}/conclude',
  access: 'command.operate',
  writes: true,
  input: z.strictObject({ id: zId, isOut: z.boolean(), reason: zReason }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'remoteShip.known'],
  summary: 'Say what came out where the machine could not: seen by a person',
})
