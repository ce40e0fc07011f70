import type { CallOf, Endpoint } from '@aisle/contract/kernel/endpoint'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { type ComponentType, useDeferredValue, useState } from 'react'
import { useEndpoint } from '../../live/query'
import { Combobox, type PickOption } from '../../ui/control/combobox'
import type { ListEndpoint, RowOf } from '../useList'
import type { InputProps } from './input'

/**
 * An input that looks rows up in a list by its `q`. What is picked goes by the option's value; the word of a value that
 * was there before comes from `wordOf` of the form's values, else it reads as it is.
 */
export function refInput<L extends ListEndpoint>(declared: {
  list: L
  optionOf: (row: RowOf<L>) => PickOption
  query?: Record<string, unknown> | ((values: InputProps['values']) => Record<string, unknown>)
  wordOf?: (values: InputProps['values']) => string | undefined
}): ComponentType<InputProps> {
  const { list, optionOf, query = {}, wordOf } = declared
  return function RefInput(props: InputProps) {
    const [text, setText] = useState('')
    const [picked, setPicked] = useState<PickOption | null>(null)
    const [isAsked, setAsked] = useState(false)
    const q = useDeferredValue(text.trim())
    const narrowed = typeof query === 'function' ? query(props.values) : query
    const found = useEndpoint(list, { ...narrowed, ...(q ? { q } : {}) } as CallOf<Endpoint> as CallOf<L>, {
      errors: 'silent',
      enabled: isAsked,
      staleTime: 30_000,
    })
    const rows: readonly RowOf<L>[] = found.data?.items ?? []
    return (
      <Picker
        {...props}
        word={
          picked?.value === props.value ? (picked?.word ?? '') : (wordOf?.(props.values) ?? String(props.value ?? ''))
        }
        options={rows.map(optionOf)}
        isBusy={found.isFetching}
        onSearch={(typed) => {
          setAsked(true)
          setText(typed)
        }}
        onPick={setPicked}
      />
    )
  }
}

/** What an input is told of the form that it stands in, where it stands in none. */
export const ofNoForm = {
  onBlur: () => undefined,
  isInvalid: false,
  isLocked: false,
  isRequired: false,
  hasFocus: false,
  describedBy: undefined,
  field: undefined,
  schema: undefined,
}

/** Any merchant in sight, told by the way down to it. */
export function MerchantInput(props: InputProps) {
  const [text, setText] = useState('')
  const { data, isFetching } = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 60_000 })
  const merchants = data?.items ?? []
  const byId = new Map(merchants.map((each) => [each.id, each]))
  const wayTo = (id: number | null): string => {
    const one = id === null ? undefined : byId.get(id)
    const above = one && wayTo(one.parentId)
    return one ? (above ? `${above} / ${one.name}` : one.name) : ''
  }
  const wanted = text.trim().toLowerCase()
  const options = merchants
    .filter(({ code, name }) => `${code} ${name}`.toLowerCase().includes(wanted))
    .slice(0, MOST_SHOWN)
    .map(({ id, code, state }) => ({
      value: id,
      word: wayTo(id),
      note: code,
      barred: state === 'stopped' ? ('stopped' as const) : undefined,
    }))
  const word = typeof props.value === 'number' ? wayTo(props.value) : ''
  return <Picker {...props} word={word} options={options} isBusy={isFetching} onSearch={setText} />
}

const MOST_SHOWN = 50

type PickerProps = InputProps & {
  word: string
  options: readonly PickOption[]
  isBusy: boolean
  onSearch: (text: string) => void
  onPick?: (option: PickOption | null) => void
}

function Picker({ word, options, isBusy, onSearch, onPick, ...input }: PickerProps) {
  const { id, label, isLocked, isInvalid, isRequired, hasFocus, describedBy, onChange, onBlur } = input
  return (
    <Combobox
      {...{ id, label, word, options, isBusy, isInvalid, isRequired, hasFocus, describedBy, onSearch, onBlur }}
      isDisabled={isLocked}
      onPick={(option) => {
        onPick?.(option)
        onChange(option?.value ?? null)
      }}
    />
  )
}
