import type { Figures } from '@aisle/contract/wallboard/board'
import { type CSSProperties, memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLanguage, useText } from '../../../ui/text'
import { COUNTER_STEP_MS, counterAt } from './counter.rules'
import { type Counter, changeSince, counterValues, type Metric, shareOf } from './figures.rules'
import { amountParts, changeText, countText, emsOf, percentText } from '../format'
import { prefersStillness } from '../motion'
import { useLastWeekday } from '../weekday'
import boardStyles from '../board.module.css'
import styles from './sales.module.css'
import { classes } from '../../../ui/classes'

/** Fen of today and of the same weekday before, up to the same time. */
type Compared = { thenFen: number; nowFen: number }

/** @param props.shownMs the moment that a replay shows; null on the live board */
export function Counters(props: {
  figures: Figures | null
  compared: Compared | null
  metric: Metric
  shownMs: number | null
}) {
  const { figures, compared, metric, shownMs } = props
  const values = figures && counterValues(figures, metric)
  const isReplay = shownMs !== null
  return (
    <>
      <CounterCard name="total" metric={metric} isReplay={isReplay} value={values?.total ?? null} />
      <CounterCard name="today" metric={metric} isReplay={isReplay} value={values?.today ?? null}>
        {metric === 'amount' && compared && <Comparison {...compared} shownMs={shownMs} />}
      </CounterCard>
      <CounterCard name="online" metric={metric} isReplay={isReplay} value={values?.online ?? null}>
        {values && <OnlineShare share={shareOf(values.online, values.today)} isLive={!isReplay} />}
      </CounterCard>
    </>
  )
}

function CounterCard(props: {
  name: Counter
  metric: Metric
  isReplay: boolean
  value: number | null
  children?: ReactNode
}) {
  const { name, metric, isReplay, value, children } = props
  const t = useText('wallboard')
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.counter)} data-counter={name}>
      <h2>
        {isReplay ? t(`replay.${name}.${metric}`) : t(`counter.${name}.${metric}`)}
        {metric === 'amount' && <span>¥</span>}
      </h2>
      {value === null ? (
        <p data-part="digits" className={styles.digits}>
          –
        </p>
      ) : (
        <Digits key={metric} value={value} metric={metric} />
      )}
      {children}
    </section>
  )
}

/**
 * Written past React, and by a timer of the step's length: frames between two steps would show the same figures, and
 * rendering the board twenty times a second for three texts would cost more than everything else.
 */
const Digits = memo(function Digits({ value, metric }: { value: number; metric: Metric }) {
  const language = useLanguage()
  const whole = useRef<HTMLSpanElement>(null)
  const decimals = useRef<HTMLElement>(null)
  const shown = useRef(value)

  useLayoutEffect(() => {
    const write = (step: number) => {
      shown.current = step
      const parts =
        metric === 'amount' ? amountParts(step, language) : { whole: countText(step, language), decimals: '' }
      if (whole.current) whole.current.textContent = parts.whole
      if (decimals.current) decimals.current.textContent = parts.decimals
    }
    const from = shown.current
    if (from === value || prefersStillness()) return write(value)
    write(from)
    let elapsedMs = 0
    const timer = setInterval(() => {
      elapsedMs += COUNTER_STEP_MS
      const step = counterAt(from, value, elapsedMs)
      if (step !== shown.current) write(step)
      if (step === value) clearInterval(timer)
    }, COUNTER_STEP_MS)
    return () => clearInterval(timer)
  }, [value, metric, language])

  const text = metric === 'amount' ? amountParts(value, language).whole : countText(value, language)
  const style: CSSProperties & { '--ems': number } = { '--ems': emsOf(text) + (metric === 'amount' ? 1 : 0) }
  return (
    <p data-part="digits" className={styles.digits} style={style}>
      <span className={styles.digitsField}>
        <span ref={whole} />
        <small ref={decimals} />
      </span>
    </p>
  )
})

function Comparison({ thenFen, nowFen, shownMs }: Compared & { shownMs: number | null }) {
  const t = useText('wallboard')
  const language = useLanguage()
  const weekday = useLastWeekday(shownMs)
  const change = changeSince(thenFen, nowFen)
  if (change === null) return <p className={styles.counterNote}>{t('compare.none', { weekday })}</p>
  const tone = change < 0 ? 'falling' : 'rising'
  return (
    <p className={styles.counterNote} data-change={tone}>
      <span aria-hidden="true">{change < 0 ? '▼' : '▲'}</span>{' '}
      {t('compare.same', { weekday, change: changeText(change, language) })}
    </p>
  )
}

function OnlineShare({ share, isLive }: { share: number | null; isLive: boolean }) {
  const t = useText('wallboard')
  const language = useLanguage()
  if (share === null) return null
  const words = isLive ? 'counter.online' : 'replay.online'
  if (share === 1) return <p className={styles.counterNote}>{t(`${words}.all`)}</p>
  return <p className={styles.counterNote}>{t(`${words}.share`, { share: percentText(share, language) })}</p>
}
