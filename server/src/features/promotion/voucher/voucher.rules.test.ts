import { expect, test } from 'vitest'
import { type Brought, voucherRefusal } from './voucher.rules'

const NOON = new Date('2026-11-20T04:00:00Z')
const good: Brought = {
  kind: 'coupon',
  state: 'unused',
  memberId: null,
  taken: 0,
  usesAllowed: 1,
  validFrom: new Date('2026-11-20T00:00:00Z'),
  expiresAt: new Date('2026-11-21T00:00:00Z'),
  perMember: null,
}

test.each<[string, Partial<Brought>, string | null, string | null]>([
  ['good for whoever has it', {}, null, null],
  ['good beside a card', {}, 'member/7', null],
  ['of this member', { memberId: 7 }, 'member/7', null],
  ['its number is enough where nobody is known', { memberId: 7 }, null, null],
  ['of another member', { memberId: 7 }, 'member/8', 'voucherOfAnother'],
  ['of a member, and a card that is nobody’s', { memberId: 7 }, 'card/7', 'voucherOfAnother'],
  ['cancelled', { state: 'cancelled' }, null, 'voucherInvalid'],
  ['expired by the job', { state: 'expired' }, null, 'voucherExpired'],
  ['expired before the job', { expiresAt: NOON }, null, 'voucherExpired'],
  ['a moment before its end', { expiresAt: new Date(NOON.getTime() + 1) }, null, null],
  ['before its first day', { validFrom: new Date(NOON.getTime() + 1) }, null, 'voucherEarly'],
  ['in another’s hand', { state: 'held', taken: 1 }, null, 'voucherSpent'],
  ['used', { state: 'used', taken: 1 }, null, 'voucherSpent'],
  ['a code with uses left', { kind: 'code', taken: 4, usesAllowed: 5 }, null, null],
  ['a code for so often a member, nobody known', { kind: 'code', perMember: 1 }, null, 'voucherNeedsCard'],
  ['and somebody known', { kind: 'code', perMember: 1 }, 'card/3', null],
  ['a coupon’s limit is of giving it out', { perMember: 1 }, null, null],
])('%s', (_, more, buyer, refusal) => expect(voucherRefusal({ ...good, ...more }, buyer, NOON)).toBe(refusal))
