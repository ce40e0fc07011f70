import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { boardTabs, type Figures, type getBoard, STATISTICS_REFRESH_MS } from '@aisle/contract/wallboard/board'
import { sectionTabs } from '@aisle/contract/wallboard/section'
import { now } from '../../live/clock'
import { randomId } from '../../live/id'
import { boardCalls } from './board.calls'
import { type BoardStore, createStore } from './board.state'
import { hasSlept, PULSE_MS, SILENT_AFTER_MS } from './link.rules'
import { drained, emptyBacklog, readPush, receive, waitMs } from './push.rules'
import { addInFront, catchUp, saleOfPoint } from './panels/sale.rules'
import { keepConnected } from './socket'

/** A section is fetched again at most this often, however much is pushed. */
const SECTION_EVERY_MS = 10_000

/** What a board lives on: registration, pushes, and a refetch every minute, after each reconnection and after sleep. */
export function createFeed(key: string | undefined) {
  const userId = randomId()
  const store = createStore()
  const calls = boardCalls(store, key)
  const pushes = pushDrawer(store)
  let tab = 0
  const section = sectionReader(store, calls)
  const reportTab = tabReporter((type) => calls.register(userId, type, true))

  const connection = keepConnected(socketAddress(userId), {
    register: async () => {
      const registration = await calls.register(userId, tab, false)
      // The figures are there before the socket is, which needs two more journeys.
      if (registration === 'registered' && store.current().link === 'closed') void refresh()
      return registration
    },
    onFrame: (data, receivedAtMs) => {
      pushes.receive(data, receivedAtMs)
      if (section.isDue(receivedAtMs)) void section.refresh(tab)
    },
    onLink: (link) => {
      const wasLost = store.current().link === 'closed'
      store.change({ link })
      // Again, for what was sold between the two.
      if (link === 'open' && wasLost) void refresh()
    },
  })

  const refreshBoard = async () => {
    const askedAtMs = now()
    const answer = await calls.board()
    if (!answer) return
    const isSilent = pushes.heardAtMs() < askedAtMs - SILENT_AFTER_MS
    if (isSilent && connection.isOpen() && differs(store.current().figures, answer.figures)) connection.reopen()
    // A push that came while the call was under way knows more than its answer.
    showBoard(store, answer, pushes.heardAtMs() < askedAtMs)
  }
  const refreshStatistics = async () => {
    const statistics = await calls.statistics()
    if (statistics) store.change({ statistics })
  }
  const refresh = () => Promise.all([refreshBoard(), refreshStatistics(), section.refresh(tab)])
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
      void reportTab(type)
      void section.refresh(tab)
    },
    start: () => {
      connection.start()
      void refresh()
      const unhear = hearTime(() => void refresh(), wake)
      return () => {
        connection.stop()
        pushes.stop()
        unhear()
      }
    },
  }
}

/** One registration at a time, the last of the tab that is shown: two under way may arrive in another order. */
function tabReporter(register: (tab: number) => Promise<unknown>): (tab: number) => Promise<void> {
  let told: number | null = null
  let wanted = 0
  return async (tab) => {
    wanted = tab
    if (told !== null) return
    while (told !== wanted) {
      told = wanted
      await register(told)
    }
    told = null
  }
}

/** The figures of the tab that is open, where it has its own. */
function sectionReader(store: BoardStore, calls: ReturnType<typeof boardCalls>) {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let wanted = 0
  return {
    isDue: (atMs: number) => atMs - askedAtMs > SECTION_EVERY_MS,
    refresh: async (tab: number) => {
      wanted = tab
      const name = sectionTabs.find((each) => each === boardTabs[tab])
      if (!name) return
      askedAtMs = now()
      const section = await calls.section(name)
      // Another tab may have been chosen meanwhile.
      if (section && section.tab === boardTabs[wanted]) store.change({ section, sectionAtMs: now() })
    },
  }
}

function showBoard(store: BoardStore, answer: OutputOf<typeof getBoard>, isNewest: boolean): void {
  const { figures, points, at: _, ...extras } = answer
  const shown = store.current()
  store.change({
    extras,
    figures: isNewest ? figures : shown.figures,
    sales: catchUp(shown.sales, points.map(saleOfPoint)),
  })
}

/** `refresh` each minute; `wake` when the network is back, after sleep, and when the page is looked at again. */
function hearTime(refresh: () => void, wake: () => void): () => void {
  const timer = setInterval(refresh, STATISTICS_REFRESH_MS)
  let beatAtMs = now()
  const pulse = setInterval(() => {
    const isLate = hasSlept(beatAtMs, now())
    beatAtMs = now()
    if (isLate) wake()
  }, PULSE_MS)
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  return () => {
    clearInterval(timer)
    clearInterval(pulse)
    removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
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
