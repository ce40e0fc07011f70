import { boardTabs } from '@aisle/contract/wallboard/board'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useText } from '../../ui/text'
import { useAwake } from './awake'
import './board.css'
import './sales.css'
import './map.css'
import './panels.css'
import './narrow.css'
import type { BoardState } from './board.state'
import { Closed } from './closed'
import { createFeed } from './feed'
import type { Metric } from './figures.rules'
import { type BoardTab, Header } from './header'
import { Planned } from './planned'
import { Sales } from './sales'
import { panelOf } from './tabs'

/** The display edition hangs on walls that nobody attends. */
const UNATTENDED_PATH = '/databaseszd'

export default function Board() {
  const t = useText('wallboard')
  const isUnattended = location.pathname === UNATTENDED_PATH
  const [feed] = useState(() => createFeed(displayKey()))
  const [tab, setTab] = useState<BoardTab>('sales')
  const [metric, setMetric] = useState<Metric>('amount')
  const board = useSyncExternalStore(feed.subscribe, feed.current)
  const wall = useAwake()
  const title = t('title')
  useEffect(() => feed.start(), [feed])
  useEffect(() => {
    document.title = title
  }, [title])

  const selectTab = (selected: BoardTab) => {
    setTab(selected)
    feed.selectTab(boardTabs.indexOf(selected))
  }
  return (
    <div className={isUnattended ? 'wall is-unattended' : 'wall'} ref={wall}>
      {board.refusal ? (
        <Closed code={board.refusal} isUnattended={isUnattended} onRetry={feed.retry} />
      ) : (
        <>
          <Header tab={tab} onTab={selectTab} extras={board.extras} isUnattended={isUnattended} />
          <main className="wall-main">
            <div className="wall-panel" {...panelOf('section', tab)}>
              <Section
                board={board}
                tab={tab}
                metric={metric}
                onMetric={setMetric}
                onSales={() => selectTab('sales')}
              />
            </div>
          </main>
        </>
      )}
    </div>
  )
}

function Section(props: {
  board: BoardState
  tab: BoardTab
  metric: Metric
  onMetric: (metric: Metric) => void
  onSales: () => void
}) {
  const { board, tab, metric, onMetric, onSales } = props
  if (tab !== 'sales') return <Planned tab={tab} onSales={onSales} />
  return <Sales board={board} metric={metric} onMetric={onMetric} />
}

const displayKey = () => new URLSearchParams(location.search).get('key') ?? undefined
