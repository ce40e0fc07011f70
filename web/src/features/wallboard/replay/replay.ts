import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { yuan } from '@aisle/contract/kernel/money'
import { getReplayDay, getReplaySpan, REPLAY_SPANS, type ReplaySpeed } from '@aisle/contract/wallboard/replay'
import { call } from '../../../live/call'
import { now } from '../../../live/clock'
import { CallFailure } from '../../../live/failure'
import type { BoardState } from '../board.state'
import { dawnOf } from '../format'
import {
  comparedAt,
  DAY_MS,
  hoursOf,
  type Loaded,
  loadedOf,
  salesBy,
  soldBy,
  spanAt,
  statisticsOf,
  sumOf,
} from './replay.rules'

/** Counters and points are drawn twice a second, however fast the day goes by. */
const TICK_MS = 500
/** Spans beside the present one that are kept: an hour before for its points, those after so that nobody waits. */
const [KEPT_BEFORE, FETCHED_AHEAD] = [6, 3]
/** What could not be read is asked for again after so long. */
const RETRY_MS = 5_000

type Day = OutputOf<typeof getReplayDay>
export type ReplayBoard = Pick<BoardState, 'figures' | 'sales' | 'statistics'> & {
  /** Fen of the 24 hours, and of those of the same weekday before. */
  hours: readonly number[]
  hoursBefore: readonly number[]
  compared: { thenFen: number; nowFen: number }
  /** How many orders of the present ten minutes stand behind each point of the map; 1 where all are shown. */
  ordersAPoint: number
}
export type ReplayState = {
  day: string
  /** Since the beginning of the day. */
  atMs: number
  isPlaying: boolean
  /** The day or the ten minutes that come next are still on their way. */
  isWaiting: boolean
  hasFailed: boolean
  speed: ReplaySpeed
  board: ReplayBoard | null
}

const AT_FIRST = {
  atMs: 0,
  isPlaying: true,
  isWaiting: true,
  hasFailed: false,
  speed: 60,
  board: null,
} satisfies Omit<ReplayState, 'day'>

/** A day of orders, fetched in pieces of ten minutes and shown as the board would have shown it. */
export function createReplay(firstDay: string) {
  let state: ReplayState = { ...AT_FIRST, day: firstDay }
  let day: Day | null = null
  const pieces = spanKeeper(() => state.day)
  const listeners = new Set<() => void>()
  let tickedAtMs = 0

  const change = (part: Partial<ReplayState>) => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const draw = (atMs: number, part: Partial<ReplayState> = {}) => {
    change({ ...part, atMs, board: day && boardAt(atMs, day, pieces.at), hasFailed: pieces.hasFailed() })
  }
  const tick = () => {
    const elapsedMs = now() - tickedAtMs
    tickedAtMs = now()
    if (!day) return
    // Here and not where it is moved: who pulls the time along asks for nothing on the way.
    pieces.keep(spanAt(state.atMs))
    const isWaiting = !pieces.at(spanAt(state.atMs))
    if (isWaiting || !state.isPlaying) return draw(state.atMs, { isWaiting })
    const atMs = Math.min(state.atMs + elapsedMs * state.speed, endMs(state.day))
    draw(atMs, { isWaiting, isPlaying: atMs < endMs(state.day) })
  }
  const load = async (wanted: string) => {
    day = null
    pieces.forget()
    change({ day: wanted, atMs: 0, isWaiting: true, hasFailed: false, board: null })
    const answer = await fetched(() => call(getReplayDay, { day: wanted }, { errors: 'throw' }))
    if (state.day !== wanted) return
    day = answer
    if (!answer) return change({ hasFailed: true, isPlaying: false, isWaiting: false })
    const [first] = answer.spans
    // The night before the first sale would be nothing to look at.
    draw(first ? first.span * (DAY_MS / REPLAY_SPANS) : 0)
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    current: () => state,
    choose: (wanted: string) => void load(wanted),
    setSpeed: (speed: ReplaySpeed) => change({ speed }),
    seek: (atMs: number) => draw(Math.min(Math.max(0, atMs), endMs(state.day))),
    /** At the end of the day it begins anew; after a failure it asks again. */
    toggle: () => {
      if (!day) return void load(state.day).then(() => change({ isPlaying: true }))
      const isAtEnd = state.atMs >= endMs(state.day)
      if (isAtEnd) draw(0)
      change({ isPlaying: isAtEnd || !state.isPlaying })
    },
    start: () => {
      tickedAtMs = now()
      void load(state.day)
      const timer = setInterval(tick, TICK_MS)
      return () => clearInterval(timer)
    },
  }
}

/** Today ends now. */
const endMs = (day: string): number => Math.min(DAY_MS, Math.max(0, now() - dawnOf(day)))

/** The few pieces around the present one; what is far is forgotten, so that a large day needs no more than a small. */
function spanKeeper(dayOf: () => string) {
  const known = new Map<number, Loaded | 'asked'>()
  let hasFailed = false
  let failedAtMs = Number.NEGATIVE_INFINITY

  const ask = async (span: number) => {
    const day = dayOf()
    known.set(span, 'asked')
    const answer = await fetched(() => call(getReplaySpan, { day, span }, { errors: 'throw' }))
    // Another day was chosen, or another time of it, while this was under way.
    if (dayOf() !== day || known.get(span) !== 'asked') return
    hasFailed = answer === null
    if (hasFailed) failedAtMs = now()
    if (answer) known.set(span, loadedOf(answer))
    else known.delete(span)
  }
  return {
    at: (span: number): Loaded | undefined => {
      const found = known.get(span)
      return found === 'asked' ? undefined : found
    },
    hasFailed: () => hasFailed,
    forget: () => known.clear(),
    keep: (span: number) => {
      const [first, last] = [Math.max(0, span - KEPT_BEFORE), Math.min(REPLAY_SPANS - 1, span + FETCHED_AHEAD)]
      for (const each of known.keys()) if (each < first || each > last) known.delete(each)
      if (now() - failedAtMs < RETRY_MS) return
      // The present one first, then those to come, the one before at last.
      const wanted = Array.from({ length: last - first + 1 }, (_, n) => first + n).sort(
        (a, b) => Number(a < span) - Number(b < span) || a - b,
      )
      for (const each of wanted) if (!known.has(each)) void ask(each)
    },
  }
}

const spansUpTo = (span: number) => Array.from({ length: KEPT_BEFORE + 1 }, (_, n) => span - KEPT_BEFORE + n)

async function fetched<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    return null
  }
}

function boardAt(atMs: number, day: Day, pieceAt: (span: number) => Loaded | undefined): ReplayBoard {
  const span = spanAt(atMs)
  const present = pieceAt(span)
  const sold = soldBy(atMs, day.spans, present)
  const [all, tally] = [sumOf(day.spans), sumOf(sold)]
  return {
    figures: {
      allTransactionSum: yuan(all.paidFen),
      allTransactionsNumberSum: all.orders,
      todaytransactionsSum: yuan(tally.paidFen),
      todaytransactionsNumberSum: tally.orders,
      todaytransactionsOnLine: yuan(tally.onlineFen),
      todaytransactionsNumberOnLine: tally.onlineOrders,
    },
    sales: salesBy(dawnOf(day.day) + atMs, spansUpTo(span).map(pieceAt)),
    statistics: statisticsOf(sold),
    hours: hoursOf(sold),
    hoursBefore: hoursOf(day.weekBefore),
    compared: comparedAt(atMs, day.spans, day.weekBefore),
    ordersAPoint: present && present.points.length > 0 ? present.orders / present.points.length : 1,
  }
}
