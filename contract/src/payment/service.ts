import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { paymentProducts, providers } from './states'

/** The protocols that this program speaks, by provider. */
export const interfaceTypes = { wechat: 'wechat_v3', alipay: 'alipay_openapi', unionpay: 'unionpay_acp' } as const

export const paymentServiceState = stateTable({
  initial: 'on',
  states: ['on', 'off'],
  moves: { switchOff: { from: ['on'], to: 'off' }, switchOn: { from: ['off'], to: 'on' } },
})

export const paymentServiceRefusals = defineRefusals('payment', { 'paymentService.state': 409 })

const service = z.object({
  id: z.int(),
  provider: z.enum(providers),
  /** Who offers it, where that is not the provider itself (`acquirer`). */
  acquirer: z.string().nullable(),
  product: z.enum(paymentProducts),
  interfaceType: z.enum(Object.values(interfaceTypes)),
  state: z.enum(paymentServiceState.states),
  /** Activated accounts that offer it. */
  accounts: z.int(),
  /** Attempts made today, in the day of the platform, and what became of them. */
  todayAttempts: z.int(),
  todayPaid: z.int(),
  todayFen: zFenPositive,
  /** Attempts whose end is not known yet. */
  waiting: z.int(),
  note: z.string(),
  changedBy: z.string().nullable(),
  changedAt: zInstant.nullable(),
})
export type PaymentService = z.output<typeof service>

export const listPaymentServices = listEndpoint({
  name: 'payment.listPaymentServices',
  path: '/api/payment-services',
  access: 'paymentService.read',
  summary: 'What customers may pay with at machines, by provider, and what each took today',
  filters: {
    provider: zAnyOf(providers).optional(),
    product: z.enum(paymentProducts).optional(),
    state: z.enum(paymentServiceState.states).optional(),
  },
  sorts: ['provider'],
  item: service,
})

export const paymentServiceFields = {
  provider: { kind: 'state', words: 'provider', tones: {} },
  acquirer: { kind: 'text' },
  product: { kind: 'state', words: 'product', tones: {} },
  interfaceType: { kind: 'state', words: 'interfaceType', tones: {} },
  state: stateField('serviceState', paymentServiceState, { on: 'good', off: 'idle' }),
  accounts: { kind: 'count' },
  todayAttempts: { kind: 'count' },
  todayPaid: { kind: 'count' },
  todayFen: { kind: 'money' },
  waiting: { kind: 'count' },
  note: { kind: 'text' },
  changedBy: { kind: 'text' },
  changedAt: { kind: 'dateTime' },
} satisfies Fields

export const getPaymentService = endpoint({
  name: 'payment.getPaymentService',
  method: 'GET',
  path: '/api/payment-services/{id}',
  access: 'paymentService.read',
  input: z.strictObject({ id: zId }),
  output: service.extend({
    version: z.int(),
    /** The last 14 days on which it was used, newest first. */
    days: z.array(z.object({ day: zDay, attempts: z.int(), paid: z.int(), paidFen: zFenPositive })),
  }),
  refusals: ['request.notFound'],
  summary: 'One service with its last days',
})

const changed = z.object({ id: z.int() })

export const switchServiceOff = endpoint({
  name: 'payment.switchServiceOff',
  method: 'POST',
  path: '/api/payment-services/{id}/off',
  access: 'paymentService.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), reason: z.string().trim().min(2).max(200) }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'paymentService.state'],
  summary: 'Offer a service no more: no new payment begins by it, those under way run out',
})

export const switchServiceOn = endpoint({
  name: 'payment.switchServiceOn',
  method: 'POST',
  path: '/api/payment-services/{id}/on',
  access: 'paymentService.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int() }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'paymentService.state'],
  summary: 'Offer a service again',
})
