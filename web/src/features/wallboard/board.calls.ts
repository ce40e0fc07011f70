import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  boardLimits,
  boardRefusals,
  doGetTradeStatisticsOfToday,
  doRegisterClient,
  getBoard,
} from '@aisle/contract/wallboard/board'
import { getBoardSection, type SectionTab } from '@aisle/contract/wallboard/section'
import { call } from '../../live/call'
import { CallFailure } from '../../live/failure'
import { now } from '../../live/clock'
import { toast } from '../../ui/feedback/notice'
import { loadTexts, textOf } from '../../ui/text'
import type { BoardStore } from './board.state'
import type { Registration } from './socket'

/** The calls of a board. A failure is dealt with here (a toast, or the closed page), so callers get null. */
export function boardCalls(store: BoardStore, key: string | undefined) {
  /** The toast comes once an outage, not at each retry: the board itself says that it is reconnecting. */
  let isOutageTold = false
  let lastFailure: CallFailure | null = null

  const ask = async <E extends Endpoint>(endpoint: E, input: CallOf<E>): Promise<OutputOf<E> | null> => {
    try {
      const answer = await call(endpoint, input, { errors: 'silent' })
      store.change({ heardAtMs: now(), refusal: null })
      return answer
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      lastFailure = failure
      if (boardRefusals.some((code) => code === failure.code)) store.change({ refusal: failure.code })
      return null
    }
  }
  const isRefused = () => store.current().refusal !== null

  return {
    register: async (userId: string, type: number, isByPerson: boolean): Promise<Registration> => {
      const answer = await ask(doRegisterClient, { userId, type, key })
      if (answer) {
        isOutageTold = false
        return 'registered'
      }
      if (isRefused()) return 'refused'
      const isOneTooMany = boardLimits.some((code) => code === lastFailure?.code)
      if (isByPerson || !isOutageTold) await (isOneTooMany ? toast('bad', lastFailure?.message ?? '') : tellNetwork())
      isOutageTold = true
      return isOneTooMany ? 'refused' : 'failed'
    },
    statistics: async () => {
      const statistics = await ask(doGetTradeStatisticsOfToday, { key })
      if (!statistics && !isRefused()) await tellNetwork()
      return statistics
    },
    board: () => ask(getBoard, { key }),
    section: (tab: SectionTab) => ask(getBoardSection, { tab, key }),
  }
}

/** Specification §8, wallboard. */
async function tellNetwork(): Promise<void> {
  await loadTexts(['wallboard'])
  toast('bad', textOf('wallboard')('error.network'))
}
