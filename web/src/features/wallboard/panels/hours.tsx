import { memo } from 'react'
import { useNow } from '../../../live/clock'
import { useLanguage, useText } from '../../../ui/text'
import { compactAmountText, hourOf, roundAmountText } from '../format'
import { roundTop } from './section.rules'
import { useLastWeekday } from '../weekday'
import boardStyles from '../board.module.css'
import styles from './sales.module.css'
import { classes } from '../../../ui/classes'

const MINUTE_MS = 60_000
/** A scale to less than a yuan would make a mountain of a mint. In fen. */
const LEAST_TOP = 100
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Columns from zero: what was sold so far today, and last week's level as a mark, for hours to come as a ghost. */
export const Hours = memo(function Hours(props: {
  today: readonly number[]
  lastWeek: readonly number[]
  /** The moment that a replay shows; null on the live board. */
  shownMs: number | null
}) {
  const { today, lastWeek, shownMs } = props
  const t = useText('wallboard')
  const language = useLanguage()
  const weekday = useLastWeekday(shownMs)
  const nowMs = useNow(MINUTE_MS)
  const hourNow = hourOf(shownMs ?? nowMs)
  const top = roundTop([LEAST_TOP, ...today, ...lastWeek])
  const peak = Math.max(0, ...today)
  const summary = t('hours.summary', {
    today: roundAmountText(sum(today), language),
    lastWeek: roundAmountText(sum(lastWeek), language),
    weekday,
    hour: Math.max(0, today.indexOf(peak)),
    peak: roundAmountText(peak, language),
  })
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.hours)}>
      <h2>
        {t(shownMs === null ? 'hours.title' : 'replay.hoursTitle')}
        <span className={styles.hoursKey}>
          <i className={styles.keyToday} aria-hidden="true" /> {t(shownMs === null ? 'hours.today' : 'replay.hours')}
          <i className={styles.keyLast} aria-hidden="true" /> {t('hours.lastWeek', { weekday })}
        </span>
      </h2>
      <div className={styles.hoursChart} role="img" aria-label={summary}>
        <span className={styles.hoursLine} style={{ bottom: '100%' }}>
          {compactAmountText(top, language)}
        </span>
        <span className={styles.hoursLine} style={{ bottom: '50%' }}>
          {compactAmountText(top / 2, language)}
        </span>
        {HOURS.map((hour) => (
          <Column
            key={hour}
            state={hour < hourNow ? 'past' : hour === hourNow ? 'now' : 'future'}
            today={(today[hour] ?? 0) / top}
            lastWeek={(lastWeek[hour] ?? 0) / top}
          />
        ))}
      </div>
      <div className={styles.hoursAxis} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{hour % 6 === 0 ? hour : ''}</span>
        ))}
      </div>
    </section>
  )
})

function Column({ state, today, lastWeek }: { state: 'past' | 'now' | 'future'; today: number; lastWeek: number }) {
  return (
    <div className={classes(styles.hour, styles[`hour-${state}`])}>
      <i className={styles.hourLast} style={{ height: `${100 * lastWeek}%` }} />
      <b className={styles.hourToday} style={{ transform: `scaleY(${today})` }} />
    </div>
  )
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
