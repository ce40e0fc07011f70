import type { CollectedBy, CollectionVerdict } from '@aisle/contract/payment/collection'
import type { FundsMode } from '@aisle/contract/payment/states'

/**
 * Why an activated account collects at a machine, or does not: the same as `collecting` in account.store.ts decides,
 * told one by one for people. @param isTaken a nearer one collects already
 */
export function verdictOf(account: {
  by: Exclude<CollectedBy, 'reader'>
  fundsMode: FundsMode
  isOn: boolean
  collectsPayment: boolean
  isTaken: boolean
}): CollectionVerdict {
  const { by, fundsMode, isOn, collectsPayment, isTaken } = account
  const isDirect = fundsMode === 'direct'
  // What goes straight to a merchant is that merchant's own: nobody below collects into it.
  if (by === 'above' && isDirect) return 'direct'
  if (collectsPayment && !isDirect) return 'ownMoney'
  if (!collectsPayment && isDirect) return 'heldMoney'
  if (!isOn) return 'off'
  return isTaken ? 'nearer' : 'collects'
}
