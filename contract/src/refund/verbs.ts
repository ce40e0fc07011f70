import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { zScans } from '../merchant/scans'
import { payBackWays, refundState } from './states'

export const refundRefusals = defineRefusals('refund', {
  'refund.state': 409,
  'refund.exceedsPaid': 409,
  'refund.itemTaken': 409,
  'refund.nothingLeft': 409,
  'refund.notPaid': 409,
  'refund.isOpen': 409,
  'refund.lottery': 422,
  'refund.freeOfCharge': 422,
  'refund.tooMany': 409,
  'refund.ownRequest': 403,
  'refund.wasSent': 409,
  'refund.noChannel': 409,
  'refund.underWay': 409,
  'refund.noProof': 422,
  'refund.payBackAsked': 409,
  'refund.payBackMissing': 409,
  'refund.payBackOwn': 403,
  'refund.item': 422,
})

const zReason = z.string().trim().min(2).max(200)
const refusals = ['request.notFound', 'refund.state'] as const
const changed = z.object({ id: z.int(), state: z.enum(refundState.states) })
const written = { method: 'POST' as const, writes: true, output: changed }

/** By items, or by an amount: then `amountFen` says how much, and no item is named. */
export const applyRefund = endpoint({
  ...written,
  name: 'refund.applyRefund',
  path: '/api/refunds',
  access: 'refund.apply',
  input: z
    .strictObject({
      orderNo: z.string().trim().min(1).max(80),
      items: z.array(z.int().min(0).max(19)).max(20).default([]),
      amountFen: z.int().min(1).max(100_000_000).nullable().default(null),
      reason: zReason,
    })
    .refine(({ items, amountFen }) => items.length > 0 !== (amountFen !== null), { path: ['amountFen'] }),
  refusals: [
    'request.notFound',
    'refund.exceedsPaid',
    'refund.itemTaken',
    'refund.nothingLeft',
    'refund.notPaid',
    'refund.isOpen',
    'refund.lottery',
    'refund.freeOfCharge',
    'refund.tooMany',
    'refund.underWay',
    'refund.item',
  ],
  summary: 'Ask for a refund of some items or of an amount; above a limit another person approves it',
})

export const approveRefund = endpoint({
  ...written,
  name: 'refund.approveRefund',
  path: '/api/refunds/{id}/approve',
  access: 'refund.approve',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, 'refund.ownRequest', 'refund.underWay'],
  summary: 'Send the money back: at once by the channel or to the card, else to be paid back by hand',
})

export const rejectRefund = endpoint({
  ...written,
  name: 'refund.rejectRefund',
  path: '/api/refunds/{id}/reject',
  access: 'refund.approve',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals: [...refusals, 'refund.wasSent', 'refund.payBackAsked'],
  summary: 'The money does not go back, and why; refused once a channel was asked to pay it',
})

export const retryRefund = endpoint({
  ...written,
  name: 'refund.retryRefund',
  path: '/api/refunds/{id}/retry',
  access: 'refund.approve',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, 'refund.noChannel', 'refund.payBackAsked'],
  summary: 'Ask the channel again under the same number, so that it pays once',
})

export const queryRefund = endpoint({
  ...written,
  name: 'refund.queryRefund',
  path: '/api/refunds/{id}/query',
  access: 'refund.read',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, 'refund.noChannel'],
  summary: 'Ask the channel now what became of it',
})

export const payBackRefund = endpoint({
  ...written,
  name: 'refund.payBackRefund',
  path: '/api/refunds/{id}/pay-back',
  access: 'refund.payBack',
  input: z.strictObject({ id: zId, way: z.enum(payBackWays), note: zReason, proof: zScans }),
  refusals: [...refusals, 'refund.noProof', 'refund.payBackAsked', 'refund.underWay'],
  summary: 'Write how it was paid back by transfer or in cash, with proof; another person agrees',
})

export const agreePayBack = endpoint({
  ...written,
  name: 'refund.agreePayBack',
  path: '/api/refunds/{id}/agree-pay-back',
  access: 'refund.payBack',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, 'refund.payBackMissing', 'refund.payBackOwn'],
  summary: 'Agree to what another person wrote: it is paid back',
})

export const dropPayBack = endpoint({
  ...written,
  name: 'refund.dropPayBack',
  path: '/api/refunds/{id}/drop-pay-back',
  access: 'refund.payBack',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals: [...refusals, 'refund.payBackMissing'],
  summary: 'It was not paid back like that, and why',
})
