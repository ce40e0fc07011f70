import { limits } from '@aisle/contract/merchant/merchant'
import { unfolded } from '@aisle/contract/permissions'
import type { Merchant } from './merchant.store'

/** What only the platform's own people may touch, whoever makes the merchant. */
const platformNouns: ReadonlySet<string> = new Set([
  'resource',
  'menu',
  'languageEntry',
  'messageType',
  'pushProvider',
  'paymentService',
  'feeRule',
  'integrationConfig',
  'systemAlarm',
  'wallboard',
  'ext',
])

/** What a merchant's first administrator may do: what the maker may, without the platform's own things. */
export const firstGrants = (grants: readonly string[]): string[] =>
  unfolded(grants).filter((code) => !platformNouns.has(code.slice(0, code.indexOf('.'))))

const limited = Object.keys(limits) as (keyof typeof limits)[]

/** Of these, the ones that somebody would change on their own merchant. */
export const widened = (now: Merchant, wanted: Merchant): string[] =>
  limited.filter((name) => now[name] !== wanted[name])
