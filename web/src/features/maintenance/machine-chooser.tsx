import { listMachines } from '@aisle/contract/fleet/machine'
import { useDeferredValue, useId, useState } from 'react'
import { useEndpoint } from '../../live/query'
import { Combobox } from '../../ui/combobox'
import { useText } from '../../ui/text'
import '../../admin/form/form.css'
import './maintenance.css'

/** Which machine is looked into, found by code, name or point. */
export function MachineChooser({ word, choose }: { word: string; choose: (id: number) => void }) {
  const t = useText('maintenance')
  const id = useId()
  const [text, setText] = useState('')
  const [isAsked, setAsked] = useState(false)
  const q = useDeferredValue(text.trim())
  const found = useEndpoint(listMachines, q ? { q } : {}, { errors: 'silent', enabled: isAsked, staleTime: 30_000 })
  return (
    <div className="field diagnosis-chooser">
      <label htmlFor={id} className="field-label">
        {t('field.machineName')}
      </label>
      <Combobox
        id={id}
        label={t('field.machineName')}
        word={word}
        options={(found.data?.items ?? []).map((machine) => ({
          value: machine.id,
          word: `${machine.code} ${machine.name}`,
          note: machine.pointName,
        }))}
        isBusy={found.isFetching || !isAsked}
        isRequired
        onSearch={(typed) => {
          setAsked(true)
          setText(typed)
        }}
        onPick={(option) => option && choose(Number(option.value))}
      />
    </div>
  )
}
