import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { dateTimeFormat } from '@aisle/contract/kernel/formatters'
import { moneyText } from '@aisle/contract/kernel/text'
import type { getOverview } from '@aisle/contract/report/overview'
import { Money } from '../../ui/money'
import { currentLocale, type Text, useLanguage, useText } from '../../ui/text'
import { TimeChart } from '../../ui/chart/timeChart'
import styles from './report.module.css'

type Overview = OutputOf<typeof getOverview>

/** What was paid over time beside the time before; the same figures as a table. */
export function Trend({ overview }: { overview: Overview }) {
  const t = useText('report')
  const language = useLanguage()
  const { unit, trend } = overview
  const money = (fen: number) => moneyText(fen, language)
  const names = trend.map(({ at }) => nameOfTime(at, unit, t))
  const nameAt = (place: number) => names[place] ?? ''
  const pointsOf = (fen: (each: Overview['trend'][number]) => number) =>
    trend.map((each, at) => ({ at, value: fen(each) }))
  return (
    <TimeChart
      label={t('chart.trend')}
      fromZero
      lines={[
        { label: t('chart.now'), shape: 'bars', colour: '--primary', points: pointsOf((each) => each.paidFen) },
        { label: t('chart.before'), shape: 'line', colour: '--muted', points: pointsOf((each) => each.beforeFen) },
      ]}
      valueText={money}
      atText={nameAt}
      markText={nameAt}
    >
      <details className={styles.table} data-not-drawn>
        <summary>{t('chart.table')}</summary>
        <TrendTable overview={overview} names={names} />
      </details>
    </TimeChart>
  )
}

function TrendTable({ overview: { trend, unit }, names }: { overview: Overview; names: readonly string[] }) {
  const t = useText('report')
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('chart.time')}</th>
          <th scope="col">{t('field.orders')}</th>
          <th scope="col">{t('field.paidFen')}</th>
          {unit !== 'hour' && <th scope="col">{t('field.refundedFen')}</th>}
          <th scope="col">{t('chart.before')}</th>
        </tr>
      </thead>
      <tbody>
        {trend.map(({ at, orders, paidFen, refundedFen, beforeFen }, index) => (
          <tr key={at}>
            <th scope="row">{names[index]}</th>
            <td>{orders}</td>
            <td>
              <Money fen={paidFen} />
            </td>
            {refundedFen !== null && (
              <td>
                <Money fen={refundedFen} />
              </td>
            )}
            <td>
              <Money fen={beforeFen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A place of the trend as its axis names it. */
export function nameOfTime(at: string, unit: Overview['unit'], t: Text<'report'>): string {
  if (unit === 'hour') return t('chart.hour', { hour: Number(at) })
  return unit === 'month' ? at.slice(0, 7) : shortDay(at)
}

/** A period is at most a year: the year would say nothing and take the room. */
const shortDay = (day: string) =>
  dateTimeFormat(currentLocale(), { month: 'numeric', day: 'numeric', timeZone: 'UTC' }).format(Date.parse(day))
