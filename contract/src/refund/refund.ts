import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive, zMovement } from '../kernel/money'
import {
  businessTypes,
  itemState,
  orderState,
  paymentMethods,
  paymentState,
  problems,
  shipState,
} from '../trade/states'
import { payBackWays, refundCauses, refundState, waitingStates } from './states'

const refund = z.object({
  id: z.int(),
  refundNo: z.string(),
  orderId: z.int(),
  orderNo: z.string(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  productNames: z.string(),
  method: z.enum(paymentMethods),
  amountFen: zFenPositive,
  /** What was paid for the whole order. */
  paidFen: zFenPositive,
  cause: z.enum(refundCauses),
  reason: z.string(),
  state: z.enum(refundState.states),
  /** Why it failed or waits: a word of ours (`detail.<word>`) or the channel's own code. */
  detail: z.string().nullable(),
  tries: z.int(),
  /** Null where the rule of auto-refund asked for it. */
  requestedBy: z.string().nullable(),
  requestedAt: zInstant,
  decidedBy: z.string().nullable(),
  decidedAt: zInstant.nullable(),
  endedAt: zInstant.nullable(),
  /** Somebody has written how it is paid back by hand; another person has to agree. */
  isPayBackAsked: z.boolean(),
})
export type Refund = z.output<typeof refund>

export const listRefunds = listEndpoint({
  name: 'refund.listRefunds',
  path: '/api/refunds',
  access: 'refund.read',
  summary: 'Refunds of orders of machines in sight, newest first, with their sums',
  filters: {
    /** Of the order, the refund or the channel. */
    no: zSearch.optional(),
    machineCode: zSearch.optional(),
    state: zAnyOf(['waiting', ...refundState.states]).optional(),
    cause: zAnyOf(refundCauses).optional(),
    method: zAnyOf(paymentMethods).optional(),
    /** Asked for by the rule of auto-refund, or by a person. */
    by: z.enum(['rule', 'person', 'me']).optional(),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
    /** Business days on which the money was with the customer, as the reports count it; and what was sold how. */
    doneFrom: zDay.optional(),
    doneTo: zDay.optional(),
    businessType: zAnyOf(businessTypes).optional(),
    sellerId: zId.optional(),
    pointId: zId.optional(),
    hospitalId: zId.optional(),
  },
  sorts: ['newest', 'oldest'],
  item: refund,
  sums: { amountFen: zFen, refundedFen: zFen },
})

export const refundTones = {
  pending_review: 'warn',
  refunding: 'busy',
  unknown: 'warn',
  refunded: 'good',
  failed: 'bad',
  needs_handling: 'bad',
  rejected: 'idle',
  paid_back: 'good',
} as const

export const refundFields = {
  refundNo: { kind: 'code' },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  productNames: { kind: 'text' },
  method: { kind: 'state', words: 'method', tones: {} },
  amountFen: { kind: 'money' },
  paidFen: { kind: 'money' },
  cause: { kind: 'state', words: 'cause', tones: {} },
  reason: { kind: 'text' },
  state: stateField('refundState', refundState, refundTones),
  tries: { kind: 'count' },
  requestedBy: { kind: 'text' },
  requestedAt: { kind: 'dateTime' },
  decidedBy: { kind: 'text' },
  decidedAt: { kind: 'dateTime' },
  endedAt: { kind: 'dateTime' },
} satisfies Fields

const waiting = z.object({ count: z.int(), fen: zFenPositive })
export const summariseRefunds = endpoint({
  name: 'refund.summariseRefunds',
  method: 'GET',
  path: '/api/refunds/summary',
  access: 'refund.read',
  input: z.strictObject({}),
  output: z.object(
    Object.fromEntries(waitingStates.map((state) => [state, waiting])) as Record<
      (typeof waitingStates)[number],
      typeof waiting
    >,
  ),
  summary: 'How many refunds wait for review, for a channel or for a person, and how much money that is',
})

const refundItem = z.object({
  index: z.int(),
  slotCode: z.string(),
  productId: z.int(),
  productName: z.string(),
  picture: z.string().nullable(),
  amountFen: zFenPositive,
  state: z.enum(itemState.states),
  motorCode: z.string().nullable(),
  sensorCode: z.string().nullable(),
  shippedAt: zInstant.nullable(),
})

/** What was said to the channel about it and what it said; the whole wording is in the exchange itself. */
const exchange = z.object({
  at: zInstant,
  kind: z.string(),
  outcome: z.string(),
  status: z.int().nullable(),
  durationMs: z.int(),
  request: z.string(),
  answer: z.string(),
})

export const getRefund = endpoint({
  name: 'refund.getRefund',
  method: 'GET',
  path: '/api/refunds/{id}',
  access: 'refund.read',
  input: z.strictObject({ id: zId }),
  output: refund.extend({
    version: z.int(),
    channelRefundNo: z.string().nullable(),
    sentAt: zInstant.nullable(),
    nextAt: zInstant.nullable(),
    /** A channel was asked to pay it, so that nobody may reject it any more. */
    isSent: z.boolean(),
    /** Can a channel or a card pay it at all; else it is paid back by hand. */
    isPayable: z.boolean(),
    /** A person who asked for so much does not approve it. */
    isOwnAboveLimit: z.boolean(),
    /** Something of it is on its way by a remote dispense. */
    isUnderWay: z.boolean(),
    payBack: z
      .object({
        way: z.enum(payBackWays),
        note: z.string(),
        proof: z.array(z.string()),
        by: z.string().nullable(),
        isMine: z.boolean(),
        at: zInstant,
        agreedBy: z.string().nullable(),
      })
      .nullable(),
    /** What paying it back by hand would post; nothing where it may not be. */
    payBackMoves: z.object({ transfer: z.array(zMovement), cash: z.array(zMovement) }),
    order: z.object({
      thirdPartyNo: z.string().nullable(),
      occurredAt: zInstant,
      paidAt: zInstant.nullable(),
      shipSentAt: zInstant.nullable(),
      shipReceivedAt: zInstant.nullable(),
      businessType: z.enum(businessTypes),
      paymentState: z.enum(paymentState.states),
      shipState: z.enum(shipState.states),
      problem: z.enum(problems).nullable(),
      refundedFen: zFenPositive,
      heldFen: zFenPositive,
    }),
    items: z.array(refundItem),
    exchanges: z.array(exchange),
    entries: z.array(
      z.object({ transferId: z.int(), kind: z.string(), account: z.string(), amountFen: zFen, postedAt: zInstant }),
    ),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One refund with its order, the evidence of the machine, the words of the channel and the entries',
})

/** What of an order may still be paid back, item by item: what a person chooses from. */
export const getRefundable = endpoint({
  name: 'refund.getRefundable',
  method: 'GET',
  path: '/api/refundable',
  access: 'refund.apply',
  input: z.strictObject({ orderNo: z.string().trim().min(1).max(80) }),
  output: z.object({
    orderNo: z.string(),
    machineCode: z.string(),
    method: z.enum(paymentMethods),
    paidFen: zFenPositive,
    heldFen: zFenPositive,
    leftFen: zFenPositive,
    /** From this amount on another person has to approve. */
    limitFen: zFenPositive,
    orderState: z.enum(orderState.states),
    items: z.array(
      z.object({
        index: z.int(),
        productName: z.string(),
        slotCode: z.string(),
        state: z.enum(itemState.states),
        shareFen: zFenPositive,
        isHeld: z.boolean(),
      }),
    ),
    /** How the money would go back: `channel`, `card`, or why it has to be paid by hand. */
    way: z.string(),
    refusal: z.object({ code: z.string(), msg: z.string() }).nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'What of an order may still be refunded, and how the money would go back',
})
