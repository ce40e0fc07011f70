import { type MedicineClass, unlawfulBecause } from '@aisle/contract/catalog/product'
import type { PriceChange, SkipReason } from '@aisle/contract/planogram/priceChange'

export type PriceRule = Pick<PriceChange, 'rule' | 'amountFen' | 'percent' | 'roundTo'>
type Outcome = { afterFen: number; why: null } | { afterFen: number | null; why: SkipReason }

const HIGHEST_FEN = 10_000_000
const stepOf = { fen: 1, jiao: 10, half: 50 } as const

/** What is typed stands as it is typed; what is worked out goes to the nearest step, a tie of two to the upper. */
export function priceBy({ rule, amountFen, percent, roundTo }: PriceRule, nowFen: number | null): Outcome {
  if (rule === 'set') return fits(amountFen ?? 0, nowFen)
  if (nowFen === null || nowFen === 0) return { afterFen: null, why: 'noPrice' }
  const step = stepOf[roundTo]
  if (rule === 'raise') return fits(rounded(nowFen + (amountFen ?? 0), step), nowFen)
  if (rule === 'cut') return fits(rounded(nowFen - (amountFen ?? 0), step), nowFen)
  const share = 100 + (rule === 'raisePercent' ? 1 : -1) * (percent ?? 0)
  return fits(rounded(nowFen * share, step * 100) / 100, nowFen)
}

/** In whole numbers all the way: halves of a step are no floats. */
const rounded = (amount: number, step: number): number => Math.floor((2 * amount + step) / (2 * step)) * step

function fits(afterFen: number, nowFen: number | null): Outcome {
  if (afterFen < 1) return { afterFen: null, why: 'tooLow' }
  if (afterFen > HIGHEST_FEN) return { afterFen: null, why: 'tooHigh' }
  return afterFen === nowFen ? { afterFen, why: 'same' } : { afterFen, why: null }
}

export type PricedSlot = {
  priceFen: number | null
  isOffline: boolean
  medicineClass: MedicineClass | null
  licenceMode: Parameters<typeof unlawfulBecause>[0]
  /** Anything in the machine is: its plan is told to nobody (planogram/push.commands), its prices neither. */
  isMachineUnlawful: boolean
}

/** What a slot would cost, or why it stays as it is. */
export function judgeSlot(rule: PriceRule, slot: PricedSlot): Outcome {
  const { priceFen, isOffline, medicineClass, licenceMode, isMachineUnlawful } = slot
  const priced = priceBy(rule, priceFen)
  const because = (why: SkipReason) => ({ afterFen: priced.afterFen, why })
  if (unlawfulBecause(licenceMode, medicineClass) !== null) return because('unlawful')
  if (isMachineUnlawful) return because('machineUnlawful')
  return isOffline ? because('offline') : priced
}
