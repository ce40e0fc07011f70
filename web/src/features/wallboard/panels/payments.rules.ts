import { type PaymentMethod, paymentMethods } from '@aisle/contract/trade/states'
import { type StatisticsRow, statisticsColumn } from '@aisle/contract/wallboard/board'
import { fenOfYuan, type Metric } from './figures.rules'

export type MethodFigures = { method: PaymentMethod; number: number; amount: number }

/** The first row counts, the second is in yuan (spec §7); `amount` is in fen. A missing row counts as zeros. */
export function methodFigures([counts, amounts]: readonly StatisticsRow[]): MethodFigures[] {
  return paymentMethods.map((method) => ({
    method,
    number: counts?.[statisticsColumn[method]] ?? 0,
    amount: fenOfYuan(amounts?.[statisticsColumn[method]] ?? 0),
  }))
}

export const ranked = (figures: readonly MethodFigures[], metric: Metric): MethodFigures[] =>
  [...figures].sort((a, b) => b[metric] - a[metric])

export const sumOf = (figures: readonly MethodFigures[], metric: Metric): number =>
  figures.reduce((sum, each) => sum + each[metric], 0)

/** A share of the ring, in turns clockwise from `ringStart`; where its label stands: `side`, and −1 (top) to 1. */
export type Slice = {
  method: PaymentMethod
  share: number
  from: number
  to: number
  /** The direction of its middle from the top, in turns. */
  middle: number
  side: 'left' | 'right'
  labelY: number
}

const SMALL = 0.12

/** Where the largest slice begins: so far after the top that the small ones, which end the ring, share it evenly. */
export function ringStart(figures: readonly MethodFigures[], metric: Metric): number {
  const whole = sumOf(figures, metric)
  const small = figures.map((each) => each[metric] / whole).filter((share) => share < SMALL)
  return small.reduce((sum, share) => sum + share, 0) / 2
}

/** From the largest on, none for a method without sales. Labels of a side stand at least `gap` apart. */
export function slicesOf(figures: readonly MethodFigures[], metric: Metric, gap: number): Slice[] {
  const whole = sumOf(figures, metric)
  const start = ringStart(figures, metric)
  let turned = 0
  const slices = ranked(figures, metric)
    .filter((each) => each[metric] > 0)
    .map(({ method, [metric]: value }): Slice => {
      const from = turned
      turned += value / whole
      const middle = (start + (from + turned) / 2) % 1
      const labelY = -Math.cos(2 * Math.PI * middle)
      return { method, share: value / whole, from, to: turned, middle, side: middle < 0.5 ? 'right' : 'left', labelY }
    })
  return [...spread(slices, 'right', gap), ...spread(slices, 'left', gap)]
}

function spread(slices: readonly Slice[], side: Slice['side'], gap: number): Slice[] {
  const column = slices.filter((slice) => slice.side === side).sort((a, b) => a.labelY - b.labelY)
  const highest = 1 - gap * (column.length - 1)
  let floor = -1
  return column.map((slice, i) => {
    const labelY = Math.min(Math.max(slice.labelY, floor), highest + gap * i)
    floor = labelY + gap
    return { ...slice, labelY }
  })
}
