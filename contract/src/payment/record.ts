import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'
import { zFenPositive } from '../kernel/money'
import { paymentAttemptState, paymentProducts, providers } from './states'

/** What was said to a provider or by it, word for word; what could be used again was masked when it was kept. */
const exchange = z.object({
  id: z.int(),
  at: zInstant,
  kind: z.string(),
  outcome: z.enum(['answered', 'refused', 'silent', 'forged']),
  status: z.int().nullable(),
  durationMs: z.int(),
  address: z.string(),
  request: z.string(),
  answer: z.string(),
})
export type ChannelExchange = z.output<typeof exchange>

export const getOrderPayments = endpoint({
  name: 'payment.getOrderPayments',
  method: 'GET',
  path: '/api/orders/{id}/payments',
  access: 'paymentAccount.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    attempts: z.array(
      z.object({
        id: z.int(),
        attemptNo: z.string(),
        provider: z.enum(providers),
        product: z.enum(paymentProducts),
        state: z.enum(paymentAttemptState.states),
        amountFen: zFenPositive,
        paidFen: zFenPositive.nullable(),
        channelNo: z.string().nullable(),
        /** The channel's own word, where it said one. */
        fault: z.string().nullable(),
        accountName: z.string(),
        createdAt: zInstant,
        paidAt: zInstant.nullable(),
        closedAt: zInstant.nullable(),
        exchanges: z.array(exchange),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary:
    'How an order was tried to be paid through channels, newest first, and what was said to the provider and by it',
})

export const getUnclaimedExchanges = endpoint({
  name: 'payment.getUnclaimedExchanges',
  method: 'GET',
  path: '/api/unclaimed-payments/{id}/exchanges',
  access: 'paymentAccount.read',
  input: z.strictObject({ id: zId }),
  output: z.object({ exchanges: z.array(exchange) }),
  refusals: ['request.notFound'],
  summary: 'What a provider said of an unclaimed payment, and what was said of giving it back',
})
