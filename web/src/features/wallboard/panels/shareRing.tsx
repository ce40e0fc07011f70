import { methodColours } from '../../../ui/chart/methodColours'
import { useLanguage, useText } from '../../../ui/text'
import type { Metric } from './figures.rules'
import { compactAmountText, countText, percentText } from '../format'
import { type MethodFigures, ringStart, type Slice, slicesOf, sumOf } from './payments.rules'
import styles from './panels.module.css'

/** Units of the drawing: a ring in the middle, its labels in a column on each side. */
const VIEW = { width: 420, height: 270 }
const CENTRE = { x: VIEW.width / 2, y: VIEW.height / 2 }
const RADIUS = 74
const THICKNESS = 30
const LABEL_REACH = 112
const LABEL_X = 118
const LABEL_GAP = 36 / LABEL_REACH

export function ShareRing({ figures, metric }: { figures: readonly MethodFigures[]; metric: Metric }) {
  const t = useText('wallboard')
  const language = useLanguage()
  const whole = sumOf(figures, metric)
  const start = ringStart(figures, metric)
  const slices = slicesOf(figures, metric, LABEL_GAP)
  const wholeText = metric === 'amount' ? compactAmountText(whole, language) : countText(whole, language)
  const words = slices.map(({ method, share }) => `${t(`method.${method}`)} ${percentText(share, language)}`)
  return (
    <svg
      className={styles.shareRing}
      viewBox={`0 0 ${VIEW.width} ${VIEW.height}`}
      role="img"
      aria-label={words.join(', ')}
    >
      <g transform={`rotate(${360 * start - 90} ${CENTRE.x} ${CENTRE.y})`} fill="none" strokeWidth={THICKNESS}>
        {slices.map((slice) => (
          <circle
            key={slice.method}
            cx={CENTRE.x}
            cy={CENTRE.y}
            r={RADIUS}
            pathLength={1}
            stroke={methodColours[slice.method]}
            strokeDasharray={`${dash(slice)} 1`}
            strokeDashoffset={-slice.from}
          />
        ))}
      </g>
      <text className={styles.shareWhole} x={CENTRE.x} y={CENTRE.y + 1}>
        {wholeText}
      </text>
      <text className={styles.shareCaption} x={CENTRE.x} y={CENTRE.y + 20}>
        {t(`metric.${metric}`)}
      </text>
      {slices.map((slice) => (
        <Label
          key={slice.method}
          slice={slice}
          name={t(`method.${slice.method}`)}
          share={percentText(slice.share, language)}
        />
      ))}
    </svg>
  )
}

/** A hair of night between neighbours, but never so much that a small slice vanishes. */
const dash = ({ from, to }: Slice) => Math.max(0.003, to - from - 0.004)

function Label({ slice, name, share }: { slice: Slice; name: string; share: string }) {
  const direction = slice.side === 'right' ? 1 : -1
  const angle = 2 * Math.PI * slice.middle
  const edge = RADIUS + THICKNESS / 2 + 3
  const [startX, startY] = [CENTRE.x + Math.sin(angle) * edge, CENTRE.y - Math.cos(angle) * edge]
  const y = Math.round(CENTRE.y + slice.labelY * LABEL_REACH)
  const x = CENTRE.x + direction * LABEL_X
  return (
    <g textAnchor={slice.side === 'right' ? 'start' : 'end'}>
      <polyline
        className={styles.shareLeader}
        points={`${startX.toFixed(1)},${startY.toFixed(1)} ${x - direction * 10},${y} ${x - direction * 3},${y}`}
      />
      <text className={styles.shareName} x={x} y={y - 3}>
        {name}
      </text>
      <text className={styles.sharePart} x={x} y={y + 13}>
        {share}
      </text>
    </g>
  )
}
