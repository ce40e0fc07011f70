import { type ReactNode, useCallback, useState } from 'react'
import { useText } from '../../../ui/text'
import type { BoardState } from '../board.state'
import { Counters } from './counters'
import { counterValues, type Metric, metrics } from './figures.rules'
import { dawnOf } from '../format'
import { FreshnessNote } from '../freshness'
import { Hours } from './hours'
import { MapPanel } from '../map/map'
import { Payments } from './payments'
import { Recent } from './recent'
import type { ReplayState } from '../replay/replay'
import type { Sale } from './sale.rules'
import styles from './sales.module.css'
import mapStyles from '../map/map.module.css'

type Shown = Pick<BoardState, 'figures' | 'sales' | 'statistics'> & {
  hours: readonly number[]
  hoursBefore: readonly number[]
  compared: { thenFen: number; nowFen: number } | null
  /** The moment that a replay shows; null on the live board. */
  shownMs: number | null
  /** Beside the number of sales below the map. */
  note: ReactNode
  machinesAbroad: number
}

export function LiveSales({ board, ...rest }: { board: BoardState } & Switched) {
  const { figures, extras } = board
  const today = figures && counterValues(figures, 'amount').today
  return (
    <Sales
      {...rest}
      figures={figures}
      sales={board.sales}
      statistics={board.statistics}
      hours={extras?.hoursToday ?? none}
      hoursBefore={extras?.hoursLastWeek ?? none}
      compared={extras && today !== null ? { thenFen: extras.lastWeekSoFarFen, nowFen: today } : null}
      shownMs={null}
      note={<FreshnessNote board={board} />}
      machinesAbroad={extras?.machinesAbroad ?? 0}
    />
  )
}

/** @param props.machinesAbroad as the live board knows them */
export function ReplayedSales(props: { state: ReplayState; machinesAbroad: number } & Switched) {
  const { state, machinesAbroad, ...rest } = props
  const { day, atMs, board } = state
  return (
    <Sales
      {...rest}
      figures={board?.figures ?? null}
      sales={board?.sales ?? none}
      statistics={board?.statistics ?? none}
      hours={board?.hours ?? none}
      hoursBefore={board?.hoursBefore ?? none}
      compared={board?.compared ?? null}
      shownMs={dawnOf(day) + atMs}
      note={null}
      machinesAbroad={machinesAbroad}
    />
  )
}

const none: readonly never[] = []
type Switched = { metric: Metric; onMetric: (metric: Metric) => void }

function Sales(props: Shown & Switched) {
  const { sales, shownMs, metric, onMetric } = props
  const t = useText('wallboard')
  const [pointed, setPointed] = useState<Sale | null>(null)
  const onPoint = useCallback((sale: Sale | null) => setPointed(sale), [])
  return (
    <div data-part="sales" className={styles.sales}>
      <div className={styles.left}>
        <Counters figures={props.figures} compared={props.compared} metric={metric} shownMs={shownMs} />
        <Hours today={props.hours} lastWeek={props.hoursBefore} shownMs={shownMs} />
      </div>
      <div className={styles.middle}>
        <MetricSwitch metric={metric} onMetric={onMetric} />
        <MapPanel sales={sales} pointed={pointed} machinesAbroad={props.machinesAbroad} />
        <div className={mapStyles.foot}>
          <p>{t('map.recent', { count: sales.length })}</p>
          {props.note}
        </div>
      </div>
      <div className={styles.right}>
        <Payments
          title={t(shownMs === null ? 'pay.title' : 'replay.pay')}
          statistics={props.statistics}
          metric={metric}
        />
        <Recent sales={sales} shownMs={shownMs} onPoint={onPoint} />
      </div>
    </div>
  )
}

function MetricSwitch({ metric, onMetric }: { metric: Metric; onMetric: (metric: Metric) => void }) {
  const t = useText('wallboard')
  return (
    <fieldset className={mapStyles.metricSwitch} aria-label={t('metric.label')}>
      {metrics.map((key) => (
        <button key={key} type="button" aria-pressed={key === metric} onClick={() => onMetric(key)}>
          {t(`metric.${key}`)}
        </button>
      ))}
    </fieldset>
  )
}
