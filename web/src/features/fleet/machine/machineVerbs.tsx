import { getDeviceLink, requestSnapshot } from '@aisle/contract/device/link'
import { resumeSale, stopSale } from '@aisle/contract/device/operate'
import { allowCodes } from '@aisle/contract/fleet/guesses'
import { bringBackMachine, editMachine, retireMachine } from '@aisle/contract/fleet/machineForm'
import { getMachine, listMachines, rotateSecret, summariseMachines } from '@aisle/contract/fleet/machine'
import { listMachineStatus } from '@aisle/contract/fleet/machineStatus'
import { choiceOf, machineOperation } from '@aisle/contract/fleet/states'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { useText } from '../../../ui/text'
import { MachineSecret } from './firstContact'
import type { MachineDetail } from './machineDrawer'
import { fields, groups, initialOf, inputs } from './machineForm'

const shown = [getMachine, listMachines, listMachineStatus, summariseMachines, getDeviceLink]

export function MachineVerbs({ machine }: { machine: MachineDetail }) {
  const { id, code, name, operation, version, service } = machine
  const t = useText('fleet')
  const words = useText('device')
  const [secret, setSecret] = useState<string | null>(null)
  const common = { t, target: { id }, vars: { code, name }, changes: shown }
  const isRetired = service === 'retired'
  const { codesBlockedUntil, cardsBlockedUntil, prescriptionsBlockedUntil } = machine
  const isBlocked = [codesBlockedUntil, cardsBlockedUntil, prescriptionsBlockedUntil].some((until) => until !== null)
  const showSecret = (output: { secret: string }) => setSecret(output.secret)
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editMachine}
        verb="editMachine"
        target={{ id, version }}
        fields={fields}
        groups={groups}
        inputs={inputs}
        initial={initialOf(machine)}
        isEnabled={!isRetired}
      />
      {!isRetired && (
        <>
          <CommandButton
            {...common}
            endpoint={stopSale}
            verb="stopSale"
            tone="danger"
            isEnabled={machineOperation.can(choiceOf(operation), 'stopSale')}
          />
          <CommandButton
            {...common}
            endpoint={resumeSale}
            verb="resumeSale"
            tone="main"
            isEnabled={machineOperation.can(choiceOf(operation), 'resumeSale')}
          />
          {isBlocked && <CommandButton {...common} endpoint={allowCodes} verb="allowCodes" tone="main" />}
          <CommandButton {...common} endpoint={requestSnapshot} verb="requestSnapshot" t={words} />
        </>
      )}
      {!isRetired && (
        <CommandButton {...common} endpoint={rotateSecret} verb="rotateSecret" tone="danger" onDone={showSecret} />
      )}
      {!isRetired && <CommandButton {...common} endpoint={retireMachine} verb="retireMachine" tone="danger" />}
      {isRetired && (
        <CommandButton
          {...common}
          endpoint={bringBackMachine}
          verb="bringBackMachine"
          tone="main"
          onDone={showSecret}
        />
      )}
      {secret && <MachineSecret machine={machine} secret={secret} onClose={() => setSecret(null)} />}
    </>
  )
}
