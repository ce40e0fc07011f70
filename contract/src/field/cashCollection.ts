import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/**
 * A cash box on its way from a machine to the books: who took it, what another person counted in it, and, where that is
 * off by too much, what a third one says to it.
 */
export const cashCollectionState = stateTable({
  initial: 'taken',
  states: ['taken', 'counted', 'settled', 'cancelled'],
  moves: {
    /** Off by too much: somebody has to look. */
    count: { from: ['taken'], to: 'counted' },
    /** As the books say, or accepted as it is. */
    settle: { from: ['taken', 'counted'], to: 'settled' },
    recount: { from: ['counted'], to: 'taken' },
    /** No box was taken after all. */
    cancel: { from: ['taken'], to: 'cancelled' },
  },
  sets: { underWay: ['taken', 'counted'], left: ['taken', 'counted', 'settled'], bankable: ['settled'] },
})

export const cashCollectionRefusals = defineRefusals('field', {
  'cash.state': 409,
  'cash.machine': 422,
  /** A box of that number is on its way already. */
  'cash.boxUsed': 409,
  'cash.early': 422,
  /** Who took a box does not count it. */
  'cash.ownCount': 403,
  /** Who took or counted a box does not decide about what is missing. */
  'cash.ownDecision': 403,
})

const collection = z.object({
  id: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  boxNo: z.string(),
  state: z.enum(cashCollectionState.states),
  takenAt: zInstant,
  taker: z.string(),
  /** By the books: sold for cash until it was taken, and in no box before. */
  expectedFen: zFenPositive,
  countedFen: zFenPositive.nullable(),
  /** Counted less expected; below 0 something is missing. */
  differenceFen: zFen.nullable(),
  counter: z.string().nullable(),
  countedAt: zInstant.nullable(),
  decider: z.string().nullable(),
  settledAt: zInstant.nullable(),
  /** Of the bank's slip under which it was deposited. */
  slipNo: z.string().nullable(),
  note: z.string(),
})
export type CashCollection = z.output<typeof collection>

export const listCashCollections = listEndpoint({
  name: 'field.listCashCollections',
  path: '/api/cash-collections',
  access: 'cashCollection.read',
  summary: 'Cash boxes of machines in sight, newest first, with what the books expect in them and what was counted',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(cashCollectionState.states).optional(),
    off: z.enum(['short', 'over']).optional(),
    banked: z.enum(['yes', 'no']).optional(),
    depositId: zId.optional(),
    takenFrom: zDay.optional(),
    takenTo: zDay.optional(),
    machineId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: collection,
  sums: { expectedFen: zFen, countedFen: zFen, differenceFen: zFen },
})

export const cashCollectionFields = {
  id: { kind: 'count' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  boxNo: { kind: 'code' },
  state: stateField('cashCollectionState', cashCollectionState, {
    taken: 'busy',
    counted: 'bad',
    settled: 'good',
    cancelled: 'idle',
  }),
  takenAt: { kind: 'dateTime' },
  taker: { kind: 'text' },
  expectedFen: { kind: 'money' },
  countedFen: { kind: 'money' },
  differenceFen: { kind: 'money' },
  counter: { kind: 'text' },
  countedAt: { kind: 'dateTime' },
  decider: { kind: 'text' },
  settledAt: { kind: 'dateTime' },
  slipNo: { kind: 'code' },
  note: { kind: 'text' },
} satisfies Fields

export const summariseCash = endpoint({
  name: 'field.summariseCash',
  method: 'GET',
  path: '/api/cash-collections/summary',
  access: 'cashCollection.read',
  input: z.strictObject({}),
  output: z.object({
    /** In machines now, by the books, and in boxes on their way. */
    inMachinesFen: zFen,
    onTheWayFen: zFen,
    /** Counted, and not at a bank. */
    unbankedFen: zFen,
    taken: z.int(),
    counted: z.int(),
  }),
  summary: 'Where the cash of machines in sight is, and how many boxes wait to be counted or decided',
})

export const getCashCollection = endpoint({
  name: 'field.getCashCollection',
  method: 'GET',
  path: '/api/cash-collections/{id}',
  access: 'cashCollection.read',
  input: z.strictObject({ id: zId }),
  output: collection.extend({
    /** When the box before it was taken; null for a machine's first. */
    previousAt: zInstant.nullable(),
    /** Cash orders between the two, by when they happened. */
    orders: z.int(),
    ordersFen: zFen,
    /** What the machine said was in the box that left; null where it said nothing. */
    machineFen: zFen.nullable(),
    /** What its controller counted into the box since the last one, by audit files; null where it counts none. */
    controllerFen: zFen.nullable(),
    mayCount: z.boolean(),
    mayDecide: z.boolean(),
  }),
  refusals: ['request.notFound'],
  summary: 'One cash box by all that measured it: orders, machine, controller and count',
})

const written = { method: 'POST' as const, access: 'cashCollection.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(cashCollectionState.states) })
const refusals = ['request.notFound', 'cash.state'] as const
const zReason = z.string().trim().min(2).max(200)

export const takeCashBox = endpoint({
  ...written,
  name: 'field.takeCashBox',
  path: '/api/cash-collections',
  input: z.strictObject({
    machineCode: z.string().trim().min(1).max(20),
    boxNo: zNeeded(40),
    /** Now, where nothing is said. */
    takenAt: zInstant.nullable().default(null),
  }),
  output: changed,
  refusals: ['request.notFound', 'cash.machine', 'cash.boxUsed', 'cash.early'],
  summary: 'The caller has taken the cash box of a machine',
})

export const countCashBox = endpoint({
  ...written,
  access: 'cashCollection.count',
  name: 'field.countCashBox',
  path: '/api/cash-collections/{id}/count',
  input: z.strictObject({ id: zId, countedFen: z.int().min(0).max(100_000_000), note: zLine(200).default('') }),
  output: changed,
  refusals: [...refusals, 'cash.ownCount'],
  summary: 'What another person than who took it counted in it; off by too much, it waits for a decision',
})

export const recountCashBox = endpoint({
  ...written,
  access: 'cashCollection.count',
  name: 'field.recountCashBox',
  path: '/api/cash-collections/{id}/recount',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals,
  summary: 'It is to be counted once more',
})

export const acceptCashDifference = endpoint({
  ...written,
  access: 'cashCollection.decide',
  name: 'field.acceptCashDifference',
  path: '/api/cash-collections/{id}/accept',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals: [...refusals, 'cash.ownDecision'],
  summary: 'What is missing or too much is booked as such, by somebody who neither took nor counted it',
})

export const cancelCashBox = endpoint({
  ...written,
  name: 'field.cancelCashBox',
  path: '/api/cash-collections/{id}/cancel',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals,
  summary: 'No box was taken after all: its cash is in the machine as before',
})
