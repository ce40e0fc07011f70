import { listMachineGroups } from '@aisle/contract/fleet/group'
import { listMachines } from '@aisle/contract/fleet/machine'
import { listPoints } from '@aisle/contract/fleet/point'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { type ComponentType, useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import type { ListEndpoint, RowOf } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Combobox, type PickOption } from '../../ui/control/combobox'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './pickup.module.css'

/** Several rows of a list: each one picked joins those above the field. */
function several<L extends ListEndpoint>(list: L, optionOf: (row: RowOf<L>) => PickOption): ComponentType<InputProps> {
  return groupInput(function Several(props: InputProps) {
    const { id, label, value, onChange, onBlur, isInvalid, isRequired, isLocked, describedBy } = props
    const t = useText('pickup')
    const [text, setText] = useState('')
    const [words, setWords] = useState<Readonly<Record<string, string>>>({})
    const [isAsked, setAsked] = useState(false)
    const q = useDeferredValue(text.trim())
    const input = { pageSize: 50, ...(q ? { q } : {}) } as unknown as CallOf<L>
    const found = useEndpoint(list, input, { errors: 'silent', enabled: isAsked, staleTime: 30_000 })
    const rows: readonly RowOf<L>[] = found.data?.items ?? []
    const ids = Array.isArray(value) ? value.map(Number) : []
    const pick = (option: PickOption | null) => {
      if (!option || ids.includes(Number(option.value))) return
      setWords({ ...words, [option.value]: option.word })
      onChange([...ids, Number(option.value)])
    }
    return (
      <div className={styles.places}>
        <Combobox
          {...{ id, label, onBlur, isInvalid, isRequired, describedBy }}
          word=""
          isDisabled={isLocked}
          options={rows.map(optionOf).filter((option) => !ids.includes(Number(option.value)))}
          isBusy={found.isFetching}
          onSearch={(typed) => {
            setAsked(true)
            setText(typed)
          }}
          onPick={pick}
        />
        {ids.length > 0 && (
          <ul aria-label={label}>
            {ids.map((each) => (
              <li key={each}>
                {words[each]}
                <button
                  type="button"
                  className="icon-btn"
                  aria-label={t('places.remove', { name: words[each] ?? '' })}
                  onClick={() => onChange(ids.filter((other) => other !== each))}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    )
  })
}

export const MachinesInput = several(listMachines, ({ id, code, name, pointName }) => ({
  value: id,
  word: `${code} ${name}`,
  note: pointName,
}))
export const PointsInput = several(listPoints, ({ id, name, city }) => ({ value: id, word: name, note: city }))
export const GroupsInput = several(listMachineGroups, ({ id, name, merchantName }) => ({
  value: id,
  word: name,
  note: merchantName,
}))
