import type { Figures } from '@aisle/contract/wallboard/board'
import { type CSSProperties, memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLanguage, useText } from '../../ui/text'
import type { Extras } from './board.state'
import { COUNTER_STEP_MS, counterAt } from './counter.rules'
import { type Counter, changeSince, counterValues, type Metric, shareOf } from './figures.rules'
import { amountParts, changeText, countText, percentText } from './format'
import { prefersStillness } from './motion'
import { useLastWeekday } from './weekday'

export function Counters(props: { figures: Figures | null; extras: Extras | null; metric: Metric }) {
  const { figures, extras, metric } = props
  const values = figures && counterValues(figures, metric)
  const isComparable = metric === 'amount' && values && extras
  return (
    <>
      <CounterCard name="total" metric={metric} value={values?.total ?? null} />
      <CounterCard name="today" metric={metric} value={values?.today ?? null}>
        {isComparable && <Comparison thenFen={extras.lastWeekSoFarFen} todayFen={values.today} />}
      </CounterCard>
      <CounterCard name="online" metric={metric} value={values?.online ?? null}>
        {values && <OnlineShare share={shareOf(values.online, values.today)} />}
      </CounterCard>
    </>
  )
}

function CounterCard(props: { name: Counter; metric: Metric; value: number | null; children?: ReactNode }) {
  const { name, metric, value, children } = props
  const t = useText('wallboard')
  return (
    <section className={`panel counter counter-${name}`}>
      <h2>
        {t(`counter.${name}.${metric}`)}
        {metric === 'amount' && <span>¥</span>}
      </h2>
      {value === null ? <p className="digits">–</p> : <Digits key={metric} value={value} metric={metric} />}
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
    <p className="digits" style={style}>
      <span className="digits-field">
        <span ref={whole} />
        <small ref={decimals} />
      </span>
    </p>
  )
})

/** How wide the text is at most, in ems of a bold sans serif, so that a longer number gets smaller instead of cut. */
const emsOf = (text: string) => [...text].reduce((ems, sign) => ems + (/\d/.test(sign) ? 0.71 : 0.39), 0)

function Comparison({ thenFen, todayFen }: { thenFen: number; todayFen: number }) {
  const t = useText('wallboard')
  const language = useLanguage()
  const weekday = useLastWeekday()
  const change = changeSince(thenFen, todayFen)
  if (change === null) return <p className="counter-note">{t('compare.none', { weekday })}</p>
  const tone = change < 0 ? 'falling' : 'rising'
  return (
    <p className={`counter-note ${tone}`}>
      <span aria-hidden="true">{change < 0 ? '▼' : '▲'}</span>{' '}
      {t('compare.same', { weekday, change: changeText(change, language) })}
    </p>
  )
}

function OnlineShare({ share }: { share: number | null }) {
  const t = useText('wallboard')
  const language = useLanguage()
  if (share === null) return null
  if (share === 1) return <p className="counter-note">{t('counter.online.all')}</p>
  return <p className="counter-note">{t('counter.online.share', { share: percentText(share, language) })}</p>
}
