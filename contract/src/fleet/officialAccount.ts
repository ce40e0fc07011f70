import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

export const accountPlatforms = ['wechat_account', 'wechat_mini', 'alipay_life', 'alipay_mini'] as const
export type AccountPlatform = (typeof accountPlatforms)[number]

/** A stopped account is shown on no machine. */
export const officialAccountState = onOff

/** What customers are told through the account, each by a template of the platform's. */
export const accountTemplates = ['paid', 'shipped', 'refunded', 'pickupCode'] as const
export type AccountTemplate = (typeof accountTemplates)[number]

type Telling = {
  platform: AccountPlatform
  state: (typeof officialAccountState.states)[number]
  hasSecret: boolean
  templateCount: number
}

/** Why customers are told nothing through an account; null where they are. Only WeChat's official accounts send. */
export function whySilent({ platform, state, hasSecret, templateCount }: Telling) {
  if (platform !== 'wechat_account') return 'platform'
  if (state !== 'active') return 'stopped'
  if (!hasSecret) return 'secret'
  return templateCount === 0 ? 'templates' : null
}

export const officialAccountRefusals = defineRefusals('fleet', {
  'officialAccount.taken': 409,
  'officialAccount.state': 409,
  'officialAccount.otherMerchant': 409,
})

const HOLDER = '{code}'

/** What the QR code of a machine holds: 106 bytes at most, which is what our codes carry. */
export const linkFor = (link: string, machineCode: string): string => link.replaceAll(HOLDER, machineCode)

/** The longest code of a machine has 20 characters. */
const isShort = (link: string) => new TextEncoder().encode(linkFor(link, 'X'.repeat(20))).length <= 106

const zLink = z
  .string()
  .trim()
  .max(90)
  .regex(/^(https?|weixin|alipays?):\/\/[\w.~:/?#@!$&'()*+,;=%{}-]{3,}$/)
  .refine(isShort, { params: { domain: 'fleet', rule: 'linkLong' } })

const zTemplate = z
  .string()
  .trim()
  .regex(/^[\w-]{0,64}$/)
  .default('')

const editable = {
  name: z.string().trim().min(1).max(60),
  link: zLink,
  mustFollow: z.boolean().default(false),
  paidTemplate: zTemplate,
  shippedTemplate: zTemplate,
  refundedTemplate: zTemplate,
  pickupCodeTemplate: zTemplate,
}
const zSecret = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,4096}$/)

const account = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  platform: z.enum(accountPlatforms),
  name: z.string(),
  appId: z.string(),
  hasSecret: z.boolean(),
  mustFollow: z.boolean(),
  /** Of those that customers may be told. */
  templateCount: z.int(),
  /** In sight. */
  machineCount: z.int(),
  state: z.enum(officialAccountState.states),
})

export const listOfficialAccounts = listEndpoint({
  name: 'fleet.listOfficialAccounts',
  path: '/api/official-accounts',
  access: 'machine.read',
  summary: 'Official accounts and mini programs in sight, and on how many machines they are shown',
  filters: {
    officialAccount: zSearch.optional(),
    platform: z.enum(accountPlatforms).optional(),
    state: z.enum(officialAccountState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['name', 'machines', 'newest'],
  item: account,
})

export const officialAccountFields = {
  name: { kind: 'text' },
  platform: { kind: 'state', words: 'accountPlatform', tones: {} },
  appId: { kind: 'code' },
  hasSecret: { kind: 'boolean' },
  mustFollow: { kind: 'boolean' },
  templateCount: { kind: 'count' },
  machineCount: { kind: 'count' },
  merchantName: { kind: 'text' },
  link: { kind: 'text' },
  secret: { kind: 'secret' },
  state: stateField('officialAccountState', officialAccountState, onOffTones),
} satisfies Fields

const machine = z.object({ id: z.int(), code: z.string(), name: z.string(), pointName: z.string() })

export const getOfficialAccount = endpoint({
  name: 'fleet.getOfficialAccount',
  method: 'GET',
  path: '/api/official-accounts/{id}',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: account.extend({
    version: z.int(),
    link: z.string(),
    paidTemplate: z.string(),
    shippedTemplate: z.string(),
    refundedTemplate: z.string(),
    pickupCodeTemplate: z.string(),
    /** What is entered at WeChat, with the token: where it tells us of followers. Null until our own address is set. */
    callbackAddress: z.string().nullable(),
    /** Whether WeChat's calls to us can be told from others'. */
    hasToken: z.boolean(),
    /** As far as WeChat has told us. */
    followers: z.int(),
    /** Messages to customers that could not be sent. */
    failed: z.int(),
    /** In sight, so many as fit a page. */
    machines: z.array(machine),
  }),
  refusals: ['request.notFound'],
  summary: 'One official account with the machines that show it; its secret is never told',
})
export type OfficialAccountDetail = z.output<typeof getOfficialAccount.output>

const changed = z.object({ id: z.int() })

export const addOfficialAccount = endpoint({
  name: 'fleet.addOfficialAccount',
  method: 'POST',
  path: '/api/official-accounts',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    platform: z.enum(accountPlatforms),
    appId: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{8,32}$/),
    secret: zSecret.nullable().default(null),
    ...editable,
  }),
  output: changed,
  refusals: ['request.notFound', 'officialAccount.taken'],
  summary: 'Add an official account or mini program of a merchant; the secret is sealed',
})

export const editOfficialAccount = endpoint({
  name: 'fleet.editOfficialAccount',
  method: 'POST',
  path: '/api/official-accounts/{id}/edit',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    version: z.int(),
    /** None: as it is. */
    secret: zSecret.nullable().default(null),
    ...editable,
  }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale'],
  summary: 'Change an official account; a new secret takes the place of the old one',
})

const verb = (name: string, path: string, summary: string, more: readonly string[]) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/official-accounts/{id}/${path}`,
    access: 'machine.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', ...more],
    summary,
  })

export const stopOfficialAccount = verb('stopOfficialAccount', 'stop', 'Show an account on no machine', [
  'officialAccount.state',
])
export const resumeOfficialAccount = verb('resumeOfficialAccount', 'resume', 'Show an account again', [
  'officialAccount.state',
])
export const removeOfficialAccount = verb(
  'removeOfficialAccount',
  'remove',
  'Delete an account that no machine shows',
  ['request.inUse'],
)

/** Shown once, as the secret of a machine. */
export const makeAccountToken = endpoint({
  name: 'fleet.makeAccountToken',
  method: 'POST',
  path: '/api/official-accounts/{id}/make-token',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ token: z.string() }),
  refusals: ['request.notFound'],
  summary: 'Make the token that signs what the platform tells us of an account; the one before signs nothing any more',
})

export const showAccount = endpoint({
  name: 'fleet.showAccount',
  method: 'POST',
  path: '/api/official-accounts/{id}/machines',
  access: 'machine.write',
  writes: true,
  input: z
    .strictObject({
      id: zId,
      machineIds: z.array(zId).max(500).default([]),
      /** All machines of the group that the caller sees. */
      groupId: zId.nullable().default(null),
    })
    .refine(({ machineIds, groupId }) => machineIds.length > 0 || groupId !== null),
  output: z.object({ shown: z.int() }),
  refusals: ['request.notFound', 'officialAccount.otherMerchant'],
  summary: 'Show an account on machines, in place of another of the same platform',
})

export const hideAccount = endpoint({
  name: 'fleet.hideAccount',
  method: 'POST',
  path: '/api/official-accounts/{id}/hide',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId, machineIds: z.array(zId).min(1).max(500) }),
  output: z.object({ hidden: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Show an account on these machines no longer',
})
