import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { messageChannels, channels } from './messageType'

/** A message on its way to one person; `held` while its channel has no provider. */
export const messageState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'sent', 'failed', 'held', 'withdrawn'],
  moves: {
    deliver: { from: ['waiting'], to: 'sent' },
    fail: { from: ['waiting'], to: 'failed' },
    hold: { from: ['waiting'], to: 'held' },
    resend: { from: ['failed', 'held'], to: 'waiting' },
    withdraw: { from: ['waiting', 'sent', 'failed', 'held'], to: 'withdrawn' },
  },
  sets: { untold: ['waiting', 'held', 'failed'] },
})

export const pushMessageRefusals = defineRefusals('notice', {
  'message.state': 409,
  'message.secretGone': 409,
})

const pushMessage = z.object({
  id: z.int(),
  type: z.string(),
  typeLabel: z.string(),
  channel: z.enum(messageChannels),
  merchantName: z.string(),
  receiverName: z.string().nullable(),
  /** Phone number or address with its middle hidden; '' for the web. */
  receiver: z.string(),
  title: z.string(),
  /** '' where it is secret. */
  body: z.string(),
  isSecret: z.boolean(),
  /** A secret whose words are still kept: it has not left the house. */
  isKept: z.boolean(),
  state: z.enum(messageState.states),
  tries: z.int(),
  provider: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: zInstant,
  nextTryAt: zInstant,
  sentAt: zInstant.nullable(),
  readAt: zInstant.nullable(),
})
export type PushMessage = z.output<typeof pushMessage>

export const pushMessageFields = {
  title: { kind: 'text' },
  typeLabel: { kind: 'text' },
  channel: { kind: 'state', words: 'channel', tones: {} },
  merchantName: { kind: 'text' },
  receiverName: { kind: 'text' },
  receiver: { kind: 'code' },
  state: stateField('messageState', messageState, {
    waiting: 'busy',
    sent: 'good',
    failed: 'bad',
    held: 'warn',
    withdrawn: 'idle',
  }),
  tries: { kind: 'count' },
  provider: { kind: 'text' },
  error: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  sentAt: { kind: 'dateTime' },
  readAt: { kind: 'dateTime' },
} satisfies Fields

/** `from` and `to` are calendar days of the platform's zone, both included. */
export const messageFilters = {
  q: zSearch.optional(),
  type: zSearch.optional(),
  channel: zAnyOf(messageChannels).optional(),
  state: zAnyOf(messageState.states).optional(),
  from: zDay.optional(),
  to: zDay.optional(),
}

export const listPushMessages = listEndpoint({
  name: 'notice.listPushMessages',
  path: '/api/push-messages',
  access: 'pushMessage.read',
  summary: 'Messages to people of merchants in sight, newest first, with what became of them',
  filters: messageFilters,
  sorts: ['newest'],
  item: pushMessage,
})

export const getPushMessage = endpoint({
  name: 'notice.getPushMessage',
  method: 'GET',
  path: '/api/push-messages/{id}',
  access: 'pushMessage.read',
  input: z.strictObject({ id: zId }),
  output: pushMessage.extend({
    whyHeld: z.enum(['noProvider', 'providerOff', 'noAddress', 'accountSilent']).nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One message with its tries',
})

export const resendMessage = endpoint({
  name: 'notice.resendMessage',
  method: 'POST',
  path: '/api/push-messages/{id}/resend',
  access: 'pushMessage.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int(), state: z.enum(messageState.states) }),
  refusals: ['request.notFound', 'message.state', 'message.secretGone'],
  summary: 'Try a message again that failed or was held',
})

/** The state of the channels, said above the outbox. */
export const getOutboxState = endpoint({
  name: 'notice.getOutboxState',
  method: 'GET',
  path: '/api/outbox-state',
  access: 'pushMessage.read',
  input: z.strictObject({}),
  output: z.object({
    held: z.int(),
    failed: z.int(),
    waiting: z.int(),
    /** Channels that nobody carries out of the house. */
    missing: z.array(z.enum(channels)),
  }),
  summary: 'How many messages wait, failed or are held, and which channels have no provider',
})
