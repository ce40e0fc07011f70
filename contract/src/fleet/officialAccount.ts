import { z } from 'zod'
import { endpoint, zAnyOf, zId, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'

export const accountPlatforms = ['wechat_account', 'wechat_mini', 'alipay_life', 'alipay_mini'] as const
export type AccountPlatform = (typeof accountPlatforms)[number]

/** What customers are told through the account, each by a template of the platform's. */
export const accountTemplates = ['paid', 'shipped', 'refunded', 'pickupCode'] as const
export type AccountTemplate = (typeof accountTemplates)[number]

type Telling = {
  platform: AccountPlatform
  state: (typeof onOff.states)[number]
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

const fixed = {
  platform: z.enum(accountPlatforms),
  appId: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{8,32}$/),
}
const declared = entity({
  domain: 'fleet',
  kind: 'officialAccount',
  path: '/api/official-accounts',
  right: 'machine',
  owner: 'merchant',
  fixed,
  editable,
  details: ['link', 'paidTemplate', 'shippedTemplate', 'refundedTemplate', 'pickupCodeTemplate'],
  facts: {
    hasSecret: z.boolean(),
    /** Of those that customers may be told. */
    templateCount: z.int(),
    /** In sight. */
    machineCount: z.int(),
  },
  show: { platform: { kind: 'state', words: 'accountPlatform', tones: {} }, appId: { kind: 'code' } },
  states: { table: onOff, tones: onOffTones, refusal: 'officialAccount.state' },
  unique: { official_account_platform_app_id_key: 'officialAccount.taken' },
  filters: {
    officialAccount: zSearch.optional(),
    platform: zAnyOf(accountPlatforms).optional(),
    state: z.enum(onOff.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['name', 'machines', 'newest'],
})
/** A stopped account is shown on no machine. Its secret is typed and never shown. */
export const officialAccount = { ...declared, fields: { ...declared.fields, secret: { kind: 'secret' as const } } }

export const listOfficialAccounts = officialAccount.list(
  'Official accounts and mini programs in sight, and on how many machines they are shown',
)

const machine = z.object({ id: z.int(), code: z.string(), name: z.string(), pointName: z.string() })

export const getOfficialAccount = officialAccount.get(
  'One official account with the machines that show it; its secret is never told',
  {
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
  },
)
export type OfficialAccountDetail = z.output<typeof getOfficialAccount.output>

const { name, link, ...others } = editable
/** No secret leaves the one that is kept. */
const typed = { name, link, secret: zSecret.nullable().default(null), ...others }

export const addOfficialAccount = officialAccount.verb(
  'addOfficialAccount',
  '',
  { merchantId: zId, ...fixed, ...typed },
  'Add an official account or mini program of a merchant; the secret is sealed',
  ['officialAccount.taken'],
)
export const editOfficialAccount = officialAccount.verb(
  'editOfficialAccount',
  '/{id}/edit',
  { id: zId, version: z.int(), ...typed },
  'Change an official account; a new secret takes the place of the old one',
  ['edit.stale'],
)
export const stopOfficialAccount = officialAccount.move('stop', 'Show an account on no machine')
export const resumeOfficialAccount = officialAccount.move('resume', 'Show an account again')
export const removeOfficialAccount = officialAccount.remove('Delete an account that no machine shows')

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
