import {
  getRollout,
  listRollouts,
  pauseRollout,
  resumeRollout,
  rollBackRollout,
  rolloutFields,
  rolloutState,
} from '@aisle/contract/device/software'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { detailText } from './commandDrawer'
import { Progress } from './progress'
import styles from './device.module.css'

type Detail = OutputOf<typeof getRollout>
const shown = [getRollout, listRollouts]

/** Wave by wave: which is out, how it goes, and what to do when it does not. */
export function RolloutDrawer({ id }: DrawerRow) {
  const t = useText('device')
  const result = useEndpoint(getRollout, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ version }) => t('software.title', { version })}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={rolloutFields.state} t={t} />
        </div>
      )}
      actions={(rollout) => <RolloutVerbs rollout={rollout} />}
    >
      {(rollout) => (
        <>
          {rolloutState.is(rollout.state, 'stopped') && (
            <p className={styles.rolloutStopped}>{t('software.stoppedItself')}</p>
          )}
          {!rollout.isWhole && <p className="quiet">{t('software.partly')}</p>}
          <Section title={t('software.waves')}>
            <Waves rollout={rollout} />
          </Section>
          <Section title={t('command.asked')}>
            <RolloutFacts rollout={rollout} />
          </Section>
          <Section title={t('batch.failures')}>
            <Failures rollout={rollout} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function RolloutVerbs({ rollout: { id, state, version, done } }: { rollout: Detail }) {
  const t = useText('device')
  const common = { t, target: { id }, vars: { version, count: done }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={pauseRollout}
        verb="pauseRollout"
        isEnabled={rolloutState.can(state, 'pause')}
      />
      <CommandButton
        {...common}
        endpoint={resumeRollout}
        verb="resumeRollout"
        isEnabled={rolloutState.can(state, 'resume')}
        tone="main"
      />
      <CommandButton
        {...common}
        endpoint={rollBackRollout}
        verb="rollBackRollout"
        isEnabled={rolloutState.can(state, 'rollBack')}
        tone="danger"
      />
    </>
  )
}

function Waves({ rollout: { byWave, waves, wave: current } }: { rollout: Detail }) {
  const t = useText('device')
  return (
    <ol className={styles.waves}>
      {byWave.map(({ wave, machines, open, done, failed, missed }) => (
        <li key={wave} aria-current={wave === current ? 'step' : undefined}>
          <span>
            {t('software.wave', { wave, percent: waves[wave - 1] ?? 100, count: countText(machines) })}
            {wave > current && <small className="quiet"> {t('software.later')}</small>}
          </span>
          <Progress
            label={t('software.wave', { wave, percent: waves[wave - 1] ?? 100, count: countText(machines) })}
            total={machines}
            parts={[
              { key: 'done', count: done, tone: 'good' },
              { key: 'failed', count: failed, tone: 'bad' },
              { key: 'missed', count: missed, tone: 'warn' },
              { key: 'open', count: machines - done - failed - missed, tone: open > 0 ? 'busy' : 'idle' },
            ]}
          />
          <small className="quiet">{t('software.counts', { done, failed, missed, open })}</small>
        </li>
      ))}
    </ol>
  )
}

function RolloutFacts({ rollout }: { rollout: Detail }) {
  const t = useText('device')
  const label = (name: string) => t.any(`field.${name}`)
  const { reason, createdBy, createdAt, packageVersionUrl, sha256, notes, failureLimitPercent } = rollout
  return (
    <Facts
      facts={[
        { label: label('reason'), value: reason },
        { label: label('failureLimitPercent'), value: `${failureLimitPercent} %` },
        { label: label('createdBy'), value: createdBy },
        { label: label('createdAt'), value: <Ago at={createdAt} /> },
        { label: label('url'), value: <code>{packageVersionUrl}</code> },
        { label: label('sha256'), value: <code>{sha256}</code> },
        { label: label('notes'), value: notes },
      ]}
    />
  )
}

function Failures({ rollout: { failures } }: { rollout: Detail }) {
  const t = useText('device')
  if (failures.length === 0) return <p className="quiet">{t('batch.noFailures')}</p>
  return (
    <ul className={styles.failures}>
      {failures.map(({ machineCode, machineName, wave, detail }) => (
        <li key={machineCode}>
          <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
            {machineCode}
          </ScreenLink>
          <span>{machineName}</span>
          <small className="quiet">
            {t('software.inWave', { wave })} {detail && detailText(detail, t)}
          </small>
        </li>
      ))}
    </ul>
  )
}
