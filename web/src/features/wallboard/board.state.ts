import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Figures, getBoard, StatisticsRow } from '@aisle/contract/wallboard/board'
import type { Section } from '@aisle/contract/wallboard/section'
import type { Link } from './link.rules'
import type { Sale } from './panels/sale.rules'

export type Extras = Omit<OutputOf<typeof getBoard>, 'figures' | 'points' | 'at'>

/** Everything a board shows. Its size is bounded: 80 sales, 24 hours, seven methods, however many months it runs. */
export type BoardState = {
  figures: Figures | null
  /** Newest first. */
  sales: readonly Sale[]
  extras: Extras | null
  statistics: readonly StatisticsRow[]
  /** Of the tab that is shown, where that is not sales. */
  section: Section | null
  /** When that came. */
  sectionAtMs: number
  link: Link
  /** When the server last said anything at all. */
  heardAtMs: number | null
  /** A refusal's code when the board may not be shown. */
  refusal: string | null
}

const emptyBoard: BoardState = {
  figures: null,
  sales: [],
  extras: null,
  statistics: [],
  section: null,
  sectionAtMs: 0,
  link: 'connecting',
  heardAtMs: null,
  refusal: null,
}

export type BoardStore = ReturnType<typeof createStore>

export function createStore() {
  let state = emptyBoard
  const listeners = new Set<() => void>()
  return {
    current: () => state,
    change: (part: Partial<BoardState>) => {
      state = { ...state, ...part }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
