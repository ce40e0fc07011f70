import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { outboundState } from '../stock/outbound'

/**
 * What a replenisher brings to machines, by need. Its goods leave the warehouse by an outbound order; from setting out
 * to the end, what its machines say was filled comes out of the replenisher's bag and is set beside the plan.
 */
export const replenishmentState = stateTable({
  initial: 'draft',
  states: ['draft', 'released', 'loading', 'underWay', 'done', 'cancelled'],
  moves: {
    release: { from: ['draft'], to: 'released' },
    /** With its outbound order, while nothing has left. */
    revise: { from: ['released', 'loading'], to: 'draft' },
    load: { from: ['released'], to: 'loading' },
    depart: { from: ['loading'], to: 'underWay' },
    finish: { from: ['underWay'], to: 'done' },
    cancel: { from: ['draft', 'released', 'loading'], to: 'cancelled' },
  },
  sets: {
    /** Machines may have said something of it. */
    begun: ['underWay', 'done'],
    /** Its replenisher carries its goods, or is about to. */
    packed: ['loading', 'underWay'],
    /** It is to be driven, or is. */
    coming: ['released', 'loading', 'underWay'],
    open: ['draft', 'released', 'loading', 'underWay'],
  },
})

/** Why a slot is visited: the first that holds. */
export const needReasons = ['newProduct', 'empty', 'expiring', 'belowAlarm', 'sellsOut'] as const
export type NeedReason = (typeof needReasons)[number]

export const replenishmentRefusals = defineRefusals('field', {
  'replenishmentOrder.state': 409,
  /** Neither a route nor machines. */
  'replenishmentOrder.where': 422,
  /** A machine of another merchant than the warehouse. */
  'replenishmentOrder.merchants': 422,
  /** No slot of these machines needs anything. */
  'replenishmentOrder.noNeed': 409,
  /** A slot that does not stand in it. */
  'replenishmentOrder.lines': 422,
  /** The outbound order is not loaded yet. */
  'replenishmentOrder.notLoaded': 409,
  /** Its goods are out already. */
  'replenishmentOrder.loaded': 409,
  /** Somebody else is under way to one of its machines. */
  'replenishmentOrder.taken': 409,
})

const order = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  routeName: z.string().nullable(),
  warehouseName: z.string(),
  replenisherName: z.string(),
  state: z.enum(replenishmentState.states),
  machines: z.int(),
  slots: z.int(),
  planned: z.int(),
  /** As the machines say, from setting out on; null before. */
  filled: z.int().nullable(),
  /** What would not be sold until the next visit, if nobody came. */
  stakeFen: zFen,
  coverDays: z.int(),
  note: z.string(),
  maker: z.string(),
  madeAt: zInstant,
  startedAt: zInstant.nullable(),
  ender: z.string().nullable(),
  endedAt: zInstant.nullable(),
})
export type ReplenishmentOrder = z.output<typeof order>

export const listReplenishmentOrders = listEndpoint({
  name: 'field.listReplenishmentOrders',
  path: '/api/replenishment-orders',
  access: 'replenishmentOrder.read',
  summary: 'What is brought to machines of merchants in sight, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(replenishmentState.states).optional(),
    /** Something of what was done at its machines waits for somebody to decide. */
    undecided: z.enum(['yes']).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: order,
})

export const replenishmentOrderFields = {
  no: { kind: 'code' },
  state: stateField('replenishmentState', replenishmentState, {
    draft: 'idle',
    released: 'warn',
    loading: 'warn',
    underWay: 'busy',
    done: 'good',
    cancelled: 'idle',
  }),
  replenisherName: { kind: 'text' },
  routeName: { kind: 'text' },
  machines: { kind: 'count' },
  slots: { kind: 'count' },
  planned: { kind: 'count' },
  filled: { kind: 'count' },
  stakeFen: { kind: 'money' },
  warehouseName: { kind: 'text' },
  coverDays: { kind: 'count' },
  note: { kind: 'text' },
  maker: { kind: 'text' },
  madeAt: { kind: 'dateTime' },
  startedAt: { kind: 'dateTime' },
  ender: { kind: 'text' },
  endedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

const line = z.object({
  slotId: z.int(),
  slotCode: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  there: z.int(),
  capacity: z.int(),
  takeOut: z.int(),
  bring: z.int(),
  reason: z.enum(needReasons),
  /** Pieces a day while it is not empty. */
  perDay: z.number(),
  /** What is there lasts so long; null where it sells nothing. */
  lastsDays: z.number().nullable(),
  stakeFen: zFen,
  /** Put in by what the machine says, and of that out of the replenisher's bag. */
  filled: z.int(),
  fromBag: z.int(),
})
export type ReplenishmentLine = z.output<typeof line>

export const getReplenishmentOrder = endpoint({
  name: 'field.getReplenishmentOrder',
  method: 'GET',
  path: '/api/replenishment-orders/{id}',
  access: 'replenishmentOrder.read',
  input: z.strictObject({ id: zId }),
  output: order.extend({
    version: z.int(),
    endReason: z.string(),
    /** Null while nothing is loaded, and where all that it brings was carried already. */
    outbound: z.object({ id: z.int(), no: z.string(), state: z.enum(outboundState.states) }).nullable(),
    /** In the order of the tour. */
    stops: z.array(
      z.object({
        machineId: z.int(),
        machineCode: z.string(),
        machineName: z.string(),
        pointName: z.string(),
        lines: z.array(line),
        /** Pieces that were put in where nothing was planned. */
        unplanned: z.int(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One order, machine by machine and slot by slot: what to bring, why, and what was put in',
})

const written = { method: 'POST' as const, access: 'replenishmentOrder.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(replenishmentState.states) })
const refusals = ['request.notFound', 'replenishmentOrder.state'] as const
const ofOne = { ...written, input: z.strictObject({ id: zId }), output: changed }

export const addReplenishmentOrder = endpoint({
  ...written,
  name: 'field.addReplenishmentOrder',
  path: '/api/replenishment-orders',
  input: z.strictObject({
    warehouseId: zId,
    replenisherId: zId,
    /** The machines of a route that are of the warehouse's merchant, in its order; or those that are named. */
    routeId: zId.nullable().default(null),
    machineIds: z.array(zId).max(100).default([]),
    coverDays: z.coerce.number().int().min(1).max(30).default(3),
    note: zLine(200).default(''),
  }),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: [
    'request.notFound',
    'outbound.replenisher',
    'replenishmentOrder.where',
    'replenishmentOrder.merchants',
    'replenishmentOrder.noNeed',
  ],
  summary: 'Draft what machines need until the next visit, slot by slot, with why',
})

export const editReplenishmentOrder = endpoint({
  ...written,
  name: 'field.editReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/edit',
  input: z.strictObject({
    id: zId,
    version: z.int().positive(),
    lines: z.array(z.strictObject({ slotId: zId, bring: z.coerce.number().int().min(0).max(999) })).max(5000),
  }),
  output: changed,
  refusals: [...refusals, 'edit.stale', 'replenishmentOrder.lines'],
  summary: 'Change how much of a draft is brought to which slots',
})

export const releaseReplenishmentOrder = endpoint({
  ...ofOne,
  name: 'field.releaseReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/release',
  refusals: [...refusals, 'replenishmentOrder.noNeed'],
  summary: 'It is to be driven as it stands',
})

export const reviseReplenishmentOrder = endpoint({
  ...ofOne,
  name: 'field.reviseReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/revise',
  refusals: [...refusals, 'replenishmentOrder.loaded'],
  summary: 'It is a draft again; its outbound order is cancelled while nothing is loaded',
})

export const loadReplenishmentOrder = endpoint({
  ...ofOne,
  name: 'field.loadReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/load',
  refusals: [...refusals, 'outbound.replenisher'],
  summary: 'Have its goods picked: an outbound order of what the replenisher does not carry already',
})

export const departReplenishmentOrder = endpoint({
  ...ofOne,
  name: 'field.departReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/depart',
  refusals: [...refusals, 'outbound.replenisher', 'replenishmentOrder.notLoaded', 'replenishmentOrder.taken'],
  summary: 'Set out: what its machines say is filled comes out of the replenisher’s bag from now on',
})

export const finishReplenishmentOrder = endpoint({
  ...ofOne,
  name: 'field.finishReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/finish',
  refusals,
  summary: 'The tour is over; what is left is brought back by its outbound order',
})

export const cancelReplenishmentOrder = endpoint({
  ...written,
  name: 'field.cancelReplenishmentOrder',
  path: '/api/replenishment-orders/{id}/cancel',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals: [...refusals, 'replenishmentOrder.loaded'],
  summary: 'It is not to be, and why; its outbound order goes with it while nothing is loaded',
})
