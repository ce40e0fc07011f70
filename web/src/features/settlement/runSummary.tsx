import { summariseRuns } from '@aisle/contract/settlement/run'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'
import { classes } from '../../ui/classes'

const figures = [
  { name: 'red', tone: 'bad', query: { light: 'red' } },
  { name: 'waiting', tone: 'idle', query: { state: 'waiting' } },
  { name: 'amber', tone: 'warn', query: { light: 'amber' } },
  { name: 'toClose', tone: 'warn', query: { state: 'closing' } },
] as const

/** What waits for somebody, and a light for each of the last days; each is a filter. */
export function RunSummary({ address }: { address: ListAddress }) {
  const t = useText('settlement')
  const { data } = useEndpoint(summariseRuns, {}, { errors: 'silent' })
  return (
    <>
      <Tally
        label={t('summary')}
        address={address}
        figures={figures.map((figure) => ({
          ...figure,
          word: t(`summary.${figure.name}`),
          count: data?.[figure.name],
        }))}
      />
      <ol className={styles.dayLights} aria-label={t('summary.days')} tabIndex={0}>
        {data?.days.map(({ day, light, openCount, runs }) => {
          const words = t('summary.day', { day, light: t(`light.${light}`), count: openCount })
          return (
            <li key={day}>
              <button
                type="button"
                className={classes(styles.dayLight, styles[`day-light-${light}`])}
                aria-label={words}
                aria-pressed={address.query.from === day && address.query.to === day}
                data-hint={words}
                disabled={runs === 0}
                onClick={() => address.show({ from: day, to: day })}
              >
                <small>{day.slice(5, 7)}</small>
                <span>{day.slice(8)}</span>
                <i aria-hidden="true" data-sign={signs[light]} />
              </button>
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** Told apart without colour, too. */
const signs = { none: '–', red: '!', amber: '…', green: '✓' }
