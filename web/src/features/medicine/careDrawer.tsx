import {
  careFields,
  careState,
  correctCare,
  getCareTask,
  listCareTasks,
  signCare,
  summariseCare,
} from '@aisle/contract/medicine/care'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { MachineLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Timeline } from '../../ui/chart/timeline'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { type Text, useText } from '../../ui/text'

type Detail = OutputOf<typeof getCareTask>
const shown = [listCareTasks, getCareTask, summariseCare] as const

/** What lies where, what was measured there, and what was signed. */
export function CareDrawer({ id }: DrawerRow) {
  const t = useText('medicine')
  const result = useEndpoint(getCareTask, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, batch }) => `${productName} ${batch}`}
      head={({ state, kind, keyReasons, result: found }) => (
        <div className="tags">
          <StateCell value={state} field={careFields.state} t={t} />
          <StateCell value={kind} field={careFields.kind} t={t} />
          {keyReasons.length > 0 && <StatesCell value={keyReasons} field={careFields.keyReasons} t={t} />}
          {found && <StateCell value={found} field={careFields.result} t={t} />}
        </div>
      )}
      actions={(task) => <Verbs task={task} />}
    >
      {(task) => (
        <>
          <Known task={task} />
          {task.records.length > 0 && <Records task={task} />}
        </>
      )}
    </RowDrawer>
  )
}

function Verbs({ task }: { task: Detail }) {
  const t = useText('medicine')
  const { id, state, records, productName, batch } = task
  const common = { t, fields: careFields, vars: { name: productName, batch }, changes: shown }
  const [newest] = records
  return (
    <>
      <CommandButton
        {...common}
        endpoint={signCare}
        verb="signCare"
        tone="main"
        target={{ id }}
        initial={{ result: 'ok' }}
        isEnabled={careState.can(state, 'sign')}
      />
      {newest && (
        <CommandButton
          {...common}
          endpoint={correctCare}
          verb="correctCare"
          target={{ id, record: newest.id }}
          initial={{ result: newest.result, measures: newest.measures }}
        />
      )}
    </>
  )
}

export function rangeText(lowest: number | null, highest: number | null, unit: string): string | null {
  return lowest === null || highest === null ? null : `${countText(lowest)} – ${countText(highest)} ${unit}`
}

function Known({ task }: { task: Detail }) {
  const t = useText('medicine')
  const { machineCode, slots, producedOn, signedAt } = task
  return (
    <Section title={t('care.facts')}>
      <Facts
        facts={[
          { label: t('field.placeName'), value: task.placeName },
          { label: t('field.machineCode'), value: machineCode && <MachineLink code={machineCode} /> },
          { label: t('care.slots'), value: slots.map(({ code, quantity }) => `${code} × ${quantity}`).join(', ') },
          { label: t('field.quantity'), value: countText(task.quantity) },
          { label: t('field.specification'), value: task.specification },
          { label: t('field.storage'), value: task.storage && t(`storage.${task.storage}`) },
          { label: t('field.producedOn'), value: producedOn && <Day on={producedOn} /> },
          { label: t('field.expiresOn'), value: <Day on={task.expiresOn} /> },
          { label: t('care.since'), value: <Day on={task.since} /> },
          { label: t('field.dueOn'), value: <Day on={task.dueOn} /> },
          { label: t('care.temperature'), value: rangeText(task.lowestC, task.highestC, '°C') ?? t('care.noRecords') },
          { label: t('care.humidity'), value: rangeText(task.lowestHumidity, task.highestHumidity, '%') },
          { label: t('care.readings'), value: countText(task.readings) },
          { label: t('field.signedBy'), value: task.signedBy },
          { label: t('field.signedAt'), value: signedAt && <When at={signedAt} /> },
          { label: t('field.merchantName'), value: task.merchantName },
        ]}
      />
    </Section>
  )
}

const tones = { ok: 'good', hold: 'warn', scrap: 'bad' } as const

function Records({ task: { records } }: { task: Detail }) {
  const t = useText('medicine')
  return (
    <Section title={t('care.records')} note={t('care.records.help')}>
      <Timeline
        moments={records.map((each) => ({
          key: String(each.id),
          tone: each.correctedBy === null ? tones[each.result] : 'idle',
          title: t(each.correctedBy === null ? 'care.record' : 'care.record.corrected', {
            result: t(`careResult.${each.result}`),
            who: each.signedBy,
          }),
          detail: detailOf(each, t),
          when: <Ago at={each.signedAt} />,
        }))}
      />
    </Section>
  )
}

const detailOf = (record: Detail['records'][number], t: Text<'medicine'>): string =>
  [
    record.reason && t('care.record.reason', { reason: record.reason }),
    record.measures,
    t('care.record.quantity', { count: record.quantity }),
    rangeText(record.lowestC, record.highestC, '°C'),
    rangeText(record.lowestHumidity, record.highestHumidity, '%'),
  ]
    .filter(Boolean)
    .join(' · ')
