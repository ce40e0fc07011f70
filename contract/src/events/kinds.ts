import { z } from 'zod'
import { zDay, zInstant } from '../kernel/endpoint'

const fen = z.int()
const machine = z.string()

const order = {
  example: {
    orderNo: '20261127093012A1B2',
    machine: 'SH0001',
    businessType: 'sale',
    method: 'wechat',
    items: 1,
    totalFen: 500,
    discountFen: 0,
    paidFen: 500,
    refundedFen: 0,
    paymentState: 'paid',
    shipState: 'in_transit',
    problem: null,
  },
  data: z.strictObject({
    orderNo: z.string(),
    machine,
    businessType: z.string(),
    method: z.string(),
    items: z.int(),
    totalFen: fen,
    discountFen: fen,
    paidFen: fen,
    refundedFen: fen,
    paymentState: z.string(),
    shipState: z.string(),
    problem: z.string().nullable(),
  }),
}
const connection = {
  example: { machine: 'SH0001', lastSeenAt: '2026-11-27T09:30:12.000Z' },
  data: z.strictObject({ machine, lastSeenAt: zInstant }),
}
const alarm = {
  example: {
    alarm: 4711,
    machine: 'SH0001',
    cause: 'temperature',
    slot: null,
    level: 'critical',
    openedAt: '2026-11-27T09:30:12.000Z',
    closedAt: null,
  },
  data: z.strictObject({
    alarm: z.int(),
    machine,
    cause: z.string(),
    slot: z.string().nullable(),
    level: z.string(),
    openedAt: zInstant,
    closedAt: zInstant.nullable(),
  }),
}
const stock = {
  example: { machine: 'SH0001', slot: 'A1', product: 'P100', quantity: 0 },
  data: z.strictObject({ machine, slot: z.string(), product: z.string(), quantity: z.int() }),
}

/**
 * What other programs are told of, each with what it says: ids, states and amounts in fen, no names of people. A field
 * may be added; what a field means changes with the version alone.
 */
export const eventKinds = {
  /** Its money has arrived, or it never cost any. */
  'order.paid': order,
  /** All of it came out, or the play was won. */
  'order.dispensed': { ...order, example: { ...order.example, shipState: 'completed' } },
  /** It was paid, and not all of it came out or the machine said nothing. */
  'order.failed': { ...order, example: { ...order.example, shipState: 'invalid', problem: 'undelivered' } },
  /** The money is with the customer, or it was decided that it does not go back. */
  'refund.ended': {
    example: {
      refundNo: 'R20261127A1B2C3',
      orderNo: '20261127093012A1B2',
      machine: 'SH0001',
      amountFen: 500,
      cause: 'jam',
      state: 'refunded',
    },
    data: z.strictObject({
      refundNo: z.string(),
      orderNo: z.string(),
      machine,
      amountFen: fen,
      cause: z.string(),
      state: z.string(),
    }),
  },
  'machine.online': connection,
  'machine.offline': connection,
  'alarm.opened': alarm,
  'alarm.closed': { ...alarm, example: { ...alarm.example, closedAt: '2026-11-27T10:02:00.000Z' } },
  /** A slot has nothing left of its product, or something again. */
  'stock.empty': stock,
  'stock.back': { ...stock, example: { ...stock.example, quantity: 8 } },
  /** Sales of a day were made available. */
  'settlement.posted': {
    example: {
      settlement: 99,
      day: '2026-11-26',
      method: 'wechat',
      orders: 120,
      refunds: 2,
      grossFen: 60_000,
      refundFen: 1_000,
      feesFen: 360,
      taxFen: 0,
      splitFen: 0,
      netFen: 58_640,
    },
    data: z.strictObject({
      settlement: z.int(),
      day: zDay,
      method: z.string(),
      orders: z.int(),
      refunds: z.int(),
      grossFen: fen,
      refundFen: fen,
      feesFen: fen,
      taxFen: fen,
      splitFen: fen,
      netFen: fen,
    }),
  },
} as const
export type EventKind = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

export const EVENT_VERSION = 1

/** As the log answers it and as a webhook brings it: the same body, however often and by whichever way. */
export const openEvent = z.strictObject({
  /** The same at each try and in the log. */
  id: z.string(),
  type: z.enum(eventKindNames),
  version: z.literal(EVENT_VERSION),
  /** When it happened. */
  timestamp: zInstant,
  /** The thing that it happened to; events of one thing come in their order. */
  object: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type OpenEvent = z.output<typeof openEvent>
