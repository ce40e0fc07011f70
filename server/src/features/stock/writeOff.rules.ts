import type { WriteOff } from '@aisle/contract/stock/writeOff'

type Asked = { placeId: number; productId: number; batch: string; quantity: number }
type There = Asked & { costFen: number }

/** What is wrong with what somebody wants to write off; null where nothing is. What is broken can be shown. */
export function faultOfAsked(
  { why, pictures }: { why: WriteOff['why']; pictures: readonly string[] },
  lines: readonly Asked[] = [],
): 'writeOff.picture' | 'writeOff.twice' | null {
  if (why === 'damaged' && pictures.length === 0) return 'writeOff.picture'
  const keys = new Set(lines.map(({ placeId, productId, batch }) => `${placeId}/${productId}/${batch}`))
  return keys.size < lines.length ? 'writeOff.twice' : null
}

/** Of so many pieces of those that lie there, to the fen. */
export const costOfPart = (there: Pick<There, 'quantity' | 'costFen'>, pieces: number): number =>
  pieces === there.quantity ? there.costFen : Math.round((there.costFen * pieces) / there.quantity)

type Costing = { merchantId: number; costFen: number }

/** What is asked for at once counts together by merchant, so that a dear heap is not written off piece by piece. */
export function totalsOf(rows: readonly Costing[]): Map<number, number> {
  const totals = new Map<number, number>()
  for (const { merchantId, costFen } of rows) totals.set(merchantId, (totals.get(merchantId) ?? 0) + costFen)
  return totals
}
