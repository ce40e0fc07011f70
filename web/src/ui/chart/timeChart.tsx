import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ChartPoint } from './lines.rules'
import styles from './timeChart.module.css'
import { useText } from '../text'

export type ChartLine = {
  label: string
  points: readonly ChartPoint[]
  shape: 'line' | 'bars'
  /** A colour of tokens.css. */
  colour: `--${string}`
}

export type TimeChartProps = {
  /** What it shows, in one sentence. */
  label: string
  lines: readonly ChartLine[]
  /** Of a value, at the axis and in what is read out. */
  valueText: (value: number) => string
  /** Of a time or place, as it is read out. */
  atText: (at: number) => string
  /** Of a mark on the axis; `isDay` where marks are days apart. */
  markText: (at: number, isDay: boolean) => string
  /** The zone in which places are times in ms; without one they are whole places from 0 on. */
  zone?: string
  /** Amounts stand on zero. */
  fromZero?: boolean
  /** Points further apart than this are not joined. */
  longest?: number
  limits?: readonly number[]
  silences?: readonly { from: number; to: number }[]
  /** The same figures as a table, where the page has one of its own. */
  children?: ReactNode
}

/** Loaded with the first chart that opens. */
const Plot = lazy(async () => ({ default: (await import('./plot')).Plot }))

/** Values over time, to be read with pointer and keyboard; the same figures as a table for whoever can't see it. */
export function TimeChart(props: TimeChartProps) {
  return (
    <figure className={styles.chart} aria-label={props.label}>
      <Suspense fallback={<div className={styles.coming} />}>
        <Plot {...props} />
      </Suspense>
      {props.children === undefined ? <Values {...props} /> : props.children}
    </figure>
  )
}

function Values({ lines, valueText, atText }: TimeChartProps) {
  const t = useText('admin')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.table} data-not-drawn onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('chart.table')}</summary>
      {isOpen && <ValueTable lines={lines} valueText={valueText} atText={atText} />}
    </details>
  )
}

function ValueTable({ lines, valueText, atText }: Pick<TimeChartProps, 'lines' | 'valueText' | 'atText'>) {
  const t = useText('admin')
  const values = lines.map(({ points }) => new Map(points.map(({ at, value }) => [at, value])))
  const places = [...new Set(values.flatMap((each) => [...each.keys()]))].sort((one, other) => one - other)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('chart.time')}</th>
          {lines.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map((at) => (
          <tr key={at}>
            <th scope="row">{atText(at)}</th>
            {values.map((each, line) => {
              const value = each.get(at)
              return <td key={lines[line]?.label}>{value === undefined ? '–' : valueText(value)}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
