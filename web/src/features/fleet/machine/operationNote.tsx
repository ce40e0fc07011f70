import { commandTones, listCommands } from '@aisle/contract/device/command'
import { resumeSale, stopSale } from '@aisle/contract/device/operate'
import { getMachine, listMachines, machineFields, summariseMachines } from '@aisle/contract/fleet/machine'
import { CommandButton } from '../../../admin/commandButton'
import { Ago } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { can } from '../../../live/session'
import { Tag } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import type { MachineDetail } from './machineDrawer'
import styles from './machine.module.css'
import { classes } from '../../../ui/classes'

const shown = [getMachine, listMachines, summariseMachines, listCommands]

/** A stop or start that its machine has not confirmed: what that means, how far its command is, and once more. */
export function OperationNote({ machine }: { machine: MachineDetail }) {
  const { operation, service } = machine
  if (service === 'retired' || (operation !== 'stop_wanted' && operation !== 'resume_wanted')) return null
  return <Wanted machine={machine} type={operation === 'stop_wanted' ? 'stop_sale' : 'resume_sale'} />
}

function Wanted({ machine, type }: { machine: MachineDetail; type: 'stop_sale' | 'resume_sale' }) {
  const t = useText('fleet')
  const words = useText('device')
  const { id, code, name, operation } = machine
  const mayRead = can(listCommands.access)
  const { data } = useEndpoint(
    listCommands,
    { machineId: id, type, pageSize: 1 },
    { errors: 'silent', enabled: mayRead },
  )
  const command = data?.items[0]
  const isOver = command && command.finishedAt !== null
  return (
    <div className={classes(styles.stale, styles.operationNote)} role="status">
      <p>{t.any(`${machineFields.operation.words}.${operation}.help`)}</p>
      {command && (
        <p>
          {words(`command.${type}`)}{' '}
          <Tag
            tone={commandTones[command.state]}
            word={words(`commandState.${command.state}`)}
            hint={words(`commandState.${command.state}.help`)}
          />{' '}
          <Ago at={command.finishedAt ?? command.receivedAt ?? command.sentAt ?? command.createdAt} />
          {command.detail && ` · ${words.or(`detail.${command.detail}`, command.detail)}`}
        </p>
      )}
      {isOver && (
        <CommandButton
          endpoint={type === 'stop_sale' ? stopSale : resumeSale}
          verb={type === 'stop_sale' ? 'stopSaleAgain' : 'resumeSaleAgain'}
          t={t}
          target={{ id }}
          vars={{ code, name }}
          changes={shown}
        />
      )}
    </div>
  )
}
