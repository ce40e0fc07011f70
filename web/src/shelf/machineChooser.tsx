import { listMachines } from '@aisle/contract/fleet/machine'
import { useDeferredValue, useId, useState } from 'react'
import { useEndpoint } from '../live/query'
import { Combobox } from '../ui/control/combobox'
import styles from './machineChooser.module.css'
import { classes } from '../ui/classes'

/** Which machine a page is about, found by code, name or point. @param word the one that is chosen, '' for none */
export function MachineChooser(props: { label: string; word: string; choose: (id: number) => void }) {
  const { label, word, choose } = props
  const id = useId()
  const [text, setText] = useState('')
  const [isAsked, setAsked] = useState(false)
  const q = useDeferredValue(text.trim())
  const found = useEndpoint(
    listMachines,
    { sort: 'code', ...(q ? { q } : {}) },
    { errors: 'silent', enabled: isAsked, staleTime: 30_000 },
  )
  return (
    <div className={classes('field', styles.chooser)}>
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      <Combobox
        id={id}
        label={label}
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
