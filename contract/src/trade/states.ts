import { stateTable } from '../kernel/states'

/** The wallboard's seven (spec §2.4), in the order that panel and statistics row name them. */
export const paymentMethods = ['alipay', 'wechat', 'unionpay', 'pickup_code', 'member_card', 'cash', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** Methods whose money a channel holds for the platform until it pays out. */
export const channelMethods = ['alipay', 'wechat', 'unionpay', 'other'] as const satisfies readonly PaymentMethod[]

export const businessTypes = ['sale', 'pickup', 'prescription', 'lottery', 'member'] as const
export type BusinessType = (typeof businessTypes)[number]

export const paymentState = stateTable({
  initial: 'unpaid',
  states: ['unpaid', 'paid', 'refunding', 'refunded', 'partly_refunded', 'closed'],
  moves: {
    pay: { from: ['unpaid'], to: 'paid' },
    close: { from: ['unpaid'], to: 'closed' },
    /** Money that came after the order was closed: it is kept, and goes back. */
    payLate: { from: ['closed'], to: 'paid' },
    refund: { from: ['paid', 'partly_refunded'], to: 'refunding' },
    settleFull: { from: ['refunding'], to: 'refunded' },
    settlePart: { from: ['refunding'], to: 'partly_refunded' },
    failRefund: { from: ['refunding'], to: 'paid' },
  },
  sets: { notPaid: ['unpaid', 'closed'], over: ['refunded', 'closed'] },
})

/** Spec §4, order ship status; lottery orders end in won or lost. */
export const shipState = stateTable({
  initial: 'in_transit',
  states: ['in_transit', 'completed', 'timeout', 'invalid', 'lottery_won', 'lottery_lost'],
  moves: {
    complete: { from: ['in_transit'], to: 'completed' },
    timeOut: { from: ['in_transit'], to: 'timeout' },
    invalidate: { from: ['in_transit'], to: 'invalid' },
    win: { from: ['in_transit'], to: 'lottery_won' },
    lose: { from: ['in_transit'], to: 'lottery_lost' },
    /** What had not come out was handed out afterwards, by a person. */
    redeliver: { from: ['timeout', 'invalid'], to: 'completed' },
  },
  sets: { notDispensed: ['in_transit', 'timeout', 'invalid'] },
})

export const itemState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'dispensed', 'jammed', 'failed', 'no_answer'],
  moves: {
    dispense: { from: ['waiting', 'no_answer'], to: 'dispensed' },
    jam: { from: ['waiting', 'no_answer'], to: 'jammed' },
    fail: { from: ['waiting', 'no_answer'], to: 'failed' },
    giveUp: { from: ['waiting'], to: 'no_answer' },
    redeliver: { from: ['jammed', 'failed', 'no_answer'], to: 'dispensed' },
    /** It waits again for the result of what is handed out afterwards. */
    reopen: { from: ['jammed', 'failed', 'no_answer'], to: 'no_answer' },
  },
  sets: {
    bad: ['jammed', 'failed', 'no_answer'],
    /** Its machine has not said what became of it. */
    untold: ['waiting', 'no_answer'],
    told: ['dispensed', 'jammed', 'failed'],
    perhapsOut: ['dispensed', 'no_answer'],
  },
})

export const orderState = stateTable({
  initial: 'open',
  states: ['open', 'done', 'closed'],
  moves: {
    finish: { from: ['open'], to: 'done' },
    close: { from: ['open'], to: 'closed' },
  },
})

/** Why a person should look at an order. `undelivered`: paid and (partly) not dispensed; money is due back. */
export const problems = [
  'undelivered',
  'no_answer',
  'late_result',
  'amount_mismatch',
  /** Paid after it was closed; nothing was shipped. */
  'paid_late',
  /** The money is back with the customer, and the goods came out after all. */
  'dispensed_after_refund',
  /** A machine sold by itself what the law doesn't let it sell. No money settles that; a person does. */
  'unlawful_sale',
  /** Something else came out than the slot holds, or a product that nobody knows. */
  'goods_differ',
  /** A trace code of it was sold before: one of the two packs is not what it says. */
  'sold_twice',
] as const

/** Why a sale that a machine reports should not have been made, worst first; the words are `wrongSale.<reason>`. */
export const wrongSales = [
  'notLawful',
  'prescriptionMissing',
  'batchNotForSale',
  'productUnknown',
  'slotHoldsOther',
  'traceSoldTwice',
] as const
export type WrongSale = (typeof wrongSales)[number]

export type PaymentState = (typeof paymentState.states)[number]
export type ShipState = (typeof shipState.states)[number]
export type ItemState = (typeof itemState.states)[number]
export type Problem = (typeof problems)[number]

/** Spec §9: abnormal orders without a machine's response, and orders not paid in time. */
export const NO_ANSWER_AFTER_MS = 5 * 60_000
