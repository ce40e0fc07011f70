import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { receiverAccountTypes, receiverKinds, splitProviders, splitReceiverState } from './splitStates'

export const splitReceiverRefusals = defineRefusals('settlement', {
  'splitReceiver.state': 409,
  'splitReceiver.exists': 409,
  /** The account's channel shares nothing, or does not know accounts of this kind. */
  'splitReceiver.channel': 422,
  /** A receiver that is one of ours is named, one that is not has a name alone. */
  'splitReceiver.whose': 422,
  /** Persons never give anything back through a channel. */
  'splitReceiver.consent': 422,
  'splitReceiver.merchantStopped': 409,
})

const receiver = z.object({
  id: z.int(),
  receiverName: z.string(),
  kind: z.enum(receiverKinds),
  /** Whom it belongs to where it is one of ours. */
  ofName: z.string().nullable(),
  provider: z.enum(splitProviders),
  accountType: z.enum(receiverAccountTypes),
  account: z.string(),
  /** The merchant through whose account with the channel it is bound. */
  merchantName: z.string(),
  consents: z.boolean(),
  state: z.enum(splitReceiverState.states),
  /** The channel's own word, where it has refused. */
  detail: z.string().nullable(),
  boundAt: zInstant.nullable(),
  /** Of rules that hold or are to come. */
  rules: z.int(),
  unpaidFen: zFen,
  claimFen: zFen,
})
export type SplitReceiver = z.output<typeof receiver>

export const listSplitReceivers = listEndpoint({
  name: 'settlement.listSplitReceivers',
  path: '/api/split-receivers',
  access: 'splitRule.write',
  summary: 'Who may get shares of orders, and whether the channel knows it; of accounts of merchants in sight',
  filters: {
    q: zSearch.optional(),
    provider: z.enum(splitProviders).optional(),
    state: zAnyOf(splitReceiverState.states).optional(),
    kind: zAnyOf(receiverKinds).optional(),
  },
  sorts: ['name', 'newest'],
  item: receiver,
})

export const splitReceiverFields = {
  receiverName: { kind: 'text' },
  kind: { kind: 'state', words: 'receiverKind', tones: {} },
  ofName: { kind: 'text' },
  provider: { kind: 'state', words: 'method', tones: {} },
  accountType: { kind: 'state', words: 'receiverAccountType', tones: {} },
  account: { kind: 'code' },
  merchantName: { kind: 'text' },
  consents: { kind: 'boolean' },
  state: stateField('splitReceiverState', splitReceiverState.states, {
    draft: 'idle',
    binding: 'busy',
    bound: 'good',
    unbinding: 'busy',
    unbound: 'idle',
    failed: 'bad',
  }),
  detail: { kind: 'text' },
  boundAt: { kind: 'dateTime' },
  rules: { kind: 'count' },
  unpaidFen: { kind: 'money' },
  claimFen: { kind: 'money' },
} satisfies Fields

export const getSplitReceiver = endpoint({
  name: 'settlement.getSplitReceiver',
  method: 'GET',
  path: '/api/split-receivers/{id}',
  access: 'splitRule.write',
  input: z.strictObject({ id: zId }),
  output: receiver.extend({
    /** What was said to the channel about it, newest first. */
    exchanges: z.array(z.object({ at: zInstant, outcome: z.string(), answer: z.string() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One receiver with what the channel said about it',
})

const written = { method: 'POST' as const, writes: true, access: 'splitRule.write' as const }
const one = z.object({ id: z.int(), state: z.enum(splitReceiverState.states) })

export const addSplitReceiver = endpoint({
  ...written,
  name: 'settlement.addSplitReceiver',
  path: '/api/split-receivers',
  input: z.strictObject({
    /** Of the payment account whose orders are shared; all accounts of the same contract share its receivers. */
    accountId: zId,
    kind: z.enum(receiverKinds),
    ofMerchantId: zId.nullable().default(null),
    ofUserId: zId.nullable().default(null),
    receiverName: zNeeded(80),
    accountType: z.enum(receiverAccountTypes),
    account: z
      .string()
      .trim()
      .regex(/^[\w@.+-]{4,100}$/),
    consents: z.boolean().default(false),
  }),
  output: one,
  refusals: [
    'request.notFound',
    'splitReceiver.exists',
    'splitReceiver.channel',
    'splitReceiver.whose',
    'splitReceiver.consent',
    'splitReceiver.merchantStopped',
  ],
  summary: 'Name who is to get shares; the channel is told of it by the worker at once',
})

const moving = { input: z.strictObject({ id: zId }), output: one }

export const bindSplitReceiver = endpoint({
  ...written,
  ...moving,
  name: 'settlement.bindSplitReceiver',
  path: '/api/split-receivers/{id}/bind',
  refusals: ['request.notFound', 'splitReceiver.state', 'splitReceiver.merchantStopped'],
  summary: 'Tell the channel of a receiver again; shares that waited for it are sent once it is bound',
})

export const unbindSplitReceiver = endpoint({
  ...written,
  ...moving,
  name: 'settlement.unbindSplitReceiver',
  path: '/api/split-receivers/{id}/unbind',
  refusals: ['request.notFound', 'splitReceiver.state'],
  summary: 'Tell the channel that a receiver gets nothing any more; what is owed to it waits for a person',
})
