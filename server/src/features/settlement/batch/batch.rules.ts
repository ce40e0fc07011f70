import { batchState, type BatchState } from '@aisle/contract/settlement/states'

type Asked = {
  state: BatchState
  /** Those that wait for an answer. */
  disputes: number
  merchantId: number
  actor: { merchantId: number }
  isOfPlatform: boolean
}

/** A merchant's own people and those above it agree for it; the platform only for what it sold itself. */
export const isMerchantSide = ({ merchantId, actor, isOfPlatform }: Omit<Asked, 'state' | 'disputes'>): boolean =>
  !isOfPlatform || actor.merchantId === merchantId

/** Why it may not be confirmed now; what the caller can't change stands first. */
export function confirmRefusal(asked: Asked): 'state' | 'notMerchant' | 'disputed' | null {
  if (!isMerchantSide(asked)) return 'notMerchant'
  if (!batchState.can(asked.state, 'confirm')) return 'state'
  return asked.disputes > 0 ? 'disputed' : null
}
