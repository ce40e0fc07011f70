import { contentOf, listContentProducts } from '@aisle/contract/pickup/batch'
import { createContext, use, useDeferredValue, useId, useState } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { Combobox } from '../../ui/control/combobox'
import { useText } from '../../ui/text'
import styles from './pickup.module.css'

/** Told how many pieces a content has once products are picked, since the two must agree. */
export const QuantityContext = createContext<(quantity: number) => void>(() => undefined)

/** Product codes joined by an asterisk: typed or pasted, or looked up one by one. */
function Content(props: InputProps) {
  const { label, value, values, onChange } = props
  const t = useText('pickup')
  const tell = use(QuantityContext)
  const picker = useId()
  const [text, setText] = useState('')
  const [isAsked, setAsked] = useState(false)
  const q = useDeferredValue(text.trim())
  const merchantId = typeof values.merchantId === 'number' ? values.merchantId : null
  const found = useEndpoint(
    listContentProducts,
    { merchantId: merchantId ?? 0, ...(q ? { q } : {}) },
    { errors: 'silent', enabled: isAsked && merchantId !== null, staleTime: 30_000 },
  )
  const content = typeof value === 'string' ? value : ''
  const append = (code: string) => {
    const all = content.trim() === '' ? [code] : [...contentOf(content), code]
    onChange(all.join('*'))
    tell(all.length)
  }
  return (
    <div className={styles.content}>
      <input
        {...controlProps(props)}
        type="text"
        className="input-code"
        aria-label={label}
        autoComplete="off"
        value={content}
        onChange={({ target }) => onChange(target.value)}
      />
      <Combobox
        id={picker}
        label={t('content.pick')}
        word=""
        options={(found.data?.items ?? []).map(({ code, name, specification }) => ({
          value: code,
          word: name,
          note: `${code} ${specification}`.trim(),
        }))}
        isBusy={found.isFetching}
        isDisabled={merchantId === null}
        onSearch={(typed) => {
          setAsked(true)
          setText(typed)
        }}
        onPick={(option) => option && append(String(option.value))}
      />
    </div>
  )
}

export const ContentInput = groupInput(Content)
