import { type Alarm, alarmFields, listAlarms } from '@aisle/contract/alarm/alarm'
import { Failure } from '../../../admin/failure'
import { ScreenLink } from '../../../admin/fields/ref'
import { StateCell } from '../../../admin/fields/state'
import { Ago } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { Section } from '../../../ui/feedback/drawer'
import { useText } from '../../../ui/text'
import styles from './machine.module.css'

/** What lasts, worst first, then what is over. */
export function MachineAlarms({ id, code }: { id: number; code: string }) {
  const t = useText('fleet')
  const lasting = useEndpoint(listAlarms, { machineId: id, phase: 'lasting', pageSize: 20 }, { errors: 'throw' })
  const over = useEndpoint(
    listAlarms,
    { machineId: id, phase: 'closed', sort: 'newest', pageSize: 10 },
    { errors: 'throw' },
  )
  const error = lasting.error ?? over.error
  if (error) return <Failure failure={error} retry={() => void lasting.refetch()} />
  if (!lasting.data || !over.data) return <div className="bone" />
  return (
    <div className={styles.live}>
      <Section title={t('alarms.lasting')}>
        <Alarms alarms={lasting.data.items} empty={t('alarms.none')} />
      </Section>
      <Section title={t('alarms.over')}>
        <Alarms alarms={over.data.items} empty={t('alarms.noneOver')} />
      </Section>
      <p>
        <ScreenLink screen="shj/jqbj" search={{ code, phase: 'all', sort: 'newest' }}>
          {t('alarms.all')}
        </ScreenLink>
      </p>
    </div>
  )
}

function Alarms({ alarms, empty }: { alarms: readonly Alarm[]; empty: string }) {
  const words = useText('alarm')
  if (alarms.length === 0) return <p className="quiet">{empty}</p>
  return (
    <ul className={styles.wire}>
      {alarms.map(({ id, cause, slotCode, level, detail, openedAt, closedAt }) => (
        <li key={id}>
          <span>{[words(`cause.${cause}`), slotCode].filter(Boolean).join(' ')}</span>
          <StateCell value={level} field={alarmFields.level} t={words} />
          <span className={styles.wireWhen}>
            <Ago at={closedAt ?? openedAt} />
          </span>
          {detail && <span className={styles.wireNote}>{detail}</span>}
        </li>
      ))}
    </ul>
  )
}
