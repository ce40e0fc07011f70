import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
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

/** As a customer says it, in yuan, with the decimal sign of any language. */
const zSaidYuan = z.string().regex(/^\d{1,6}([.,]\d{1,2})?$/)
/** A minute on the clock where the machine stands: `2026-11-20T10:40`. */
const zSaidMinute = z
  .string()
  .regex(/^[^T]*T([01]\d|2[0-3]):[0-5]\d$/)
  .refine((text) => zDay.safeParse(text.slice(0, 10)).success && text.length === 16)

/** How far to either side of what the customer says: yuan, and minutes. */
export const amountMargins = ['0', '0.5', '1', '5'] as const
export const aboutMargins = ['15', '5', '30', '60', '180'] as const

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
  method: zAnyOf(paymentMethods).optional(),
  businessType: zAnyOf(businessTypes).optional(),
  productCode: zSearch.optional(),
  batch: zSearch.optional(),
  /**
   * What the customer saw or paid, exactly unless a margin is given. With neither days nor a minute it looks through
   * the newest 31 days: a price alone has no index.
   */
  amount: zSaidYuan.optional(),
  amountMargin: z.enum(amountMargins).optional(),
  /** About when, give or take a quarter of an hour unless a margin is given. */
  about: zSaidMinute.optional(),
  aboutMargin: z.enum(aboutMargins).optional(),
  /** Words of the city, address or point where it was sold; a city by its pinyin too. */
  place: zSearch.optional(),
  /**
   * `yes`: whose money arrived, whatever became of it since: what every report counts. `notDispensed`: of these, what
   * has not or not wholly come out.
   */
  paid: z.enum(['yes', 'notDispensed']).optional(),
  paymentState: zAnyOf(paymentState.states).optional(),
  shipState: zAnyOf(shipState.states).optional(),
  problem: zAnyOf(['any', ...problems]).optional(),
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
  paid: stateField('paid', ['yes', 'notDispensed'], { yes: 'good', notDispensed: 'bad' }),
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
    /** In which its merchant counts beside the platform's currency, and what was paid in it, by today's rate. */
    currency: z.string().nullable(),
    paidAbroad: z.number().nullable(),
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
