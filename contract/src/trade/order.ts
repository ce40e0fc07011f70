import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { businessTypes, itemState, orderState, paymentMethods, paymentState, problems, shipState } from './states'

const order = z.object({
  id: z.int(),
  orderNo: z.string(),
  occurredAt: zInstant,
  businessDay: zDay,
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  productNames: z.string(),
  itemCount: z.int(),
  method: z.enum(paymentMethods),
  businessType: z.enum(businessTypes),
  totalFen: zFenPositive,
  discountFen: zFenPositive,
  paidFen: zFenPositive,
  refundedFen: zFenPositive,
  paymentState: z.enum(paymentState.states),
  shipState: z.enum(shipState.states),
  orderState: z.enum(orderState.states),
  problem: z.enum(problems).nullable(),
  isOffline: z.boolean(),
})
export type Order = z.output<typeof order>

/** `from` and `to` are business days, both included; without them the list is unbounded, newest first. */
const filters = {
  /** Any number, card or phone that a customer can read out. */
  q: zSearch.optional(),
  orderNo: zSearch.optional(),
  machineCode: zSearch.optional(),
  merchantId: zId.optional(),
  /** The merchant alone, without those below it. */
  sellerId: zId.optional(),
  /** Where the machine stood, and the hospital that is. */
  pointId: zId.optional(),
  hospitalId: zId.optional(),
  /** Who runs the machine now, wherever it stood. */
  operatorId: zId.optional(),
  /** What a merchant was settled at once. */
  settlementId: zId.optional(),
  method: z.enum(paymentMethods).optional(),
  businessType: z.enum(businessTypes).optional(),
  productCode: zSearch.optional(),
  batch: zSearch.optional(),
  /** Whose money arrived, whatever became of it since: what every report counts. */
  paid: z.enum(['yes']).optional(),
  paymentState: z.enum(paymentState.states).optional(),
  shipState: z.enum(shipState.states).optional(),
  problem: z.enum(['any', ...problems]).optional(),
  from: zDay.optional(),
  to: zDay.optional(),
}

export const listOrders = listEndpoint({
  name: 'trade.listOrders',
  path: '/api/orders',
  access: 'order.read',
  summary: 'Orders of machines in sight, newest first, with the sum for the filter',
  filters,
  sorts: ['newest'],
  item: order,
  sums: { paidFen: zFen, discountFen: zFen, refundedFen: zFen },
  isCountedExactly: true,
})

export const orderFields = {
  orderNo: { kind: 'code' },
  occurredAt: { kind: 'dateTime' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  productNames: { kind: 'text' },
  itemCount: { kind: 'count' },
  method: { kind: 'state', words: 'method', tones: {} },
  totalFen: { kind: 'money' },
  discountFen: { kind: 'money' },
  paidFen: { kind: 'money' },
  refundedFen: { kind: 'money' },
  paymentState: stateField('paymentState', paymentState, {
    unpaid: 'idle',
    paid: 'good',
    refunding: 'busy',
    refunded: 'idle',
    partly_refunded: 'warn',
    closed: 'idle',
  }),
  shipState: stateField('shipState', shipState, {
    in_transit: 'busy',
    completed: 'good',
    timeout: 'bad',
    invalid: 'bad',
    lottery_won: 'good',
    lottery_lost: 'idle',
  }),
  paid: stateField('paid', ['yes'], { yes: 'good' }),
  problem: stateField('problem', problems, {
    undelivered: 'bad',
    no_answer: 'bad',
    late_result: 'warn',
    amount_mismatch: 'warn',
    paid_late: 'bad',
    dispensed_after_refund: 'bad',
    unlawful_sale: 'bad',
    goods_differ: 'warn',
    sold_twice: 'bad',
  }),
} satisfies Fields

/** What happened to an order, each from a fact with its own time: nothing here is typed by hand. */
export const orderEventKinds = [
  'requested',
  'sold',
  'received',
  'paid',
  'posted',
  'shipSent',
  'shipReceived',
  'itemDispensed',
  'itemJammed',
  'itemFailed',
  /** A second piece, of the first command, after one was handed over from afar. */
  'itemAgain',
  'noAnswer',
  'closed',
  'refundAsked',
  'refundApproved',
  'refundDropped',
  'refundPaid',
  'refundFailed',
  /** Let out from afar, for what had not come out. */
  'shippedAgain',
  'shipAgainFailed',
  /** Closed as it stands by a person. */
  'caseClosed',
] as const

/** What lowers a price before it is asked. */
export const priceStepKinds = ['markdown', 'combination', 'plan', 'coupon', 'code'] as const

const priceStep = z.object({
  kind: z.enum(priceStepKinds),
  /** Of what lowered it, among its kind; a plan by the version of it that was in force. */
  reference: z.int(),
  /** The plan of that version. */
  planId: z.int().nullable(),
  beforeFen: zFenPositive,
  afterFen: zFenPositive,
  reason: z.string(),
})

const item = z.object({
  index: z.int(),
  slotCode: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  picture: z.string().nullable(),
  listPriceFen: zFenPositive,
  priceFen: zFenPositive,
  state: z.enum(itemState.states),
  motorCode: z.string().nullable(),
  sensorCode: z.string().nullable(),
  batch: z.string().nullable(),
  traceCode: z.string().nullable(),
  shippedAt: zInstant.nullable(),
  /** From the slot's price to what was asked; none where that is the same. */
  priceSteps: z.array(priceStep),
})

export const getOrder = endpoint({
  name: 'trade.getOrder',
  method: 'GET',
  path: '/api/orders/{id}',
  access: 'order.read',
  input: z.strictObject({ id: zId }),
  output: order.extend({
    thirdPartyNo: z.string().nullable(),
    machineOrderNo: z.string(),
    receivedAt: zInstant,
    /** Paid for, not handed out, and held by no refund yet; 0 for what was played for (spec §9). */
    dueBackFen: zFenPositive,
    /** Held by refunds that are not paid yet: waiting for a review, for the channel or for a person. */
    refundingFen: zFenPositive,
    items: z.array(item),
    timeline: z.array(
      z.object({ at: zInstant, kind: z.enum(orderEventKinds), detail: z.record(z.string(), z.string()) }),
    ),
    entries: z.array(
      z.object({
        transferId: z.int(),
        account: z.string(),
        amountFen: zFen,
        postedAt: zInstant,
        kind: z.string(),
        /** Where the channel's bill has the same money; null while no bill has brought it, and for other money. */
        line: z.object({ runId: z.int(), day: zDay, channelNo: z.string(), amountFen: zFen }).nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One order with its items, its story and its ledger entries',
})
