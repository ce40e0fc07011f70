import type { PaymentNotice, RefundNotice } from './channel.types'

/** Of the payment that a notification is about: whose numbers collected it, and who was to get the money. */
export type Own = { providerAccountId: number; payee: string; attemptNo: string }

type Said =
  | Pick<PaymentNotice, 'about' | 'attemptNo' | 'payee' | 'currency'>
  | Pick<RefundNotice, 'about' | 'attemptNo' | 'payee'>

/**
 * Whether a notification is of the account that our payment was collected under: told where its numbers are told of, of
 * that payment, in our money, and for the payee that it names. A payment always names all of them. A refund was found
 * by its own number, and providers leave out there what they do not know it by.
 * @param toldAt the provider account at whose address it came in
 */
export function isOfAccount(said: Said, own: Own, toldAt: number): boolean {
  if (own.providerAccountId !== toldAt) return false
  const mayLack = said.about === 'refund'
  const isPayment = said.attemptNo === own.attemptNo || (mayLack && said.attemptNo === '')
  const isPayee = said.payee === own.payee || (mayLack && said.payee === undefined)
  const isOurMoney = said.about === 'refund' || said.currency === 'CNY'
  return isPayment && isPayee && isOurMoney
}
