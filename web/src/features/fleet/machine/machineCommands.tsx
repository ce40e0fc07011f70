import { blockOf } from '@aisle/contract/device/block'
import {
  cancelCommand,
  commandTones,
  listCommands,
  type MachineCommand,
  sendCommand,
} from '@aisle/contract/device/command'
import { commandState } from '@aisle/contract/device/commands'
import { namesOf, type SendableType, sendableTypes } from '@aisle/contract/device/sendable'
import { choiceOf } from '@aisle/contract/fleet/states'
import { CommandButton } from '../../../admin/commandButton'
import { Failure } from '../../../admin/failure'
import { Ago } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { Tag } from '../../../ui/tag'
import { type Text, useText } from '../../../ui/text'
import { CommandTypeInput } from './commandTypeInput'
import type { MachineDetail } from './machineDrawer'
import styles from './machine.module.css'

const SHOWN = 20
const shown = [listCommands] as const

/** What was asked of the machine and what came of it; and what may be asked now. */
export function MachineCommands({ machine }: { machine: MachineDetail }) {
  const { id, code, name } = machine
  const t = useText('device')
  const fleet = useText('fleet')
  const { data, error, refetch } = useEndpoint(listCommands, { machineId: id, pageSize: SHOWN }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <div className={styles.live}>
      <div className="list-actions">
        <CommandButton
          endpoint={sendCommand}
          verb="sendCommand"
          t={fleet}
          target={{ id }}
          vars={{ code, name }}
          names={['type', 'hours', 'volume', 'brightness', 'reason']}
          inputs={{ type: CommandTypeInput }}
          barred={{ type: barredFor(machine, t) }}
          without={withoutData}
          changes={shown}
        />
      </div>
      {data.items.length === 0 && <p className="quiet">{t('link.commands.empty')}</p>}
      <ul className={styles.wire}>
        {data.items.map((each) => (
          <CommandLine key={each.id} command={each} />
        ))}
      </ul>
    </div>
  )
}

/** Of what people send, what this machine can't be asked now; of its licences the server knows. */
function barredFor(machine: MachineDetail, t: Text<'device'>): Record<string, string> {
  const { service, connection, operation } = machine
  const target = {
    isRetired: service === 'retired',
    connection,
    operation: choiceOf(operation),
    owesOperation: operation === 'stop_wanted' || operation === 'resume_wanted',
    isUnlicensed: false,
  }
  return Object.fromEntries(
    sendableTypes.flatMap((type) => {
      const block = blockOf(type, target)
      return block ? [[type, t(`outcome.${block}`)]] : []
    }),
  )
}

const dataNames = ['hours', 'volume', 'brightness'] as const
const isSendable = (value: unknown): value is SendableType => sendableTypes.some((type) => type === value)

function withoutData({ type }: Readonly<Record<string, unknown>>): readonly string[] {
  const takes = isSendable(type) ? namesOf(type) : []
  return dataNames.filter((name) => !takes.includes(name))
}

function CommandLine({ command }: { command: MachineCommand }) {
  const t = useText('device')
  const fleet = useText('fleet')
  const { id, type, state, reason, detail, createdBy, createdAt, sentAt, receivedAt, finishedAt } = command
  const who = createdBy ? t('link.by', { name: createdBy }) : t('link.bySystem')
  return (
    <li>
      <span>{t(`command.${type}`)}</span>
      <Tag tone={commandTones[state]} word={t(`commandState.${state}`)} hint={t(`commandState.${state}.help`)} />
      <span className={styles.wireWhen}>
        <Ago at={finishedAt ?? receivedAt ?? sentAt ?? createdAt} />
      </span>
      <span className={styles.wireNote}>
        {[
          who,
          reason && t.or(`commandReason.${reason}`, reason),
          detail ? t.or(`detail.${detail}`, detail) : t(`commandState.${state}.help`),
        ]
          .filter(Boolean)
          .join(' · ')}
        <br />
        {t(`command.${type}.does`)}
      </span>
      {commandState.can(state, 'cancel') && (
        <CommandButton endpoint={cancelCommand} verb="cancelCommand" t={fleet} target={{ id }} changes={shown} />
      )}
    </li>
  )
}
