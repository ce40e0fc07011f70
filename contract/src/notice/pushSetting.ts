import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { channels, urgencies, zChannels } from './messageType'

export const pushSettingRefusals = defineRefusals('notice', { 'pushSetting.target': 422 })
export const providerRefusals = defineRefusals('notice', { 'provider.secretMissing': 422, 'provider.missing': 409 })

const zTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
export const zQuiet = z.strictObject({ from: zTime, to: zTime }).refine(({ from, to }) => from !== to)
/** Also across midnight, as 22:00 to 07:00. */
export type Quiet = z.output<typeof zQuiet>

const targets = {
  roleIds: z.array(zId).max(50),
  userIds: z.array(zId).max(200),
  organisationIds: z.array(zId).max(50),
}
const named = z.object({ id: z.int(), name: z.string() })

const pushSetting = z.object({
  typeId: z.int(),
  code: z.string(),
  name: z.string(),
  urgency: z.enum(urgencies),
  isRequired: z.boolean(),
  /** Of a rule of this merchant, else what holds without one. */
  channels: z.array(z.enum(channels)),
  roles: z.array(named),
  users: z.array(named),
  organisations: z.array(named),
  /** Where it comes from: this merchant's rule, that of one above, or the type itself. */
  source: z.enum(['own', 'above', 'type']),
  /** 0 where this merchant has no rule. */
  version: z.int(),
})
export type PushSetting = z.output<typeof pushSetting>

export const getPushSettings = endpoint({
  name: 'notice.getPushSettings',
  method: 'GET',
  path: '/api/push-settings',
  access: 'pushSetting.read',
  input: z.strictObject({}),
  output: z.object({
    settings: z.array(pushSetting),
    quiet: z.object({ from: z.string(), to: z.string() }).nullable(),
    choices: z.object({ roles: z.array(named), users: z.array(named), organisations: z.array(named) }),
    /** Channels that have a provider, the web among them. */
    carried: z.array(z.enum(channels)),
  }),
  summary: 'Who of the caller’s merchant is told of what, by which channels',
})

export const savePushSetting = endpoint({
  name: 'notice.savePushSetting',
  method: 'POST',
  path: '/api/push-settings',
  access: 'pushSetting.write',
  writes: true,
  input: z.strictObject({
    typeId: zId,
    /** That was read; 0 for a rule that is made now. */
    version: z.int().nonnegative(),
    channels: zChannels,
    ...targets,
  }),
  output: z.object({ typeId: z.int(), version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', ...pushSettingRefusals],
  summary: 'Say who of the caller’s merchant is told of a message type, and how',
})

export const clearPushSetting = endpoint({
  name: 'notice.clearPushSetting',
  method: 'POST',
  path: '/api/push-settings/clear',
  access: 'pushSetting.write',
  writes: true,
  input: z.strictObject({ typeId: zId }),
  output: z.object({ typeId: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Take the merchant’s own rule away; what holds above holds again',
})

/** Providers ----------------------------------------------------------------------------------------------------- */

const zSecureUrl = z
  .url()
  .max(200)
  .refine((text) => isSafe(text))
/** A provider's key never travels in the clear; a stand-in on this machine may. */
function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost'))
}
const short = z.string().trim().min(1).max(120)

export const providerConfigs = {
  aliyun: z.strictObject({
    kind: z.literal('aliyun'),
    endpoint: zSecureUrl.default('https://dysmsapi.aliyuncs.com/'),
    keyId: short,
    signName: short,
    template: short,
  }),
  tencent: z.strictObject({
    kind: z.literal('tencent'),
    endpoint: zSecureUrl.default('https://sms.tencentcloudapi.com/'),
    keyId: short,
    appId: short,
    region: short.default('ap-guangzhou'),
    signName: short,
    template: short,
  }),
  smtp: z.strictObject({
    kind: z.literal('smtp'),
    host: short,
    port: z.coerce.number().int().min(1).max(65_535),
    /** TLS from the first byte (465); else STARTTLS where the server offers it. */
    isSecure: z.boolean(),
    user: z.string().trim().max(120),
    from: z.email().max(120),
  }),
} as const
export const zProviderConfig = z.discriminatedUnion('kind', [
  providerConfigs.aliyun,
  providerConfigs.tencent,
  providerConfigs.smtp,
])
export type ProviderConfig = z.output<typeof zProviderConfig>
export type ProviderKind = ProviderConfig['kind']
export const providerChannels = ['sms', 'email'] as const
export const channelOf = (kind: ProviderKind): (typeof providerChannels)[number] => (kind === 'smtp' ? 'email' : 'sms')

export const listProviders = endpoint({
  name: 'notice.listProviders',
  method: 'GET',
  path: '/api/push-providers',
  access: 'pushProvider.read',
  input: z.strictObject({}),
  output: z.object({
    items: z.array(
      z.object({
        channel: z.enum(providerChannels),
        isOn: z.boolean(),
        config: zProviderConfig,
        hasSecret: z.boolean(),
        version: z.int(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'Who carries SMS and e-mail out of the house, without the keys',
})

export const saveProvider = endpoint({
  name: 'notice.saveProvider',
  method: 'POST',
  path: '/api/push-providers',
  access: 'pushProvider.write',
  writes: true,
  input: z.strictObject({
    config: zProviderConfig,
    isOn: z.boolean(),
    /** Left out: the one that is kept stays. */
    secret: z.string().trim().min(1).max(300).optional(),
    version: z.int().nonnegative(),
  }),
  output: z.object({ channel: z.enum(providerChannels), version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'provider.secretMissing'],
  summary: 'Keep a provider’s address and keys; held messages of its channel are tried again',
})

export const testProvider = endpoint({
  name: 'notice.testProvider',
  method: 'POST',
  path: '/api/push-providers/test',
  access: 'pushProvider.write',
  writes: true,
  input: z.strictObject({ channel: z.enum(providerChannels), receiver: z.string().trim().min(5).max(120) }),
  output: z.object({ messageId: z.int() }),
  refusals: ['request.notFound', 'provider.missing'],
  summary: 'Send a test message by a provider; its fate stands in the outbox',
})
