import { expect, test } from 'vitest'
import { confirmRefusal, isMerchantSide } from './batch.rules'

const own = { state: 'open' as const, disputes: 0, merchantId: 7, actor: { merchantId: 7 }, isOfPlatform: false }

test.each([
  ['a merchant’s own person', {}, null],
  ['somebody of a merchant above it', { actor: { merchantId: 3 } }, null],
  ['the platform for what it sold itself', { isOfPlatform: true }, null],
  ['the platform for a merchant', { isOfPlatform: true, actor: { merchantId: 1 } }, 'notMerchant'],
  ['the platform for a merchant, confirmed already', merchantsConfirmed(), 'notMerchant'],
  ['who comes a second time', { state: 'confirmed' as const }, 'state'],
  ['who comes too late', { state: 'lapsed' as const }, 'state'],
  ['who waits for an answer', { disputes: 1 }, 'disputed'],
  ['who comes too late with a dispute', { state: 'lapsed' as const, disputes: 1 }, 'state'],
])('%s confirms a settlement: %s', (_, more, refusal) => {
  expect(confirmRefusal({ ...own, ...more })).toBe(refusal)
})

function merchantsConfirmed() {
  return { isOfPlatform: true, actor: { merchantId: 1 }, state: 'confirmed' as const }
}

test('whoever is not of the platform stands on the merchant’s side', () => {
  const side = (isOfPlatform: boolean, merchantId: number) =>
    isMerchantSide({ merchantId: 7, actor: { merchantId }, isOfPlatform })
  expect([side(false, 7), side(false, 3), side(true, 7), side(true, 1)]).toEqual([true, true, true, false])
})
