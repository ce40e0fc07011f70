import { z } from 'zod'
import { endpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { isPublicAddress } from '../merchant/callbackAddress'
import { eventKindNames } from './kinds'
import { webhookState } from './states'

export const webhookRefusals = defineRefusals('events', {
  'webhook.exists': 409,
  'webhook.state': 409,
  'webhook.noFeed': 409,
  'webhook.pullOnly': 409,
  'webhook.tooMany': 409,
  'webhook.nothing': 409,
  'webhook.tooFar': 422,
})

/** Of one interface: who needs more distributes them on their side. */
export const MOST_WEBHOOKS = 10
/** Hours in which the secret before signs beside the new one. */
export const SECRETS_OVERLAP_HOURS = 24
/** Deliveries that one replay puts back; more goes in several. */
export const MOST_REPLAYED = 100_000

/** Why one was disabled without a person: it answered 410, or nothing was taken for five days. */
export const webhookEnds = ['gone', 'failing'] as const

/** What is told again: what died, or everything, of these days; without days of all that is kept. */
export const replayScopes = ['dead', 'all'] as const

const webhook = z.object({
  id: z.int(),
  configId: z.int(),
  address: z.string(),
  /** None: all. */
  kinds: z.array(z.enum(eventKindNames)),
  state: z.enum(webhookState.states),
  endedBy: z.enum(webhookEnds).nullable(),
  /** Since when nothing was taken; null where the last round was. */
  failingSince: zInstant.nullable(),
  waiting: z.int(),
  dead: z.int(),
  lastDeliveredAt: zInstant.nullable(),
  version: z.int(),
})
export type Webhook = z.output<typeof webhook>

export const webhookFields = {
  address: { kind: 'text' },
  kinds: { kind: 'states', words: 'eventKind', tones: {} },
  state: stateField('webhookState', webhookState, { enabled: 'good', paused: 'warn', disabled: 'idle' }),
  scope: stateField('replayScope', replayScopes, { dead: 'bad', all: 'idle' }),
} satisfies Fields

export const listWebhooks = endpoint({
  name: 'events.listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  access: 'integrationConfig.read',
  input: z.strictObject({ configId: zId }),
  output: z.object({ items: z.array(webhook) }),
  refusals: ['request.notFound'],
  summary: 'Where an interface is told of events, and how that goes; secrets are never answered',
})

const editable = {
  address: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine(isPublicAddress, { params: { domain: 'merchant', rule: 'privateAddress' } }),
  kinds: z.array(z.enum(eventKindNames)).max(eventKindNames.length).default([]),
}
const secret = z.object({ id: z.int(), secret: z.string() })
const about = ['request.notFound', 'integrationConfig.beyond'] as const

export const addWebhook = endpoint({
  name: 'events.addWebhook',
  method: 'POST',
  path: '/api/webhooks',
  access: 'integrationConfig.secret',
  writes: true,
  input: z.strictObject({ configId: zId, ...editable }),
  output: secret,
  refusals: [...about, 'webhook.noFeed', 'webhook.pullOnly', 'webhook.exists', 'webhook.tooMany'],
  summary: 'Tell an address of events from now on; its secret is shown once',
})

const changed = z.object({ id: z.int() })

export const editWebhook = endpoint({
  name: 'events.editWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/edit',
  access: 'integrationConfig.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: [...about, 'edit.stale', 'webhook.exists'],
  summary: 'Change where and of what a webhook is told; what waits goes to the new address',
})

const verb = (name: string, path: string, summary: string) =>
  endpoint({
    name: `events.${name}`,
    method: 'POST',
    path: `/api/webhooks/{id}/${path}`,
    access: 'integrationConfig.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: [...about, 'webhook.state'],
    summary,
  })

export const pauseWebhook = verb('pauseWebhook', 'pause', 'Tell a webhook nothing for now; what happens waits for it')
export const resumeWebhook = verb('resumeWebhook', 'resume', 'Tell a paused webhook what waited, and go on')
export const disableWebhook = verb('disableWebhook', 'disable', 'Tell a webhook nothing any more')
export const enableWebhook = verb('enableWebhook', 'enable', 'Tell a disabled webhook of what happens from now on')

export const removeWebhook = endpoint({
  name: 'events.removeWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/remove',
  access: 'integrationConfig.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: [...about],
  summary: 'Delete a webhook with its deliveries',
})

export const rotateWebhookSecret = endpoint({
  name: 'events.rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  access: 'integrationConfig.secret',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: secret,
  refusals: [...about],
  summary: 'Make a new secret for a webhook; shown once, the one before signs beside it for a day',
})

const range = {
  id: zId,
  scope: z.enum(replayScopes).default('dead'),
  from: zDay.nullable().default(null),
  to: zDay.nullable().default(null),
}

export const previewReplay = endpoint({
  name: 'events.previewReplay',
  method: 'GET',
  path: '/api/webhooks/{id}/replay',
  access: 'integrationConfig.write',
  input: z.strictObject({
    id: zId,
    scope: z.enum(replayScopes).default('dead'),
    from: zDay.optional(),
    to: zDay.optional(),
  }),
  output: z.object({
    count: z.int(),
    kinds: z.array(z.object({ kind: z.enum(eventKindNames), count: z.int() })),
    first: zInstant.nullable(),
    last: zInstant.nullable(),
  }),
  refusals: ['request.notFound', 'webhook.tooFar'],
  summary: 'What a replay would tell a webhook, before it is asked for',
})

export const replayWebhook = endpoint({
  name: 'events.replayWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/replay',
  access: 'integrationConfig.write',
  writes: true,
  input: z.strictObject(range),
  output: z.object({ id: z.int(), count: z.int() }),
  refusals: [...about, 'webhook.state', 'webhook.nothing', 'webhook.tooFar'],
  summary: 'Tell a webhook again, each event under its own id, in the order in which they happened',
})
