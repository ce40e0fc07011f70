import { addMachine } from '@aisle/contract/fleet/machineForm'
import { listMachines, summariseMachines } from '@aisle/contract/fleet/machine'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { MerchantInput } from '../../../admin/form/refInput'
import type { ListAddress } from '../../../admin/useAddress'
import { can } from '../../../live/session'
import { useText } from '../../../ui/text'
import { MachineSecret } from './firstContact'
import { fields, inputs } from './machineForm'
import { MachineImport } from './machineImport'

/** One machine by a few fields, or many by a sheet. */
export function AddMachines({ address }: { address: ListAddress }) {
  const t = useText('fleet')
  const [made, setMade] = useState<{ id: number; code: string; secret: string } | null>(null)
  const [isImporting, setImporting] = useState(false)
  const close = () => {
    const id = made?.id
    setMade(null)
    if (id) address.openRow(String(id), false)
  }
  return (
    <>
      {can(addMachine.access) && (
        <button type="button" className="btn" onClick={() => setImporting(true)}>
          {t('import')}
        </button>
      )}
      <CommandButton
        endpoint={addMachine}
        verb="addMachine"
        t={t}
        tone="main"
        fields={fields}
        names={[
          'code',
          'name',
          'merchantId',
          'pointId',
          'category',
          'licenceMode',
          'copyFromId',
          'layers',
          'slotsPerLayer',
        ]}
        initial={{ licenceMode: 'none', layers: 6, slotsPerLayer: 8 }}
        inputs={{ ...inputs, merchantId: MerchantInput }}
        without={({ copyFromId }) => (copyFromId ? ['layers', 'slotsPerLayer'] : [])}
        changes={[listMachines, summariseMachines]}
        onDone={setMade}
      />
      {made && <MachineSecret machine={made} secret={made.secret} onClose={close} />}
      {isImporting && <MachineImport onClose={() => setImporting(false)} />}
    </>
  )
}
