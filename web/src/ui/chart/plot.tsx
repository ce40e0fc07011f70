import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { aligned, valueNear } from './lines.rules'
import { plotIn } from './plotOptions'
import type { TimeChartProps } from './timeChart'
import styles from './timeChart.module.css'
import { useText } from '../text'

/** What arrows, Home and End add to the place that is read out. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** The drawing with its keys, which say the values below the cursor. */
export function Plot(props: TimeChartProps) {
  const { label, lines, longest = Number.POSITIVE_INFINITY, valueText, atText } = props
  const t = useText('admin')
  const [read, setRead] = useState<number | null>(null)
  const [isZoomed, setZoomed] = useState(false)
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const shown = useRef(props)
  useEffect(() => void (shown.current = props))
  /** Drawn anew when a figure changes, and not whenever the page renders. */
  const figures = JSON.stringify([lines, longest, props.limits, props.silences, label])
  useEffect(() => {
    if (!holder.current || figures === '') return
    const made = plotIn(holder.current, shown.current, { onRead: setRead, onZoom: setZoomed })
    plot.current = made.plot
    return made.end
  }, [figures])
  const figure = useMemo(
    () =>
      aligned(
        lines.map(({ points }) => points),
        longest,
      ),
    [lines, longest],
  )
  const valueAt = (line: number, index: number) => {
    const value = valueNear(figure, line, index)
    return value === null ? '–' : valueText(value)
  }
  const at = read === null ? undefined : figure.at[read]
  const said =
    at === undefined || read === null ? [] : lines.map((line, index) => `${line.label} ${valueAt(index, read)}`)
  const showAll = () => plot.current?.setData(plot.current.data, true)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Escape' && isZoomed) showAll()
    if (step === undefined || !plot.current) return
    event.preventDefault()
    const next = Math.min(figure.at.length - 1, Math.max(0, (read ?? (step > 0 ? -1 : figure.at.length)) + step))
    plot.current.setCursor({ left: plot.current.valToPos(figure.at[next] ?? 0, 'x'), top: 0 })
    setRead(next)
  }
  return (
    <>
      <figcaption className={styles.keys}>
        {at !== undefined && <b>{atText(at)}</b>}
        {lines.map((line, index) => (
          <span key={line.label} className={styles.key} style={{ '--key': `var(${line.colour})` } as CSSProperties}>
            {line.label} {read !== null && <b>{valueAt(index, read)}</b>}
          </span>
        ))}
        {isZoomed && <ShowAll show={showAll} />}
      </figcaption>
      <div
        ref={holder}
        className={styles.plot}
        data-part="plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-description={t('chart.keys')}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, figure.at.length - 1)}
        aria-valuenow={read ?? 0}
        aria-valuetext={at === undefined ? t('chart.keys') : [atText(at), ...said].join(' · ')}
        onKeyDown={onKeyDown}
      />
    </>
  )
}

function ShowAll({ show }: { show: () => void }) {
  const t = useText('admin')
  return (
    <button type="button" className="btn-plain" onClick={show} data-not-drawn>
      {t('chart.whole')}
    </button>
  )
}
