import { z } from 'zod'
import { endpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { codeProblem } from './merchantCodes'
import { channels, zChannels } from './messageType'

/** A notice is written, perhaps waits for its hour, is sent by a job, and may be taken back. */
export const notificationState = stateTable({
  initial: 'draft',
  states: ['draft', 'scheduled', 'sending', 'sent', 'withdrawn'],
  moves: {
    schedule: { from: ['draft'], to: 'scheduled' },
    publish: { from: ['draft', 'scheduled'], to: 'sending' },
    finish: { from: ['sending'], to: 'sent' },
    /** Told again to who has not read it. */
    remind: { from: ['sent'], to: 'sent' },
    withdraw: { from: ['draft', 'scheduled', 'sending', 'sent'], to: 'withdrawn' },
  },
})
export const targets = ['all', 'merchants', 'roles'] as const

export const notificationRefusals = defineRefusals('notice', {
  'notification.state': 409,
  'notification.codes': 422,
  'notification.past': 422,
  'notification.type': 422,
  'notification.roles': 422,
  'notification.nobody': 422,
  'notification.allRead': 409,
})

const words = z.strictObject({ title: z.string().trim().min(1).max(100), body: z.string().trim().min(1).max(5000) })
const translations = z.strictObject({ en: words.optional(), fr: words.optional(), ko: words.optional() })

export const notification = entity({
  domain: 'notice',
  kind: 'notification',
  path: '/api/notifications',
  right: 'notification',
  owner: 'merchant',
  editable: {
    title: words.shape.title,
    body: words.shape.body,
    translations: translations.default({}),
    typeId: zId,
    channels: zChannels,
    target: z.enum(targets),
    withChildren: z.boolean().default(false),
  },
  details: ['body', 'translations', 'typeId', 'withChildren'],
  facts: {
    typeLabel: z.string(),
    authorName: z.string(),
    /** Draft: when it was written; scheduled: when it will go; else when it was published. */
    at: zInstant,
    /** People it goes to, has reached, and who have read it. */
    expected: z.int(),
    receivers: z.int(),
    readCount: z.int(),
  },
  show: { channels: { kind: 'states', words: 'channel', tones: {} } },
  states: {
    table: notificationState,
    tones: { draft: 'idle', scheduled: 'warn', sending: 'busy', sent: 'good', withdrawn: 'idle' },
    refusal: 'notification.state',
  },
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(notificationState.states).optional(),
    target: z.enum(targets).optional(),
  },
  sorts: ['newest'],
})

export const listNotifications = notification.list(
  'Notices of merchants in sight, newest first, with how many have read them',
)

export const getNotification = notification.get('One notice with its text, target and the progress of its sending', {
  targetNames: z.array(z.string()),
  createdAt: zInstant,
  scheduledAt: zInstant.nullable(),
  publishedAt: zInstant.nullable(),
  finishedAt: zInstant.nullable(),
  /** Messages outside the web, by what became of them. */
  outside: z.object({ waiting: z.int(), sent: z.int(), failed: z.int(), held: z.int() }),
})

export const readStates = ['read', 'unread'] as const
const receiver = z.object({
  id: z.int(),
  name: z.string(),
  merchantName: z.string(),
  sentAt: zInstant,
  readAt: zInstant.nullable(),
  reminders: z.int(),
})

export const listReceivers = endpoint({
  name: 'notice.listReceivers',
  method: 'GET',
  path: '/api/notifications/{id}/receivers',
  access: 'notification.read',
  input: z.strictObject({
    id: zId,
    read: z.enum(readStates).optional(),
    after: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  output: z.object({ items: z.array(receiver), nextAfter: z.int().nullable() }),
  refusals: ['request.notFound'],
  summary: 'Who a notice went to and who has read it, fifty at a time',
})

/** What a person writes. The codes are judged by `codeProblem` on both sides; its word is the issue's message. */
const written = {
  ...notification.editable,
  merchantCodes: z.string().trim().max(12_000).default(''),
  roleIds: z.array(zId).max(50).default([]),
}
type Targeted = { target: (typeof targets)[number]; merchantCodes: string; roleIds: number[] }

function checkTarget({ target, merchantCodes, roleIds }: Targeted, ctx: z.RefinementCtx): void {
  const problem = target === 'merchants' ? codeProblem(merchantCodes) : null
  if (problem) ctx.addIssue(ruleIssue('merchantCodes', `codes.${problem}`))
  if (target === 'roles' && roleIds.length === 0) ctx.addIssue(ruleIssue('roleIds', 'roleIds'))
}

/** Both sides word it with `rule.<rule>` of this domain's catalog. */
const ruleIssue = (path: string, rule: string) => ({
  code: 'custom' as const,
  path: [path],
  message: rule,
  params: { domain: 'notice', rule },
})

export const addNotification = endpoint({
  name: 'notice.addNotification',
  method: 'POST',
  path: '/api/notifications',
  access: 'notification.write',
  writes: true,
  /** Without a time it stays a draft until somebody publishes it. */
  input: z
    .strictObject({ ...written, send: z.enum(['now', 'later', 'draft']).default('now'), sendAt: zInstant.optional() })
    .superRefine((input, ctx) => {
      checkTarget(input, ctx)
      if (input.send === 'later' && !input.sendAt) ctx.addIssue(ruleIssue('sendAt', 'sendAt'))
    }),
  output: z.object({ id: z.int(), state: z.enum(notificationState.states), expected: z.int() }),
  refusals: notificationRefusals,
  summary: 'Write a notice; it goes out now, at a time, or stays a draft',
})

const verb = {
  method: 'POST' as const,
  access: 'notification.write' as const,
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int(), state: z.enum(notificationState.states) }),
}
export const publishNotification = endpoint({
  ...verb,
  name: 'notice.publishNotification',
  path: '/api/notifications/{id}/publish',
  refusals: ['request.notFound', 'notification.state', 'notification.nobody'],
  summary: 'Send a draft or a scheduled notice now',
})
export const withdrawNotification = endpoint({
  ...verb,
  name: 'notice.withdrawNotification',
  path: '/api/notifications/{id}/withdraw',
  refusals: ['request.notFound', 'notification.state'],
  summary: 'Take a notice back: it leaves every bell, what has not gone out does not go',
})
export const remindNotification = endpoint({
  ...verb,
  name: 'notice.remindNotification',
  path: '/api/notifications/{id}/remind',
  refusals: ['request.notFound', 'notification.state', 'notification.allRead'],
  summary: 'Send a notice again to everybody who has not read it',
})

export const getNotificationChoices = endpoint({
  name: 'notice.getNotificationChoices',
  method: 'GET',
  path: '/api/notification-choices',
  access: 'notification.write',
  input: z.strictObject({}),
  output: z.object({
    types: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), channels: z.array(z.enum(channels)) })),
    merchants: z.array(z.object({ code: z.string(), name: z.string() })),
    roles: z.array(z.object({ id: z.int(), name: z.string(), merchantName: z.string() })),
  }),
  summary: 'What a notice may be about and whom it may go to',
})

export const countReceivers = endpoint({
  name: 'notice.countReceivers',
  method: 'POST',
  path: '/api/notification-receivers',
  access: 'notification.write',
  input: z
    .strictObject({
      target: written.target,
      merchantCodes: written.merchantCodes,
      withChildren: written.withChildren,
      roleIds: written.roleIds,
    })
    .superRefine(checkTarget),
  output: z.object({ count: z.int(), unknown: z.array(z.string()) }),
  refusals: [],
  summary: 'How many people a target reaches, before anything is sent',
})
