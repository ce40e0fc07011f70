import { moneyText } from '@aisle/contract/kernel/text'
import { useLanguage, useText } from '../../ui/text'
import { TimeBars } from '../../ui/chart/timeBars'

type Hour = { fen: number; lastWeekFen: number }

/** Today by the hour beside the same weekday a week before; the same figures as a table for readers. */
export function SalesHours({ hours, present }: { hours: readonly Hour[]; present: number }) {
  const t = useText('home')
  const language = useLanguage()
  const money = (fen: number) => moneyText(fen, language)
  return (
    <TimeBars
      label={t('sales.chart')}
      keys={{ now: t('sales.today'), before: t('sales.then') }}
      topText={money}
      points={hours.map(({ fen, lastWeekFen }, hour) => ({
        key: String(hour),
        name: t('sales.hour', { hour }),
        value: fen,
        before: lastWeekFen,
        hint: [
          t('sales.hour', { hour }),
          `${t('sales.today')} ${money(fen)}`,
          `${t('sales.then')} ${money(lastWeekFen)}`,
        ].join(' · '),
        isOpen: hour === present,
      }))}
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
    </TimeBars>
  )
}
