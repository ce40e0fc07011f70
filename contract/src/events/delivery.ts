import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { eventKindNames } from './kinds'
import { deliveryState } from './states'

export const deliveryRefusals = defineRefusals('events', {
  'delivery.waiting': 409,
})

const delivery = z.object({
  id: z.int(),
  eventId: z.string(),
  kind: z.enum(eventKindNames),
  /** The thing that it happened to. */
  object: z.string(),
  numberedAt: zInstant,
  merchantName: z.string(),
  contractNumber: z.string(),
  webhookId: z.int(),
  address: z.string(),
  state: z.enum(deliveryState.states),
  tries: z.int(),
  triedAt: zInstant.nullable(),
  nextTryAt: zInstant.nullable(),
  status: z.int().nullable(),
  problem: z.string().nullable(),
  durationMs: z.int().nullable(),
})
export type Delivery = z.output<typeof delivery>

export const listDeliveries = listEndpoint({
  name: 'events.listDeliveries',
  path: '/api/webhook-deliveries',
  access: 'integrationConfig.read',
  summary: 'Events that webhooks of merchants in sight are told, newest first, and how the last try went',
  filters: {
    event: zSearch.optional(),
    contractNumber: zSearch.optional(),
    webhookId: zId.optional(),
    merchantId: zId.optional(),
    kind: zAnyOf(eventKindNames).optional(),
    state: zAnyOf(deliveryState.states).optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: delivery,
})

export const deliveryFields = {
  eventId: { kind: 'code' },
  kind: { kind: 'state', words: 'eventKind', tones: {} },
  object: { kind: 'code' },
  numberedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
  contractNumber: { kind: 'code' },
  address: { kind: 'text' },
  state: stateField('deliveryState', deliveryState, { waiting: 'busy', delivered: 'good', dead: 'bad' }),
  tries: { kind: 'count' },
  triedAt: { kind: 'dateTime' },
  nextTryAt: { kind: 'dateTime' },
  status: { kind: 'count' },
  problem: { kind: 'code' },
  durationMs: { kind: 'count' },
} satisfies Fields

export const getDelivery = endpoint({
  name: 'events.getDelivery',
  method: 'GET',
  path: '/api/webhook-deliveries/{id}',
  access: 'integrationConfig.read',
  input: z.strictObject({ id: zId }),
  output: delivery.extend({
    configId: z.int(),
    /** As it is told. */
    body: z.string(),
    answer: z.string(),
    askedBy: z.string().nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One event before one webhook: what is told, and what was answered',
})

export const replayDelivery = endpoint({
  name: 'events.replayDelivery',
  method: 'POST',
  path: '/api/webhook-deliveries/{id}/replay',
  access: 'integrationConfig.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'integrationConfig.beyond', 'webhook.state', 'delivery.waiting'],
  summary: 'Tell a webhook one event again, under the same id',
})
