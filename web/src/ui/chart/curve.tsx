import { type CurvePoint, frameOf, placeIn, runsOf } from './curve.rules'
import styles from './curve.module.css'
import { classes } from '../classes'

const WIDTH = 720
const HEIGHT = 160

/** Values over time, with what they are to keep to and the times of which nothing is known. */
export function Curve(props: {
  /** What it shows, in one sentence with its figures. */
  label: string
  lines: readonly (readonly CurvePoint[])[]
  span: { fromMs: number; toMs: number }
  limits: { min: number | null; max: number | null }
  /** Values further apart than this are not joined. */
  longestMs: number
  silences: readonly { fromMs: number; toMs: number }[]
  /** Of a value and of a time, at the edges. */
  valueText: (value: number) => string
  timeText: (atMs: number) => string
}) {
  const { label, lines, span, limits, longestMs, silences, valueText, timeText } = props
  const frame = frameOf(lines.flat(), [limits.min, limits.max], span)
  const place = placeIn(frame, WIDTH, HEIGHT)
  const limit = (value: number | null) => {
    if (value === null) return null
    const [, y] = place(span.fromMs, value)
    return <line className={styles.limit} x1={0} x2={WIDTH} y1={y} y2={y} />
  }
  return (
    <figure className={styles.curve}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {silences.map(({ fromMs, toMs }) => {
          const [x] = place(fromMs, 0)
          const [end] = place(toMs, 0)
          return (
            <rect key={fromMs} className={styles.silence} x={x} y={0} width={Math.max(1, end - x)} height={HEIGHT} />
          )
        })}
        {limit(limits.min)}
        {limit(limits.max)}
        {lines.flatMap((points, line) =>
          runsOf(points, longestMs).map((run) => (
            <polyline
              key={`${line}/${run[0]?.atMs}`}
              className={classes(styles.line, styles[`curve-line-${line % 4}`])}
              points={run.map(({ atMs, value }) => place(atMs, value).join(',')).join(' ')}
            />
          )),
        )}
      </svg>
      <figcaption aria-hidden="true">
        <span className={styles.top}>{valueText(frame.highest)}</span>
        <span className={styles.bottom}>{valueText(frame.lowest)}</span>
        <span className={styles.from}>{timeText(span.fromMs)}</span>
        <span className={styles.to}>{timeText(span.toMs)}</span>
      </figcaption>
    </figure>
  )
}
