import { listDictionaryOptions } from '@aisle/contract/system/dictionary'
import type { ComponentType } from 'react'
import { controlProps, type InputProps } from '../admin/form/input'
import { useEndpoint } from '../live/query'
import { useText } from '../ui/text'

/** One of the data dictionary, as it is offered to the merchant of the form; what is offered no more reads as it is. */
export function dictionaryInput(type: string): ComponentType<InputProps> {
  return function DictionaryInput(props: InputProps) {
    const { value, values, onChange } = props
    const kit = useText('admin')
    const of = typeof values.merchantId === 'number' ? { merchantId: values.merchantId } : {}
    const found = useEndpoint(listDictionaryOptions, { type, ...of }, { errors: 'silent', staleTime: 60_000 })
    const options = found.data?.items ?? []
    const chosen = typeof value === 'string' ? value : ''
    const isOffered = chosen === '' || options.some(({ code }) => code === chosen)
    return (
      <select {...controlProps(props)} value={chosen} onChange={({ target }) => onChange(target.value)}>
        <option value="">{kit('form.none')}</option>
        {!isOffered && <option value={chosen}>{chosen}</option>}
        {options.map(({ code, word }) => (
          <option key={code} value={code}>
            {word}
          </option>
        ))}
      </select>
    )
  }
}
