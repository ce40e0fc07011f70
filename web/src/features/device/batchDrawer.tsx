import { batchFields, cancelBatch, getBatch, listBatches, retryBatch } from '@aisle/contract/device/batch'
import { commandTones, listCommands } from '@aisle/contract/device/command'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { Progress } from './progress'
import styles from './device.module.css'

type Batch = OutputOf<typeof getBatch>
const shown = [getBatch, listBatches, listCommands]

/** How far it is, where it failed, and what may be done about it. */
export function BatchDrawer({ id }: DrawerRow) {
  const t = useText('device')
  const result = useEndpoint(getBatch, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ type, count }) => t('batch.title', { command: t(`command.${type}`), count: countText(count) })}
      head={({ progress }) => (
        <div className="tags">
          <StateCell value={progress} field={batchFields.progress} t={t} />
        </div>
      )}
      actions={(batch) => <BatchVerbs batch={batch} />}
    >
      {(batch) => (
        <>
          <BatchProgress batch={batch} />
          <Section title={t('command.asked')}>
            <BatchFacts batch={batch} />
          </Section>
          <Section title={t('batch.machines')}>
            <Machines batch={batch} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function BatchVerbs({ batch: { id, waiting, failed, expired } }: { batch: Batch }) {
  const t = useText('device')
  const common = { t, target: { id }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={retryBatch}
        verb="retryBatch"
        vars={{ count: failed + expired }}
        isEnabled={failed + expired > 0}
      />
      <CommandButton
        {...common}
        endpoint={cancelBatch}
        verb="cancelBatch"
        vars={{ count: waiting }}
        isEnabled={waiting > 0}
        tone="danger"
      />
    </>
  )
}

function BatchProgress({ batch }: { batch: Batch }) {
  const t = useText('device')
  const { id, byState, count } = batch
  return (
    <>
      <Progress
        label={t('batch.progress')}
        total={count}
        parts={byState.map((part) => ({ key: part.state, count: part.count, tone: commandTones[part.state] }))}
      />
      <ul data-part="state-counts" className={styles.stateCounts}>
        {byState.map(({ state, count: some }) => (
          <li key={state}>
            <Tag tone={commandTones[state]} word={t(`commandState.${state}`)} hint={t(`commandState.${state}.help`)} />
            <ScreenLink screen="shj/jqzc" search={{ part: 'commands', batchId: String(id), state }}>
              {countText(some)}
            </ScreenLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function BatchFacts({ batch }: { batch: Batch }) {
  const t = useText('device')
  const label = (name: string) => t.any(`field.${name}`)
  const { reason, createdBy, createdAt, expiresAt, cancelledAt, leftOut } = batch
  const left = leftOut.map(({ block, count }) => t('batch.leftOut', { why: t(`outcome.${block}`), count }))
  return (
    <Facts
      facts={[
        { label: label('reason'), value: reason },
        { label: label('createdBy'), value: createdBy },
        { label: label('createdAt'), value: <Ago at={createdAt} /> },
        { label: label('expiresAt'), value: expiresAt && <When at={expiresAt} /> },
        { label: label('cancelledAt'), value: cancelledAt && <When at={cancelledAt} /> },
        { label: label('leftOut'), value: left.join(' · ') },
      ]}
    />
  )
}

/** One by one: what was not done first, then what is under way. */
function Machines({ batch: { machines, count } }: { batch: Batch }) {
  const t = useText('device')
  return (
    <>
      <ul className={styles.failures}>
        {machines.map(({ id, machineCode, machineName, state, detail, at }) => (
          <li key={id}>
            <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
              {machineCode}
            </ScreenLink>
            <span>{machineName}</span>
            <Tag tone={commandTones[state]} word={t(`commandState.${state}`)} hint={t(`commandState.${state}.help`)} />
            <small className="quiet">
              <Ago at={at} />
              {detail && ` · ${t.or(`detail.${detail}`, detail)}`}
            </small>
          </li>
        ))}
      </ul>
      {count > machines.length && <p className="quiet">{t('batch.moreMachines', { count, shown: machines.length })}</p>}
    </>
  )
}
