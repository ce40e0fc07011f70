import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { type ComponentType, useDeferredValue, useState } from 'react'
import { useEndpoint } from '../../live/query'
import { Combobox, type PickOption } from '../../ui/control/combobox'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import type { ListEndpoint, RowOf } from '../useList'
import styles from './form.module.css'
import type { InputProps } from './input'
import { groupInput } from './inputs'

/**
 * Several rows of a list: each one picked joins those above the field.
 * @param known words of those that were there before
 */
export function severalInput<L extends ListEndpoint>(
  list: L,
  optionOf: (row: RowOf<L>) => PickOption,
  known: Readonly<Record<string, string>> = {},
): ComponentType<InputProps> {
  return groupInput(function Several(props: InputProps) {
    const { id, label, value, onChange, onBlur, isInvalid, isRequired, isLocked, describedBy } = props
    const t = useText('admin')
    const [text, setText] = useState('')
    const [words, setWords] = useState(known)
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
      <div className={styles.several}>
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
                  aria-label={t('several.remove', { name: words[each] ?? '' })}
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
