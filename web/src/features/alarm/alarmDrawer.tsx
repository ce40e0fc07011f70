import {
  acknowledgeAlarms,
  alarmFields,
  assignAlarms,
  closeAlarms,
  getAlarm,
  listAlarms,
  summariseAlarms,
} from '@aisle/contract/alarm/alarm'
import { alarmState } from '@aisle/contract/alarm/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { addRepairOrder, repairOrderFields } from '@aisle/contract/maintenance/repairOrder'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { ScansInput } from '../../shelf/scansInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import { CaseSolutions } from '../../shelf/caseSolutions'
import { AssigneeInput } from './assigneeInput'
import styles from './alarm.module.css'

type Detail = OutputOf<typeof getAlarm>

/** What is wrong, what it costs and how that is counted, who did what, and the others that have it too. */
export function AlarmDrawer({ id }: DrawerRow) {
  const t = useText('alarm')
  const result = useEndpoint(getAlarm, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ cause, machineCode }) => `${t(`cause.${cause}`)} · ${machineCode}`}
      head={({ level, state }) => (
        <div className="tags">
          <StateCell value={level} field={alarmFields.level} t={t} />
          <StateCell value={state} field={alarmFields.state} t={t} />
        </div>
      )}
      actions={(alarm) => <AlarmVerbs alarm={alarm} />}
    >
      {(alarm) => (
        <>
          <AlarmFacts alarm={alarm} />
          <CaseSolutions of="alarm" id={id} />
          {alarm.others.length > 0 && <Others alarm={alarm} />}
          <Section title={t('section.story')}>
            <Story alarm={alarm} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** A machine's own code of an alarm stands where others have their slot. */
const slotOf = ({ cause, slotCode }: Detail): string => (cause === 'device' ? '' : slotCode)

function AlarmVerbs({ alarm }: { alarm: Detail }) {
  const t = useText('alarm')
  const work = useText('maintenance')
  const { id, state, others, repairOrderId, machineCode, cause, detail } = alarm
  const changes = [listAlarms, getAlarm, summariseAlarms]
  // Alone, there is no line to ask about.
  const target = { ids: [id], ...(others.length === 0 ? { wholeLine: false } : {}) }
  const common = { t, target, changes, initial: { wholeLine: true } }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={acknowledgeAlarms}
        verb="acknowledgeAlarms"
        tone="main"
        isEnabled={alarmState.can(state, 'acknowledge')}
      />
      <CommandButton
        {...common}
        endpoint={assignAlarms}
        verb="assignAlarms"
        inputs={{ assigneeId: AssigneeInput }}
        isEnabled={alarmState.can(state, 'assign')}
      />
      {repairOrderId === null && !alarmState.is(state, 'closed') && (
        <CommandButton
          endpoint={addRepairOrder}
          verb="addRepairOrder"
          t={work}
          target={{ alarmId: id, machineCode, kind: 'repair' }}
          fields={repairOrderFields}
          inputs={{ assigneeId: AssigneeInput, pictures: ScansInput }}
          names={['problem', 'slots', 'assigneeId', 'dueOn', 'pictures']}
          initial={{ problem: [t(`cause.${cause}`), detail].filter(Boolean).join(' · '), slots: slotOf(alarm) }}
          changes={changes}
        />
      )}
      <CommandButton
        {...common}
        endpoint={closeAlarms}
        verb="closeAlarms"
        tone="danger"
        isEnabled={alarmState.can(state, 'close')}
      />
    </>
  )
}

function AlarmFacts({ alarm }: { alarm: Detail }) {
  const t = useText('alarm')
  const { stakeFen, usualFenHour, closedAt, repairOrderId } = alarm
  return (
    <Facts
      facts={[
        { label: t('field.detail'), value: alarm.detail },
        {
          label: t('field.machineName'),
          value: (
            <>
              <ScreenLink screen="shj/wdshj" search={{ code: alarm.machineCode }}>
                {alarm.machineCode}
              </ScreenLink>{' '}
              {alarm.machineName}
            </>
          ),
        },
        { label: t('field.slotCode'), value: slotOf(alarm) },
        { label: t('field.pointName'), value: alarm.pointName },
        { label: t('field.merchantName'), value: alarm.merchantName },
        { label: t('field.openedAt'), value: <When at={alarm.openedAt} /> },
        { label: t('field.seenAt'), value: <When at={alarm.seenAt} /> },
        { label: t('field.count'), value: alarm.count },
        { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
        {
          label: t('field.stakeFen'),
          value: stakeFen !== null && usualFenHour !== null && (
            <>
              <Money fen={stakeFen} /> <small>{t('stake.of')}</small> <Money fen={usualFenHour} />
              <br />
              <small>{t('stake.how')}</small>
            </>
          ),
        },
        { label: t('field.assigneeName'), value: alarm.assigneeName },
        {
          label: t('field.repairOrderId'),
          value: repairOrderId !== null && (
            <ScreenLink screen="shj/bywx" search={{ open: String(repairOrderId) }}>{`#${repairOrderId}`}</ScreenLink>
          ),
        },
      ].map(({ label, value }) => ({ label, value: value === false ? null : value }))}
    />
  )
}

function Others({ alarm: { others } }: { alarm: Detail }) {
  const t = useText('alarm')
  return (
    <Section title={t('section.others', { count: others.length })} note={t('section.others.help')}>
      <ul className={styles.others}>
        {others.map(({ id, machineCode, machineName, slotCode, state, openedAt }) => (
          <li key={id}>
            <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
              {machineCode}
            </ScreenLink>
            <span>{[machineName, slotCode].filter(Boolean).join(' · ')}</span>
            <StateCell value={state} field={alarmFields.state} t={t} />
            <Ago at={openedAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Story({ alarm }: { alarm: Detail }) {
  const t = useText('alarm')
  const { story, closedAt, closedBy, openedAt, detail } = alarm
  const byRule: Moment[] =
    closedAt && closedBy === null
      ? [{ key: 'ended', tone: 'good', title: t('event.ended'), when: <Ago at={closedAt} /> }]
      : []
  const people = story.map(({ id, verb, who, assignee, note, at }): Moment => {
    const names = { who: who ?? t('event.gone'), assignee: assignee ?? t('event.gone') }
    return {
      key: String(id),
      tone: verb === 'close' ? 'good' : 'busy',
      title: t(`event.${verb}`, names),
      detail: note,
      when: <Ago at={at} />,
    }
  })
  const began: Moment = { key: 'began', tone: 'bad', title: t('event.began'), detail, when: <Ago at={openedAt} /> }
  return <Timeline moments={[...byRule, ...people, began]} />
}
