import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { providers } from '../payment/states'

/**
 * Money that a provider has and no order of ours asked for. A person decides; above a limit another agrees. `settled`:
 * it was decided as a difference to the channel's bill.
 */
export const unclaimedState = stateTable({
  initial: 'open',
  states: ['open', 'asked', 'refunding', 'failed', 'refunded', 'attached', 'settled'],
  moves: {
    ask: { from: ['open'], to: 'asked' },
    drop: { from: ['asked'], to: 'open' },
    refund: { from: ['open', 'asked'], to: 'refunding' },
    /** Under its own number, so that a channel that had paid after all does not pay again. */
    retry: { from: ['failed'], to: 'refunding' },
    confirm: { from: ['refunding', 'failed'], to: 'refunded' },
    fail: { from: ['refunding'], to: 'failed' },
    attach: { from: ['open', 'asked'], to: 'attached' },
    settle: { from: ['open'], to: 'settled' },
  },
  sets: { unsettled: ['open', 'asked', 'refunding', 'failed'], sentBack: ['refunding', 'failed', 'refunded'] },
})
export type UnclaimedState = (typeof unclaimedState.states)[number]

/** Where it came from: a number that is not ours, another account, another amount, or a second payment of one order. */
export const unclaimedCauses = ['unknown_number', 'other_account', 'other_amount', 'paid_twice'] as const
/** A number of ours tells whose money it is already: what came twice or elsewhere can only go back. */
export const isAttachable = (cause: (typeof unclaimedCauses)[number]): boolean => cause === 'unknown_number'
export const unclaimedDecisions = ['refund', 'attach'] as const

export const unclaimedRefusals = defineRefusals('refund', {
  'unclaimed.state': 409,
  'unclaimed.ownRequest': 403,
  /** The bill's difference about the same money was decided already. */
  'unclaimed.inSettlement': 409,
  /** Only what came under a number that is not ours can be the payment of another order. */
  'unclaimed.notAttachable': 422,
  'unclaimed.noOrder': 422,
  'unclaimed.orderState': 422,
  'unclaimed.orderAmount': 422,
  'unclaimed.orderAccount': 422,
})

const unclaimed = z.object({
  id: z.int(),
  provider: z.enum(providers),
  channelNo: z.string(),
  /** The number that the provider says the money was asked for by. */
  attemptNo: z.string(),
  unclaimedFen: zFenPositive,
  paidAt: zInstant,
  notedAt: zInstant,
  cause: z.enum(unclaimedCauses),
  state: z.enum(unclaimedState.states),
  decision: z.enum(unclaimedDecisions).nullable(),
  /** Of the order that it became the payment of, or is to. */
  orderNo: z.string().nullable(),
  accountName: z.string(),
  merchantName: z.string(),
  reason: z.string(),
  askedBy: z.string().nullable(),
  decidedBy: z.string().nullable(),
  endedAt: zInstant.nullable(),
})
export type UnclaimedPayment = z.output<typeof unclaimed>

export const listUnclaimed = listEndpoint({
  name: 'refund.listUnclaimed',
  path: '/api/unclaimed-payments',
  access: 'order.read',
  summary: 'Money that providers took and no order of ours asked for; what was decided keeps who and why',
  filters: {
    /** The channel's number, ours, or the order's. */
    no: zSearch.optional(),
    provider: zAnyOf(providers).optional(),
    cause: zAnyOf(unclaimedCauses).optional(),
    state: z.enum(['unsettled', ...unclaimedState.states]).default('unsettled'),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['oldest', 'newest'],
  item: unclaimed,
  sums: { unclaimedFen: zFen },
})

export const unclaimedFields = {
  channelNo: { kind: 'code' },
  provider: { kind: 'state', words: 'method', tones: {} },
  attemptNo: { kind: 'code' },
  unclaimedFen: { kind: 'money' },
  paidAt: { kind: 'dateTime' },
  notedAt: { kind: 'dateTime' },
  cause: stateField('unclaimedCause', unclaimedCauses, {
    unknown_number: 'bad',
    other_account: 'warn',
    other_amount: 'warn',
    paid_twice: 'bad',
  }),
  state: stateField('unclaimedState', unclaimedState, {
    open: 'bad',
    asked: 'warn',
    refunding: 'busy',
    failed: 'bad',
    refunded: 'good',
    attached: 'good',
    settled: 'idle',
  }),
  decision: { kind: 'state', words: 'unclaimedDecision', tones: {} },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  accountName: { kind: 'text' },
  merchantName: { kind: 'text' },
  reason: { kind: 'text' },
  askedBy: { kind: 'text' },
  decidedBy: { kind: 'text' },
  endedAt: { kind: 'dateTime' },
} satisfies Fields

export const getUnclaimed = endpoint({
  name: 'refund.getUnclaimed',
  method: 'GET',
  path: '/api/unclaimed-payments/{id}',
  access: 'order.read',
  input: z.strictObject({ id: zId }),
  output: unclaimed.extend({
    version: z.int(),
    /** How often the provider has told of it. */
    times: z.int(),
    isAskedByMe: z.boolean(),
    askedAt: zInstant.nullable(),
    decidedAt: zInstant.nullable(),
    /** Above it another person agrees. */
    limitFen: zFenPositive,
    refundNo: z.string().nullable(),
    channelRefundNo: z.string().nullable(),
    detail: z.string().nullable(),
    sentAt: zInstant.nullable(),
    tries: z.int(),
    /** Our attempt of that number, where there is one. */
    attempt: z
      .object({
        orderId: z.int(),
        orderNo: z.string(),
        state: z.string(),
        amountFen: zFenPositive,
        paidFen: zFenPositive.nullable(),
        channelNo: z.string().nullable(),
        paidAt: zInstant.nullable(),
      })
      .nullable(),
    /** Of that bill's difference about the same money. */
    difference: z.object({ id: z.int(), day: zDay, state: z.string() }).nullable(),
    /** Orders that were closed unpaid about then, at this amount, where this account collects. */
    candidates: z.array(
      z.object({ orderNo: z.string(), occurredAt: zInstant, machineCode: z.string(), productNames: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One such payment: what the provider says, what we know of its number, and which orders it may belong to',
})

const changed = z.object({ id: z.int(), state: z.enum(unclaimedState.states) })
const written = { method: 'POST' as const, writes: true, output: changed, access: 'order.settle' as const }
const zReason = z.string().trim().min(2).max(200)
const ofOrder = [
  'unclaimed.notAttachable',
  'unclaimed.noOrder',
  'unclaimed.orderState',
  'unclaimed.orderAmount',
  'unclaimed.orderAccount',
] as const
const refusals = ['request.notFound', 'unclaimed.state', 'unclaimed.inSettlement'] as const

export const refundUnclaimed = endpoint({
  ...written,
  name: 'refund.refundUnclaimed',
  path: '/api/unclaimed-payments/{id}/refund',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals,
  summary: 'It goes back to who paid it, by the channel that has it. Above a limit: ask to',
})

export const attachUnclaimed = endpoint({
  ...written,
  name: 'refund.attachUnclaimed',
  path: '/api/unclaimed-payments/{id}/attach',
  input: z.strictObject({ id: zId, orderNo: z.string().trim().min(1).max(64), reason: zReason }),
  refusals: [...refusals, ...ofOrder],
  summary: 'It becomes the payment of an order that was closed unpaid. Above a limit: ask to',
})

export const agreeUnclaimed = endpoint({
  ...written,
  name: 'refund.agreeUnclaimed',
  path: '/api/unclaimed-payments/{id}/agree',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, ...ofOrder, 'unclaimed.ownRequest'],
  summary: 'Agree to what another person decided, which then happens',
})

export const dropUnclaimed = endpoint({
  ...written,
  name: 'refund.dropUnclaimed',
  path: '/api/unclaimed-payments/{id}/drop',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals: ['request.notFound', 'unclaimed.state'],
  summary: 'What was asked for does not happen, and why; it stays open',
})

export const retryUnclaimed = endpoint({
  ...written,
  name: 'refund.retryUnclaimed',
  path: '/api/unclaimed-payments/{id}/retry',
  input: z.strictObject({ id: zId }),
  refusals: ['request.notFound', 'unclaimed.state'],
  summary: 'Ask the channel again under the same number: it pays once',
})
