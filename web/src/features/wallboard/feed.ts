import { type Figures, STATISTICS_REFRESH_MS } from '@aisle/contract/wallboard/board'
import { now } from '../../live/clock'
import { randomId } from '../../live/id'
import { boardCalls } from './board.calls'
import { type BoardStore, createStore } from './board.state'
import { SILENT_AFTER_MS } from './link.rules'
import { drained, emptyBacklog, readPush, receive, waitMs } from './push.rules'
import { addInFront, catchUp, saleOfPoint } from './sale.rules'
import { keepConnected } from './socket'

/** What a board lives on: registration, pushes, and a refetch every minute, after each reconnection and after sleep. */
export function createFeed(key: string | undefined) {
  const userId = randomId()
  const store = createStore()
  const calls = boardCalls(store, key)
  const pushes = pushDrawer(store)
  let tab = 0

  const connection = keepConnected(socketAddress(userId), {
    register: () => calls.register(userId, tab, false),
    onFrame: pushes.receive,
    onLink: (link) => {
      const wasLost = store.current().link === 'closed'
      store.change({ link })
      if (link === 'open' && wasLost) void refresh()
    },
  })

  const refreshBoard = async () => {
    const askedAtMs = now()
    const answer = await calls.board()
    if (!answer) return
    const { figures, points, at: _, ...extras } = answer
    const shown = store.current()
    // A push that came while the call was under way knows more than its answer.
    const isNewest = pushes.heardAtMs() < askedAtMs
    const isSilent = pushes.heardAtMs() < askedAtMs - SILENT_AFTER_MS
    if (isSilent && connection.isOpen() && differs(shown.figures, figures)) connection.reopen()
    store.change({
      extras,
      figures: isNewest ? figures : shown.figures,
      sales: catchUp(shown.sales, points.map(saleOfPoint)),
    })
  }
  const refreshStatistics = async () => {
    const statistics = await calls.statistics()
    if (statistics) store.change({ statistics })
  }
  const refresh = () => Promise.all([refreshBoard(), refreshStatistics()])
  const wake = () => {
    if (document.hidden) return
    if (!connection.isOpen()) connection.reopen()
    void refresh()
  }

  return {
    subscribe: store.subscribe,
    current: store.current,
    retry: wake,
    selectTab: (type: number) => {
      tab = type
      void calls.register(userId, type, true)
    },
    start: () => {
      connection.start()
      void refresh()
      const timer = setInterval(() => void refresh(), STATISTICS_REFRESH_MS)
      addEventListener('online', wake)
      document.addEventListener('visibilitychange', wake)
      return () => {
        connection.stop()
        pushes.stop()
        clearInterval(timer)
        removeEventListener('online', wake)
        document.removeEventListener('visibilitychange', wake)
      }
    },
  }
}

/** Draws at most every 2.5 seconds; what comes between waits in the backlog. */
function pushDrawer(store: BoardStore) {
  let backlog = emptyBacklog
  let timer: ReturnType<typeof setTimeout> | undefined
  let heardAtMs = Number.NEGATIVE_INFINITY

  const draw = () => {
    const { message, sales } = backlog
    backlog = drained(now())
    if (message) store.change({ figures: message, sales: addInFront(store.current().sales, sales), heardAtMs })
  }
  return {
    heardAtMs: () => heardAtMs,
    stop: () => clearTimeout(timer),
    receive: (data: unknown, receivedAtMs: number) => {
      const message = readPush(data)
      if (!message) return
      heardAtMs = receivedAtMs
      backlog = receive(backlog, message, new Date(receivedAtMs).toISOString())
      clearTimeout(timer)
      timer = setTimeout(draw, waitMs(backlog, receivedAtMs) ?? 0)
    },
  }
}

function socketAddress(userId: string): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${location.host}/ws/message/${userId}`
}

const differs = (shown: Figures | null, fetched: Figures) =>
  shown !== null && shown.allTransactionsNumberSum !== fetched.allTransactionsNumberSum
