import type { MessageRefusal } from '@aisle/contract/device/messages'
import { type voucherKinds, voucherState } from '@aisle/contract/promotion/voucher'

/** A voucher as somebody brings it. */
export type Brought = {
  kind: (typeof voucherKinds)[number]
  state: (typeof voucherState.states)[number]
  /** Null for whoever has it. */
  memberId: number | null
  taken: number
  usesAllowed: number
  validFrom: Date
  expiresAt: Date
  /** How often a member may have it counts, so that it takes one who is known. */
  perMember: number | null
}

/** Why it gives nothing now; null where it may. @param buyer who is known by a card; null for who is not */
export function voucherRefusal(voucher: Brought, buyer: string | null, now: Date): MessageRefusal | null {
  if (voucherState.is(voucher.state, 'cancelled')) return 'voucherInvalid'
  if (voucherState.is(voucher.state, 'expired') || voucher.expiresAt <= now) return 'voucherExpired'
  if (now < voucher.validFrom) return 'voucherEarly'
  if (voucher.taken >= voucher.usesAllowed) return 'voucherSpent'
  if (voucher.memberId !== null && buyer !== null && buyer !== `member/${voucher.memberId}`) return 'voucherOfAnother'
  if (voucher.kind === 'code' && voucher.perMember !== null && buyer === null) return 'voucherNeedsCard'
  return null
}
