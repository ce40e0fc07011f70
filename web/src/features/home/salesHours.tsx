import { moneyText } from '@aisle/contract/kernel/text'
import { useLanguage, useText } from '../../ui/text'
import { TimeChart } from '../../ui/chart/timeChart'

type Hour = { fen: number; lastWeekFen: number }

/** Today by the hour beside the same weekday a week before; the same figures as a table for readers. */
export function SalesHours({ hours, present }: { hours: readonly Hour[]; present: number }) {
  const t = useText('home')
  const language = useLanguage()
  const money = (fen: number) => moneyText(fen, language)
  // What has not come yet is no zero.
  const today = hours.slice(0, present + 1).map(({ fen }, at) => ({ at, value: fen }))
  const then = hours.map(({ lastWeekFen }, at) => ({ at, value: lastWeekFen }))
  return (
    <TimeChart
      label={t('sales.chart')}
      fromZero
      lines={[
        { label: t('sales.today'), shape: 'bars', colour: '--primary', points: today },
        { label: t('sales.then'), shape: 'line', colour: '--muted', points: then },
      ]}
      valueText={money}
      atText={(hour) => (hour === present ? t('sales.hourSoFar', { hour }) : t('sales.hour', { hour }))}
      markText={(hour) => t('sales.hour', { hour })}
    >
      <div className="hidden-text">
        <table>
          <caption>{t('sales.chart')}</caption>
          <tbody>
            {hours.map(({ fen, lastWeekFen }, hour) => (
              <tr key={hour}>
                <th scope="row">{t('sales.hour', { hour })}</th>
                <td>{money(fen)}</td>
                <td>{money(lastWeekFen)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </TimeChart>
  )
}
