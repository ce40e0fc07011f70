import { alarmFields } from '@aisle/contract/alarm/alarm'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  getRepairOrder,
  removeRepairPart,
  repairOrderFields,
  repairOrderState,
} from '@aisle/contract/maintenance/repairOrder'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { Scans } from '../../shelf/scansInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import { CaseSolutions } from '../../shelf/caseSolutions'
import { RepairVerbs, shownOrders } from './repairVerbs'
import styles from './maintenance.module.css'

export type RepairDetail = OutputOf<typeof getRepairOrder>

/** What is broken, whether it was seen to work again, what it cost, and who did what. */
export function RepairDrawer({ id }: DrawerRow) {
  const t = useText('maintenance')
  const result = useEndpoint(getRepairOrder, { id }, { errors: 'throw' })
  // A test vend that passes elsewhere changes nothing of the order itself.
  useLive({ topic: 'commands', also: [] }, [getRepairOrder])
  return (
    <RowDrawer
      result={result}
      title={({ problem }) => `#${id} ${problem}`}
      head={({ state, marks }) => (
        <div className="tags">
          <StateCell value={state} field={repairOrderFields.state} t={t} />
          {marks.length > 0 && <StatesCell value={marks} field={repairOrderFields.marks} t={t} />}
        </div>
      )}
      actions={(order) => <RepairVerbs order={order} />}
    >
      {(order) => (
        <>
          <OrderFacts order={order} />
          {order.tests.length > 0 && <Tests order={order} />}
          {order.alarms.length > 0 && <Alarms order={order} />}
          <CaseSolutions of="repairOrder" id={id} hasFault={order.alarms.length > 0} />
          <Parts order={order} />
          <Section title={t('section.story')}>
            <Story order={order} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function OrderFacts({ order }: { order: RepairDetail }) {
  const t = useText('maintenance')
  const { machineCode, pictures, dueOn, startedAt, doneAt, closedAt } = order
  return (
    <Section title={t('section.facts')}>
      <Facts
        facts={[
          {
            label: t('field.machineName'),
            value: (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                  {machineCode}
                </ScreenLink>{' '}
                {order.machineName}
              </>
            ),
          },
          { label: t('field.slots'), value: order.slots.join(', ') },
          { label: t('field.pointName'), value: order.pointName },
          { label: t('field.merchantName'), value: order.merchantName },
          { label: t('field.kind'), value: t(`kind.${order.kind}`) },
          { label: t('field.source'), value: t(`source.${order.source}`) },
          { label: t('field.planName'), value: order.planName },
          { label: t('field.assigneeName'), value: order.assigneeName },
          { label: t('field.dueOn'), value: dueOn && <Day on={dueOn} /> },
          { label: t('field.createdAt'), value: <When at={order.createdAt} /> },
          { label: t('field.createdBy'), value: order.createdBy },
          { label: t('field.startedAt'), value: startedAt && <When at={startedAt} /> },
          { label: t('field.doneAt'), value: doneAt && <When at={doneAt} /> },
          { label: t('field.closedAt'), value: closedAt && <When at={closedAt} /> },
          { label: t('field.solution'), value: order.solution },
          { label: t('field.cancelReason'), value: order.cancelReason },
          {
            label: t('field.pictures'),
            value: pictures.length > 0 ? <Scans pictures={pictures} label={t('field.pictures')} /> : null,
          },
        ]}
      />
    </Section>
  )
}

function Tests({ order: { id, tests, state, machineId } }: { order: RepairDetail }) {
  const t = useText('maintenance')
  const untested = tests.find(({ passedAt }) => !passedAt)?.slot ?? ''
  return (
    <Section title={t('section.tests')} note={t('section.tests.help')}>
      <ul className={styles.workLines}>
        {tests.map(({ slot, passedAt }) => (
          <li key={slot}>
            <strong>{slot || t('test.any')}</strong>
            <Tag
              tone={passedAt ? 'good' : repairOrderState.is(state, 'over') ? 'idle' : 'warn'}
              word={passedAt ? t('test.passed') : t('test.missing')}
            />
            {passedAt && <Ago at={passedAt} />}
          </li>
        ))}
      </ul>
      {repairOrderState.is(state, 'in_progress') && (
        <p>
          <ScreenLink screen="shj/jqcs" search={{ machine: String(machineId), order: String(id), slot: untested }}>
            {t('test.go')}
          </ScreenLink>
        </p>
      )}
    </Section>
  )
}

function Alarms({ order: { alarms } }: { order: RepairDetail }) {
  const t = useText('maintenance')
  const words = useText('alarm')
  return (
    <Section title={t('section.alarms')}>
      <ul className={styles.workLines}>
        {alarms.map(({ id, cause, slotCode, state, seenAt }) => (
          <li key={id}>
            <ScreenLink screen="shj/jqbj" search={{ open: String(id) }}>
              {[words(`cause.${cause}`), slotCode].filter(Boolean).join(' · ')}
            </ScreenLink>
            <StateCell value={state} field={alarmFields.state} t={words} />
            <Ago at={seenAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Parts({ order: { id, parts, costFen, state } }: { order: RepairDetail }) {
  const t = useText('maintenance')
  return (
    <Section title={t('section.parts')} note={parts.length > 0 && <Money fen={costFen} />}>
      {parts.length === 0 && <p className="quiet">{t('section.parts.empty')}</p>}
      <ul className={styles.workLines}>
        {parts.map((part) => (
          <li key={part.id}>
            <strong>{`${part.name} × ${part.quantity}`}</strong>
            <Money fen={part.costFen * part.quantity} />
            <Ago at={part.addedAt} />
            {!repairOrderState.is(state, 'over') && (
              <CommandButton
                endpoint={removeRepairPart}
                verb="removeRepairPart"
                t={t}
                tone="danger"
                target={{ id, part: part.id }}
                vars={{ name: part.name }}
                changes={shownOrders}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const tones: Record<string, Tone> = { finish: 'good', close: 'good', cancel: 'idle', resume: 'warn', add: 'warn' }

function Story({ order: { story } }: { order: RepairDetail }) {
  const t = useText('maintenance')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`event.${verb}`, { who: who ?? t('event.plan') }),
        detail: note,
        when: <Ago at={at} />,
      }))}
    />
  )
}
