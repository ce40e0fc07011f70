import { z } from 'zod'
import { endpoint, zAnyOf, zId, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { languages } from '../kernel/text'

/** How a message reaches a person: the bell of the web, SMS, e-mail. There is no app yet that one could reach. */
export const channels = ['web', 'sms', 'email'] as const
export type Channel = (typeof channels)[number]
/** Those of the outbox: customers are told through an official account, which no push setting names. */
export const messageChannels = [...channels, 'wechat'] as const
export type MessageChannel = (typeof messageChannels)[number]
export const zChannels = z
  .array(z.enum(channels))
  .min(1)
  .max(channels.length)
  .refine((all) => new Set(all).size === all.length)

export const messageTypeState = stateTable({
  initial: 'on',
  states: ['on', 'off'],
  moves: { switchOn: { from: ['off'], to: 'on' }, switchOff: { from: ['on'], to: 'off' } },
})
/** `now` goes out whatever the hour; `canWait` waits for the end of quiet hours and may be muted. */
export const urgencies = ['now', 'canWait'] as const

export const messageTypeRefusals = defineRefusals('notice', {
  'messageType.codeTaken': 409,
  'messageType.required': 409,
  'messageType.codeFixed': 409,
  'messageType.variable': 422,
})

const inLanguages = (max: number) =>
  z.strictObject({
    zh: z.string().trim().min(1).max(max),
    en: z.string().trim().min(1).max(max),
    fr: z.string().trim().min(1).max(max),
    ko: z.string().trim().min(1).max(max),
  })
export const variableName = /^[a-z][A-Za-z]{0,19}$/

export const messageType = entity({
  domain: 'notice',
  kind: 'messageType',
  path: '/api/message-types',
  right: 'messageType',
  owner: 'platform',
  fixed: {
    code: z
      .string()
      .trim()
      .max(60)
      .regex(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/),
  },
  editable: {
    name: inLanguages(40),
    /** May name variables: `{{code}}`. */
    title: inLanguages(100),
    body: inLanguages(500),
    channels: zChannels,
    urgency: z.enum(urgencies),
    variables: z.array(z.string().regex(variableName)).max(10),
    /** The template's number at the SMS provider; the provider's default without. */
    smsTemplate: z.string().trim().max(60).nullable(),
  },
  facts: {
    /** `name` in the reader's language, for the list. */
    label: z.string(),
    state: z.enum(messageTypeState.states),
    isSystem: z.boolean(),
    isRequired: z.boolean(),
    /** Types are few, and edited from the list. */
    version: z.int(),
  },
  show: {
    code: { kind: 'code' },
    channels: { kind: 'states', words: 'channel', tones: {} },
    urgency: stateField('urgency', urgencies, { now: 'warn', canWait: 'idle' }),
    state: stateField('typeState', messageTypeState, { on: 'good', off: 'idle' }),
  },
  unique: { message_type_code_key: 'messageType.codeTaken' },
  filters: {
    q: zSearch.optional(),
    channel: zAnyOf(channels).optional(),
    urgency: z.enum(urgencies).optional(),
    state: z.enum(messageTypeState.states).optional(),
  },
  sorts: ['code'],
})
export type MessageType = z.output<typeof messageType.item>

export const listMessageTypes = messageType.list(
  'Message types with their words in four languages, channels and urgency',
)
export const addMessageType = messageType.add('A message type of the platform’s own', ['messageType.variable'])
export const editMessageType = messageType.edit('Change the words, channels and urgency of a message type', [
  'messageType.required',
  'messageType.codeFixed',
  'messageType.variable',
])

const switching = {
  method: 'POST' as const,
  access: 'messageType.write' as const,
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int(), state: z.enum(messageTypeState.states) }),
  refusals: ['request.notFound', 'messageType.required'],
}
export const switchTypeOff = endpoint({
  ...switching,
  name: 'notice.switchTypeOff',
  path: '/api/message-types/{id}/switch-off',
  summary: 'Messages of this type are written no more',
})
export const switchTypeOn = endpoint({
  ...switching,
  name: 'notice.switchTypeOn',
  path: '/api/message-types/{id}/switch-on',
  summary: 'Messages of this type are sent again',
})

/** Names that a template uses and the type does not have. */
export function unknownVariables(
  type: { title: Record<string, string>; body: Record<string, string> },
  variables: readonly string[],
): string[] {
  const texts = languages.flatMap((language) => [type.title[language] ?? '', type.body[language] ?? ''])
  const used = texts.flatMap((text) => [...text.matchAll(/\{\{(\w*)\}\}/g)].map(([, name]) => name ?? ''))
  return [...new Set(used)].filter((name) => !variables.includes(name))
}
