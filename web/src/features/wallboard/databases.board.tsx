import { boardTabs } from '@aisle/contract/wallboard/board'
import { getReplayDay } from '@aisle/contract/wallboard/replay'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { now } from '../../live/clock'
import { can, useSession } from '../../live/session'
import { loadUser } from '../../live/session.calls'
import { useText } from '../../ui/text'
import { useAwake } from './awake'
import styles from './board.module.css'
import type { BoardState } from './board.state'
import { Closed } from './closed'
import { createFeed } from './feed'
import type { Metric } from './panels/figures.rules'
import { dayOf } from './format'
import { type BoardTab, Header } from './header'
import { createReplay } from './replay/replay'
import { ReplayBar } from './replay/replayBar'
import { LiveSales, ReplayedSales } from './panels/sales'
import { SectionView } from './panels/section'
import { panelOf } from './tabs'
import replayStyles from './replay/replay.module.css'

/** The display edition hangs on walls that nobody attends. */
const UNATTENDED_PATH = '/databaseszd'
const DAY_MS = 86_400_000

export default function Board() {
  const t = useText('wallboard')
  const isUnattended = location.pathname === UNATTENDED_PATH
  const [feed] = useState(() => createFeed(displayKey()))
  const [tab, setTab] = useState<BoardTab>('sales')
  const [metric, setMetric] = useState<Metric>('amount')
  const [isReplay, setReplay] = useState(false)
  const board = useSyncExternalStore(feed.subscribe, feed.current)
  const wall = useAwake()
  const title = t('title')
  useEffect(() => feed.start(), [feed])
  useRights()
  useEffect(() => {
    document.title = title
  }, [title])

  const selectTab = (selected: BoardTab) => {
    setTab(selected)
    setReplay(false)
    feed.selectTab(boardTabs.indexOf(selected))
  }
  const replay = () => {
    if (tab !== 'sales') selectTab('sales')
    setReplay(true)
  }
  const look = { 'data-unattended': isUnattended || undefined, 'data-replay': isReplay || undefined }
  if (board.refusal) {
    return (
      <div className={styles.wall} {...look} ref={wall}>
        <Closed code={board.refusal} isUnattended={isUnattended} onRetry={feed.retry} />
      </div>
    )
  }
  const shown = { board, tab, metric, onMetric: setMetric }
  const mayReplay = !isUnattended && !isReplay && can(getReplayDay.access)
  return (
    <div className={styles.wall} {...look} ref={wall}>
      <Header
        tab={tab}
        onTab={selectTab}
        extras={board.extras}
        isUnattended={isUnattended}
        onReplay={mayReplay ? replay : null}
      />
      <main className={styles.main}>
        <div className={styles.wallPanel} {...panelOf('section', tab)}>
          {isReplay ? <Replay {...shown} onLeave={() => setReplay(false)} /> : <Section {...shown} />}
        </div>
      </main>
    </div>
  )
}

/** Whoever came here straight from signing in has a session whose rights were not read yet. */
function useRights(): void {
  const session = useSession()
  const isUnread = session !== null && session.info === null
  useEffect(() => {
    if (isUnread) void loadUser().catch(() => undefined)
  }, [isUnread])
}

type Shown = { board: BoardState; tab: BoardTab; metric: Metric; onMetric: (metric: Metric) => void }

function Section({ board, tab, metric, onMetric }: Shown) {
  if (tab !== 'sales') return <SectionView board={board} tab={tab} />
  return <LiveSales board={board} metric={metric} onMetric={onMetric} />
}

/** Yesterday first: the last day that is whole. */
function Replay({ board, metric, onMetric, onLeave }: Shown & { onLeave: () => void }) {
  const [replay] = useState(() => createReplay(dayOf(now() - DAY_MS)))
  const state = useSyncExternalStore(replay.subscribe, replay.current)
  useEffect(() => replay.start(), [replay])
  return (
    <div className={replayStyles.replay}>
      <ReplayBar replay={replay} state={state} onLeave={onLeave} />
      <ReplayedSales
        key={state.day}
        state={state}
        machinesAbroad={board.extras?.machinesAbroad ?? 0}
        metric={metric}
        onMetric={onMetric}
      />
    </div>
  )
}

const displayKey = () => new URLSearchParams(location.search).get('key') ?? undefined
