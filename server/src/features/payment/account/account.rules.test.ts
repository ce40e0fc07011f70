import { accountHindrances, type AccountHindrance } from '@aisle/contract/payment/account'
import { expect, test } from 'vitest'
import { type AccountFacts, activatorRefusal, hindrancesOf, isPublishTime } from './account.rules'
import { verdictOf } from '../collection.rules'

const whole: AccountFacts = {
  provider: 'wechat',
  fundsMode: 'profit_share',
  environment: 'production',
  appId: 'wx1',
  providerNo: '1900',
  gateway: '',
  callbackAddress: 'https://pay.example.com/api/pay/notify/wechat/token',
  keyState: 'complete',
  subMerchantNo: '1901',
  paymentTitle: 'Corner shop',
  bank: 'Bank',
  accountName: 'Corner shop Ltd',
  receivingTail: '4321',
  collectsPayment: false,
}
const sandbox = { environment: 'sandbox', fundsMode: 'demo', gateway: 'http://127.0.0.1:9' } as const

test.each<[string, Partial<AccountFacts>, AccountHindrance[]]>([
  ['nothing', {}, []],
  ['WeChat needs both numbers', { appId: '', providerNo: '' }, ['appId', 'providerNo']],
  ['Alipay needs no provider number', { provider: 'alipay', providerNo: '' }, []],
  ['UnionPay needs no app', { provider: 'unionpay', appId: '' }, []],
  ['real money goes over https', { gateway: 'http://pay.example.com' }, ['gateway']],
  ['an address to be told at', { callbackAddress: null }, ['callback']],
  ['that address over https', { callbackAddress: 'http://pay.example.com/' }, ['callback']],
  ['keys', { keyState: 'missing' }, ['keysMissing']],
  ['keys that hold', { keyState: 'expired' }, ['keysExpired']],
  ['keys that end soon still work', { keyState: 'expiring' }, []],
  ['a sub-merchant to share with', { subMerchantNo: '' }, ['subMerchantNo']],
  ['what customers read', { paymentTitle: '' }, ['paymentTitle']],
  ['where it is paid out to', { receivingTail: '' }, ['receiving']],
  ['at which bank', { bank: '' }, ['receiving']],
  ['under which name', { accountName: '' }, ['receiving']],
  ['a custodian knows that itself', { fundsMode: 'custody', receivingTail: '', subMerchantNo: '' }, []],
  ['nothing real in a sandbox', { ...sandbox, fundsMode: 'custody' }, ['modeSandbox']],
  ['a sandbox has its own address', { ...sandbox, gateway: '' }, ['gateway']],
  ['a sandbox over http', { ...sandbox, callbackAddress: 'http://127.0.0.1/' }, []],
  ['no play money in production', { fundsMode: 'demo' }, ['modeProduction']],
  ['the money of who collects itself', { collectsPayment: true }, ['modeDirect']],
  ['in a sandbox as well', { ...sandbox, fundsMode: 'direct', collectsPayment: true }, []],
  ['nobody else’s straight to it', { fundsMode: 'direct' }, ['modeHeld']],
])('before an account collects: %s', (_, change, wrong) => {
  expect(hindrancesOf({ ...whole, ...change })).toEqual(wrong)
})

test('every hindrance of the contract is found by the rule', () => {
  const nothing = { appId: '', providerNo: '', callbackAddress: null, keyState: 'missing', subMerchantNo: '' } as const
  const empty = { ...whole, ...nothing, paymentTitle: '', receivingTail: '', gateway: 'http://x' }
  const found = [
    empty,
    { ...whole, keyState: 'expired' as const },
    { ...whole, environment: 'sandbox' as const },
    { ...whole, fundsMode: 'demo' as const },
    { ...whole, fundsMode: 'direct' as const },
    { ...whole, collectsPayment: true },
  ].flatMap(hindrancesOf)
  expect(new Set(found)).toEqual(new Set(accountHindrances))
})

test.each([
  [-1, false],
  [0, false],
  [1, true],
  [24 * 3_600, true],
  [24 * 3_600 + 1, false],
])('an activation in %d seconds is within 24 hours: %s', (seconds, isWithin) => {
  const now = new Date('2026-11-22T04:00:00Z')
  expect(isPublishTime(new Date(now.getTime() + seconds * 1_000), now)).toBe(isWithin)
})

const platform = { isOwner: true, isPlatform: true }
const merchant = { isOwner: true, isPlatform: false }
const below = { isOwner: false, isPlatform: false }
test.each<[string, Parameters<typeof activatorRefusal>, ReturnType<typeof activatorRefusal>]>([
  ['the platform answers for a custodian', [platform, 'custody'], null],
  ['and for shares', [platform, 'profit_share'], null],
  ['a merchant may not put money with a custodian', [merchant, 'custody'], 'paymentAccount.platformOnly'],
  ['nor have it shared', [merchant, 'profit_share'], 'paymentAccount.platformOnly'],
  ['its own money comes straight to it', [merchant, 'direct'], null],
  ['and what is not real is nobody’s', [merchant, 'demo'], null],
  ['numbers of others need their word first', [below, 'custody'], 'paymentAccount.notYours'],
  ['in each mode', [below, 'demo'], 'paymentAccount.notYours'],
])('who activates: %s', (_, asked, refused) => {
  expect(activatorRefusal(...asked)).toBe(refused)
})

const here = { by: 'merchant', fundsMode: 'custody', isOn: true, collectsPayment: false, isTaken: false } as const
test.each<[Partial<Parameters<typeof verdictOf>[0]>, ReturnType<typeof verdictOf>]>([
  [{}, 'collects'],
  [{ by: 'above' }, 'collects'],
  [{ by: 'above', fundsMode: 'direct' }, 'direct'],
  [{ fundsMode: 'direct' }, 'heldMoney'],
  [{ fundsMode: 'direct', collectsPayment: true }, 'collects'],
  [{ collectsPayment: true }, 'ownMoney'],
  [{ isOn: false }, 'off'],
  [{ isTaken: true }, 'nearer'],
])('an account seen from a machine: %o', (change, verdict) => {
  expect(verdictOf({ ...here, ...change })).toBe(verdict)
})
