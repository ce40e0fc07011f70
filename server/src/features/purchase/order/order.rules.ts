import {
  lineMarks,
  type PurchaseLine,
  purchaseOrderState,
  type PurchaseOrderState,
} from '@aisle/contract/purchase/order'
import { priceOn, type SupplierPrice } from '@aisle/contract/purchase/supplierProduct'
import { addDays } from '../../../kernel/businessDay'

export type Priced = { priceFen: number; listFen: number | null }

/** What was typed counts; beside it stands what the list asks for so many packs. Null where there is neither. */
export function priceOf(
  prices: readonly SupplierPrice[],
  { day, packs, typedFen }: { day: string; packs: number; typedFen: number | null },
): Priced | null {
  const listFen = priceOn(prices, day, packs)?.priceFen ?? null
  const priceFen = typedFen ?? listFen
  return priceFen === null ? null : { priceFen, listFen }
}

type Amount = { packs: number; priceFen: number }
export const totalOf = (lines: readonly Amount[]): number =>
  lines.reduce((sum, { packs, priceFen }) => sum + packs * priceFen, 0)

/** What of an amount with tax is tax, to the fen. */
export const taxIn = (amountFen: number, permille: number): number =>
  Math.round((amountFen * permille) / (1000 + permille))

/** Together with all that its maker let pass that day, so that a dear order is not parted into cheap ones. */
export const needsSecond = (order: { totalFen: number; passedTodayFen: number; limitFen: number }): boolean =>
  order.totalFen + order.passedTodayFen > order.limitFen

/** Pieces that may be taken in of a line. */
export const mostOf = (pieces: number, overPercent: number): number => pieces + Math.floor((pieces * overPercent) / 100)

/** The slowest of its goods decides. */
export const dueFrom = (day: string, leadDays: readonly number[]): string => addDays(day, Math.max(0, ...leadDays))

type Marked = Pick<PurchaseLine, 'packs' | 'minimumPacks' | 'priceFen' | 'listFen'>

export function marksOf({ packs, minimumPacks, priceFen, listFen }: Marked): PurchaseLine['marks'] {
  const holds = { belowMinimum: packs < minimumPacks, dearer: listFen !== null && priceFen > listFen }
  return lineMarks.filter((mark) => holds[mark])
}

/** Whose verb it is when so much has been taken in of each line; null where the order stands as it should. */
export function verbAfter(
  state: PurchaseOrderState,
  lines: readonly { pieces: number; received: number }[],
): 'comePartly' | 'comeWhole' | 'goBack' | null {
  const isWhole = lines.every(({ pieces, received }) => received >= pieces)
  const isNothing = lines.every(({ received }) => received === 0)
  const verb = isNothing ? 'goBack' : isWhole ? 'comeWhole' : 'comePartly'
  const isMoved = purchaseOrderState.can(state, verb) && purchaseOrderState.to(verb) !== state
  return isMoved ? verb : null
}
