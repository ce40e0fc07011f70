import { getDeviceLink, requestSnapshot } from '@aisle/contract/device/link'
import { resumeSale, stopSale } from '@aisle/contract/device/operate'
import { getMachine, listMachines, rotateSecret, summariseMachines } from '@aisle/contract/fleet/machine'
import { machineOperation } from '@aisle/contract/fleet/states'
import { useState } from 'react'
import { CommandButton } from '../../admin/CommandButton'
import { useText } from '../../ui/text'
import type { MachineDetail } from './machine-drawer'
import { SecretOnce } from './secret-once'

const shown = [getMachine, listMachines, summariseMachines, getDeviceLink]

export function MachineVerbs({ machine: { id, code, name, operation } }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const words = useText('device')
  const [secret, setSecret] = useState<string | null>(null)
  const common = { target: { id }, vars: { code, name }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={stopSale}
        verb="stopSale"
        t={t}
        tone="danger"
        isEnabled={machineOperation.can(operation, 'stopSale')}
      />
      <CommandButton
        {...common}
        endpoint={resumeSale}
        verb="resumeSale"
        t={t}
        tone="main"
        isEnabled={machineOperation.can(operation, 'resumeSale')}
      />
      <CommandButton {...common} endpoint={requestSnapshot} verb="requestSnapshot" t={words} />
      <CommandButton
        {...common}
        endpoint={rotateSecret}
        verb="rotateSecret"
        t={t}
        tone="danger"
        onDone={(output) => setSecret(output.secret)}
      />
      {secret && <SecretOnce code={code} secret={secret} onClose={() => setSecret(null)} />}
    </>
  )
}
