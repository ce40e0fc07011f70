import { useCallback, useState } from 'react'
import { useText } from '../../ui/text'
import type { BoardState } from './board.state'
import { Counters } from './counters'
import { type Metric, metrics } from './figures.rules'
import { FreshnessNote } from './freshness'
import { Hours } from './hours'
import { MapPanel } from './map'
import { Payments } from './payments'
import { Recent } from './recent'
import type { Sale } from './sale.rules'

export function Sales(props: { board: BoardState; metric: Metric; onMetric: (metric: Metric) => void }) {
  const { board, metric, onMetric } = props
  const t = useText('wallboard')
  const [pointed, setPointed] = useState<Sale | null>(null)
  const onPoint = useCallback((sale: Sale | null) => setPointed(sale), [])
  return (
    <div className="sales">
      <div className="sales-left">
        <Counters figures={board.figures} extras={board.extras} metric={metric} />
        <Hours extras={board.extras} />
      </div>
      <div className="sales-middle">
        <MetricSwitch metric={metric} onMetric={onMetric} />
        <MapPanel sales={board.sales} pointed={pointed} />
        <div className="map-foot">
          <p>{t('map.recent', { count: board.sales.length })}</p>
          <FreshnessNote board={board} />
        </div>
      </div>
      <div className="sales-right">
        <Payments statistics={board.statistics} metric={metric} />
        <Recent sales={board.sales} onPoint={onPoint} />
      </div>
    </div>
  )
}

function MetricSwitch({ metric, onMetric }: { metric: Metric; onMetric: (metric: Metric) => void }) {
  const t = useText('wallboard')
  return (
    <fieldset className="metric-switch" aria-label={t('metric.label')}>
      {metrics.map((key) => (
        <button key={key} type="button" aria-pressed={key === metric} onClick={() => onMetric(key)}>
          {t(`metric.${key}`)}
        </button>
      ))}
    </fieldset>
  )
}
