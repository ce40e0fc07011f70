import { type Alarm, listAlarms, summariseAlarms } from '@aisle/contract/alarm/alarm'
import { alarmLevels } from '@aisle/contract/alarm/states'
import { screenOf } from '@aisle/contract/screens'
import { countText } from '../../admin/fields/number'
import { Ago } from '../../admin/fields/time'
import { useLive } from '../../admin/useList'
import { AppLink } from '../../admin/appLink'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Figure, PanelCard } from './panelCard'
import { REFRESH_MS } from './refresh'
import styles from './home.module.css'

const alarms = screenOf('shj/jqbj').path
const tones = { critical: 'bad', warning: 'warn', notice: undefined } as const
const SHOWN = 6

/** What is broken, the worst and dearest first, with what it costs so far: the figures of the list itself. */
export function BrokenPanel() {
  const t = useText('home')
  const words = useText('alarm')
  const summary = useEndpoint(summariseAlarms, {}, { errors: 'silent', refetchInterval: REFRESH_MS })
  const worst = useEndpoint(listAlarms, { pageSize: SHOWN }, { errors: 'silent', refetchInterval: REFRESH_MS })
  useLive({ topic: 'machines', also: [] }, [summariseAlarms, listAlarms])
  const { data } = summary
  const items = worst.data?.items ?? []
  return (
    <PanelCard title={t('panel.broken')} more={{ path: alarms, word: t('broken.open') }} found={summary}>
      {data && (
        <>
          <div className={styles.figures}>
            {alarmLevels.map((level) => (
              <Figure
                key={level}
                word={words(`level.${level}`)}
                path={`${alarms}?level=${level}`}
                {...(data[level] > 0 && tones[level] ? { tone: tones[level] } : {})}
              >
                {countText(data[level])}
              </Figure>
            ))}
          </div>
          {data.stakeFen > 0 && (
            <p data-part="dash-note" className={styles.note}>
              {t('broken.stake')}{' '}
              <AppLink path={alarms}>
                <Money fen={data.stakeFen} />
              </AppLink>
            </p>
          )}
          {worst.data && items.length === 0 && <p className="quiet">{t('broken.none')}</p>}
          <ul className={styles.list}>
            {items.map((each) => (
              <Line key={each.id} alarm={each} />
            ))}
          </ul>
        </>
      )}
    </PanelCard>
  )
}

function Line({ alarm }: { alarm: Alarm }) {
  const t = useText('home')
  const words = useText('alarm')
  const { id, machineCode, machineName, pointName, machines, cause, openedAt, stakeFen } = alarm
  return (
    <li>
      <AppLink path={`${alarms}?open=${id}`}>
        <span>
          <b>{words(`cause.${cause}`)}</b>{' '}
          {machines > 1 ? `${pointName} · ${t('broken.machines', { count: machines })}` : machineName}
        </span>
        <small>{machines > 1 ? '' : machineCode}</small>
        <span className={styles.aside}>
          <Ago at={openedAt} />
          {(stakeFen ?? 0) > 0 && <Money fen={stakeFen ?? 0} />}
        </span>
      </AppLink>
    </li>
  )
}
