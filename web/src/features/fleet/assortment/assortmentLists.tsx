import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { useDeferredValue, useId, useState } from 'react'
import type { ListEndpoint, RowOf } from '../../../admin/useList'
import { useEndpoint } from '../../../live/query'
import { Combobox } from '../../../ui/control/combobox'
import { Icon } from '../../../ui/icons'
import { ShortList } from '../../../ui/shortList'
import { useText } from '../../../ui/text'

export type Named = { id: number; word: string; note?: string }

/** Looks something up by its name and adds it to a list, which does not hold it yet. */
export function AddNamed<L extends ListEndpoint>(props: {
  label: string
  list: L
  nameOf: (row: RowOf<L>) => Named
  has: readonly Named[]
  onAdd: (one: Named) => void
}) {
  const { label, list, nameOf, has, onAdd } = props
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const q = useDeferredValue((text ?? '').trim())
  const found = useEndpoint(list, (q ? { q } : {}) as CallOf<L>, {
    errors: 'silent',
    enabled: text !== null,
    staleTime: 30_000,
  })
  const rows: readonly RowOf<L>[] = found.data?.items ?? []
  const options = rows.map(nameOf).filter((each) => !has.some((one) => one.id === each.id))
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      <Combobox
        id={id}
        label={label}
        word=""
        isBusy={found.isFetching}
        options={options.map(({ id: value, word, note = '' }) => ({ value, word, note }))}
        onSearch={setText}
        onPick={(option) => {
          const one = options.find((each) => each.id === option?.value)
          if (one) onAdd(one)
        }}
      />
    </div>
  )
}

/** What the list holds, each with a way out of it. */
export function NamedList(props: { rows: readonly Named[]; none: string; drop: false | ((id: number) => void) }) {
  const { rows, none, drop } = props
  const t = useText('fleet')
  return (
    <ShortList
      rows={rows}
      none={none}
      says={({ word, note }) => (
        <>
          {word} {note && <small className="quiet">{note}</small>}
        </>
      )}
      ends={({ id, word }) =>
        drop && (
          <button
            type="button"
            className="icon-btn"
            aria-label={t('route.stop.drop', { code: word })}
            onClick={() => drop(id)}
          >
            <Icon name="close" size={16} />
          </button>
        )
      }
    />
  )
}
