import { cancelCommand, commandFields, getCommand, listCommands } from '@aisle/contract/device/command'
import { commandState } from '@aisle/contract/device/commands'
import { lineText, saidText } from '@aisle/contract/device/said'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { currentLanguage, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import styles from './device.module.css'

type Detail = OutputOf<typeof getCommand>

/** What was asked, how it went from here to the machine, and what the machine sent back. */
export function CommandDrawer({ id }: DrawerRow) {
  const t = useText('device')
  const result = useEndpoint(getCommand, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ type, machineCode }) => `${t(`command.${type}`)} ${machineCode}`}
      head={({ state, lateState }) => (
        <div className="tags">
          <StateCell value={state} field={commandFields.state} t={t} />
          {lateState && <StateCell value={lateState} field={commandFields.lateState} t={t} />}
        </div>
      )}
      actions={({ state, machineCode, createdBy }) => (
        <CommandButton
          endpoint={cancelCommand}
          verb="cancelCommand"
          t={t}
          target={{ id }}
          vars={{ code: machineCode }}
          isEnabled={commandState.can(state, 'cancel') && createdBy !== null}
          changes={[getCommand, listCommands]}
        />
      )}
    >
      {(command) => (
        <>
          <Asked command={command} />
          <Section title={t('command.life')}>
            <Timeline moments={lifeOf(command, t)} />
          </Section>
          {command.result && <Result result={command.result} />}
        </>
      )}
    </RowDrawer>
  )
}

function Asked({ command }: { command: Detail }) {
  const t = useText('device')
  const label = (name: string) => t.any(`field.${name}`)
  const { machineCode, machineName, merchantName, type, reason, createdBy, batchId, expiresAt, data } = command
  return (
    <Section title={t('command.asked')}>
      <Facts
        facts={[
          {
            label: label('machineCode'),
            value: (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
                  {machineCode}
                </ScreenLink>{' '}
                {machineName}
              </>
            ),
          },
          { label: label('merchantName'), value: merchantName },
          { label: t('command.effect'), value: t(`command.${type}.does`) },
          { label: label('reason'), value: reason && t.or(`commandReason.${reason}`, reason) },
          { label: label('createdBy'), value: createdBy ?? t('link.bySystem') },
          {
            label: label('batchId'),
            value: batchId && (
              <ScreenLink screen="shj/jqzc" search={{ part: 'batches', open: String(batchId) }}>
                {String(batchId)}
              </ScreenLink>
            ),
          },
          { label: label('expiresAt'), value: <When at={expiresAt} /> },
          { label: label('data'), value: wordsOf(data, t) },
        ]}
      />
    </Section>
  )
}

const wordsOf = (data: Record<string, unknown>, t: ReturnType<typeof useText<'device'>>): string =>
  saidText(data, t, (fen) => moneyText(fen, currentLanguage()))

function lifeOf(command: Detail, t: ReturnType<typeof useText<'device'>>): Moment[] {
  const { createdAt, sentAt, receivedAt, finishedAt, state, lateState, detail, expiresAt } = command
  const isOver = finishedAt !== null
  const moments: (Moment | false)[] = [
    { key: 'queued', tone: 'idle', title: t('commandState.queued'), when: <Ago at={createdAt} /> },
    sentAt !== null && { key: 'sent', tone: 'busy', title: t('commandState.sent'), when: <Ago at={sentAt} /> },
    receivedAt !== null && {
      key: 'received',
      tone: 'busy',
      title: t('commandState.received'),
      when: <Ago at={receivedAt} />,
    },
    isOver && {
      key: 'over',
      tone: commandFields.state.tones[state] ?? 'idle',
      title: t(`commandState.${state}`),
      detail: detail ? detailText(detail, t) : t(`commandState.${state}.help`),
      when: <Ago at={finishedAt} />,
    },
    lateState !== null && {
      key: 'late',
      tone: 'warn',
      title: t(`lateState.${lateState}`),
      detail: t(`lateState.${lateState}.help`),
      when: '',
    },
    !isOver && {
      key: 'expires',
      tone: 'idle',
      title: t('command.expires'),
      when: <When at={expiresAt} />,
    },
  ]
  return moments.filter((moment) => moment !== false)
}

/** Machines say why in words of the protocol; what no catalog knows is shown as it is. */
export const detailText = (detail: string, t: ReturnType<typeof useText<'device'>>): string =>
  t.or(`detail.${detail}`, detail)

function Result({ result }: { result: Record<string, unknown> }) {
  const t = useText('device')
  const { photo, lines, ...rest } = result
  const isPhoto = typeof photo === 'string' && /^data:image\/(png|jpeg);base64,/.test(photo)
  return (
    <Section title={t('command.result')}>
      {isPhoto && <img className={styles.machinePhoto} src={photo} alt={t('command.photo')} />}
      {Array.isArray(lines) && (
        <pre className={styles.machineLog} tabIndex={0}>
          {lines.map((line) => lineText(String(line), t)).join('\n')}
        </pre>
      )}
      {Object.keys(rest).length > 0 && <p>{wordsOf(rest, t)}</p>}
    </Section>
  )
}
