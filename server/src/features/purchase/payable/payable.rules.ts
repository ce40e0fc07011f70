import type { Posting } from '../../ledger/public'

export type Part = { payableId: number; amountFen: number }
export type Owed = {
  id: number
  amountFen: number
  /** On payments that stand. */
  claimedFen: number
  /** An invoice that somebody has yet to agree to. */
  invoiceWaits: boolean
}

export type PartsFault =
  | 'payable.twice'
  | 'payable.unknown'
  | 'payable.amount'
  | 'payable.most'
  | 'payable.invoiceWaits'

/** Why these parts can't be paid together; null where they can. A credit is used as far as it goes, like a debt. */
export function faultOfParts(parts: readonly Part[], owed: readonly Owed[]): PartsFault | null {
  const byId = new Map(owed.map((one) => [one.id, one]))
  if (new Set(parts.map(({ payableId }) => payableId)).size < parts.length) return 'payable.twice'
  for (const { payableId, amountFen } of parts) {
    const one = byId.get(payableId)
    if (!one) return 'payable.unknown'
    if (amountFen === 0 || Math.sign(amountFen) !== Math.sign(one.amountFen)) return 'payable.amount'
    if (Math.abs(amountFen) > Math.abs(one.amountFen - one.claimedFen)) return 'payable.most'
    if (one.invoiceWaits) return 'payable.invoiceWaits'
  }
  return totalOf(parts) < 0 ? 'payable.amount' : null
}

export const totalOf = (parts: readonly Part[]): number => parts.reduce((sum, { amountFen }) => sum + amountFen, 0)

type Moved = { merchantId: number; supplierId: number; amountFen: number }

const against = (kind: 'goods' | 'bank' | 'price_difference', { merchantId, supplierId, amountFen }: Moved) => {
  const key = kind === 'bank' ? 'transfer' : ''
  const postings: Posting[] = [
    { account: { kind, merchantId, key }, amountFen },
    { account: { kind: 'supplier_due', merchantId, key: String(supplierId) }, amountFen: -amountFen },
  ]
  return amountFen === 0 ? [] : postings
}

/** Goods stand against what is owed to who brought them. Below 0: they went back. */
export const goodsPostings = (moved: Moved): Posting[] => against('goods', moved)
/** What was asked beyond what had been agreed; below 0 less was asked. */
export const differencePostings = (moved: Moved): Posting[] => against('price_difference', moved)
/** Money left the bank. Below 0: it came back. */
export const paymentPostings = ({ amountFen, ...moved }: Moved): Posting[] =>
  against('bank', { ...moved, amountFen: -amountFen })
