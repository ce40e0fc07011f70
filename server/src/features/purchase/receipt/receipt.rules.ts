import type { getGoodsReceipt } from '@aisle/contract/purchase/receipt'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { StorageClass } from '@aisle/contract/stock/warehouse'

/** Degrees Celsius between which goods of a class may come (GSP; 2 to 8 is printed on what is kept cold). */
const arrives: Record<StorageClass, readonly [number, number] | null> = {
  room: null,
  cool: [-2, 20],
  cold: [2, 8],
  frozen: [-40, -10],
}

export type Counted = {
  batch: string
  producedOn: string | null
  expiresOn: string | null
  counted: number
  damaged: number
  refused: number
  reason: string
  temperatureC: number | null
  codes: readonly string[]
}
export type Kept = { isMedicine: boolean; storage: StorageClass | null }

export type LineFault =
  | 'receipt.nothing'
  | 'receipt.reason'
  | 'receipt.dates'
  | 'receipt.batch'
  | 'receipt.expired'
  | 'receipt.temperature'
  | 'receipt.warm'
  | 'receipt.codes'

/** What is wrong with a line as it was written; null where nothing is. What is not taken in needs only a reason. */
export function faultOfLine(line: Counted, goods: Kept, day: string): LineFault | null {
  const { counted, damaged, refused, producedOn, expiresOn, codes } = line
  if (counted + damaged + refused === 0) return 'receipt.nothing'
  if (damaged + refused > 0 && line.reason === '') return 'receipt.reason'
  if (producedOn !== null && (producedOn > day || (expiresOn !== null && producedOn > expiresOn)))
    return 'receipt.dates'
  if (codes.length > counted) return 'receipt.codes'
  return counted > 0 ? faultOfGood(line, goods, day) : null
}

function faultOfGood({ batch, expiresOn, temperatureC }: Counted, goods: Kept, day: string): LineFault | null {
  const { isMedicine, storage } = goods
  if (isMedicine && batch === '') return 'receipt.batch'
  if (isMedicine && expiresOn === null) return 'receipt.dates'
  // Good on its last day.
  if (expiresOn !== null && expiresOn < day) return 'receipt.expired'
  const range = storage && arrives[storage]
  if (!range) return null
  if (temperatureC === null) return 'receipt.temperature'
  return temperatureC < range[0] || temperatureC > range[1] ? 'receipt.warm' : null
}

/** Of the good pieces, to the fen. */
export const costOf = ({ counted, priceFen, packUnits }: { counted: number; priceFen: number; packUnits: number }) =>
  Math.round((counted * priceFen) / packUnits)

type Second = OutputOf<typeof getGoodsReceipt>['second']

/** Why another person looks at it before anything moves: medicine (GSP 72 to 74), and what nobody had agreed to buy. */
export function secondOf(lines: readonly { isMedicine: boolean; counted: number }[], isOrdered: boolean): Second {
  const hasMedicine = lines.some(({ isMedicine, counted }) => isMedicine && counted > 0)
  return [...(hasMedicine ? (['medicine'] as const) : []), ...(isOrdered ? [] : (['noOrder'] as const))]
}

/** What counts of each line of the order, over all its batches. */
export function claimsOf(
  lines: readonly { orderLine: number | null; counted: number }[],
): { line: number; pieces: number }[] {
  const sums = new Map<number, number>()
  for (const { orderLine, counted } of lines) {
    if (orderLine !== null) sums.set(orderLine, (sums.get(orderLine) ?? 0) + counted)
  }
  return [...sums].map(([line, pieces]) => ({ line, pieces })).filter(({ pieces }) => pieces > 0)
}
