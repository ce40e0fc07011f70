import { MAP_POINTS_KEPT, type SalePoint, type StatisticsRow, statisticsColumn } from '@aisle/contract/wallboard/board'
import { REPLAY_SPAN_SECONDS, REPLAY_SPANS, type SoldInSecond, type SoldInSpan } from '@aisle/contract/wallboard/replay'
import { paymentMethods } from '@aisle/contract/trade/states'
import { type Sale, saleOfPoint } from '../panels/sale.rules'

export const DAY_MS = 86_400_000
const SPAN_MS = REPLAY_SPAN_SECONDS * 1_000
const SPANS_AN_HOUR = 3_600_000 / SPAN_MS

export type Tally = { orders: number; paidFen: number; onlineOrders: number; onlineFen: number }
export type ReplaySpan = { seconds: readonly SoldInSecond[]; points: readonly SalePoint[]; orders: number }
/** A span that was fetched, ready to be shown: its sales newest last. */
export type Loaded = ReplaySpan & { sales: readonly { atMs: number; sale: Sale }[] }

const nothing: Tally = { orders: 0, paidFen: 0, onlineOrders: 0, onlineFen: 0 }

/** @param atMs since the beginning of the day */
export const spanAt = (atMs: number): number => Math.min(REPLAY_SPANS - 1, Math.floor(atMs / SPAN_MS))

export const loadedOf = (span: ReplaySpan): Loaded => ({
  ...span,
  sales: span.points.map((point) => ({ atMs: Date.parse(point.at), sale: saleOfPoint(point) })),
})

/** What was sold by a moment of the day: spans that are over as a whole, the present one by its seconds. */
export function soldBy(atMs: number, spans: readonly SoldInSpan[], present: ReplaySpan | undefined): SoldInSpan[] {
  const span = spanAt(atMs)
  const over = spans.filter((each) => each.span < span || atMs >= DAY_MS)
  if (atMs >= DAY_MS) return over
  const second = Math.floor((atMs - span * SPAN_MS) / 1_000)
  const begun = (present?.seconds ?? []).filter((each) => each.second < second)
  return [...over, ...begun.map(({ second: _, ...sold }) => ({ ...sold, span }))]
}

export const sumOf = (sold: readonly Tally[]): Tally =>
  sold.reduce(
    (sum, each) => ({
      orders: sum.orders + each.orders,
      paidFen: sum.paidFen + each.paidFen,
      onlineOrders: sum.onlineOrders + each.onlineOrders,
      onlineFen: sum.onlineFen + each.onlineFen,
    }),
    nothing,
  )

/** Fen of each hour of the day. */
export function hoursOf(sold: readonly SoldInSpan[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { span, paidFen } of sold) {
    const hour = Math.floor(span / SPANS_AN_HOUR)
    hours[hour] = (hours[hour] ?? 0) + paidFen
  }
  return hours
}

/** Of both days only spans that are over, so that like is compared with like. */
export function comparedAt(atMs: number, spans: readonly SoldInSpan[], weekBefore: readonly SoldInSpan[]) {
  const isOver = ({ span }: SoldInSpan) => (span + 1) * SPAN_MS <= atMs
  return { thenFen: sumOf(weekBefore.filter(isOver)).paidFen, nowFen: sumOf(spans.filter(isOver)).paidFen }
}

/** As the board's panel reads them: the counts, then the amounts in yuan. */
export function statisticsOf(sold: readonly SoldInSpan[]): StatisticsRow[] {
  const row = (classify: string, value: (tally: Tally) => number): StatisticsRow => {
    const columns = paymentMethods.map((method, index) => {
      const tally = sumOf(sold.filter((each) => each.method === index))
      return [statisticsColumn[method], value(tally)] as const
    })
    return { ...emptyRow, ...Object.fromEntries(columns), classify, allCount: value(sumOf(sold)) }
  }
  return [row('count', ({ orders }) => orders), row('amount', ({ paidFen }) => paidFen / 100)]
}

const emptyRow: StatisticsRow = {
  classify: '',
  alipaysl: 0,
  wxpaysl: 0,
  unionpaysl: 0,
  pickcodesl: 0,
  memberpaysl: 0,
  cashsl: 0,
  othersl: 0,
  allCount: 0,
}

/** The newest points by a moment, newest first, of the spans that were fetched. */
export function salesBy(untilMs: number, spans: readonly (Loaded | undefined)[]): readonly Sale[] {
  return spans
    .flatMap((span) => span?.sales ?? [])
    .filter(({ atMs }) => atMs <= untilMs)
    .slice(-MAP_POINTS_KEPT)
    .reverse()
    .map(({ sale }) => sale)
}
