import {
  acknowledgeSystemAlarm,
  getSystemAlarm,
  listSystemAlarms,
  systemAlarmFields,
  systemAlarmState,
} from '@aisle/contract/audit/systemAlarm'
import { factText } from '@aisle/contract/kernel/changes'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'

export function SystemAlarmDrawer({ id }: DrawerRow) {
  const t = useText('audit')
  const result = useEndpoint(getSystemAlarm, { id }, { errors: 'throw' })
  const kindOf = (kind: string) => t.any(`alarmKind.${kind}`)
  return (
    <RowDrawer
      result={result}
      title={({ kind }) => kindOf(kind)}
      head={({ state }) => <StateCell value={state} field={systemAlarmFields.state} t={t} />}
      actions={({ kind, state }) => (
        <CommandButton
          endpoint={acknowledgeSystemAlarm}
          verb="acknowledgeSystemAlarm"
          target={{ id }}
          vars={{ kind: kindOf(kind) }}
          t={t}
          tone="main"
          isEnabled={systemAlarmState.can(state, 'acknowledge')}
          changes={[listSystemAlarms, getSystemAlarm]}
        />
      )}
    >
      {(alarm) => (
        <>
          <p>{t.any(`alarmKind.${alarm.kind}.help`)}</p>
          <Facts
            facts={[
              { label: t('field.cause'), value: alarm.cause },
              { label: t('field.openedAt'), value: <When at={alarm.openedAt} /> },
              { label: t('field.seenAt'), value: <When at={alarm.seenAt} /> },
              { label: t('field.closedAt'), value: alarm.closedAt && <When at={alarm.closedAt} /> },
              { label: t('field.acknowledgedBy'), value: alarm.acknowledgedBy },
              { label: t('alarm.acknowledgedAt'), value: alarm.acknowledgedAt && <When at={alarm.acknowledgedAt} /> },
              { label: t('field.note'), value: alarm.note },
            ]}
          />
          <Section title={t('alarm.facts')}>
            <Facts facts={Object.entries(alarm.facts).map(([label, value]) => ({ label, value: factText(value) }))} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}
