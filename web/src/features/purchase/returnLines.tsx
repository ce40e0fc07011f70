import { type Lying, listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput, LinePicker, RemoveLine } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { useText } from '../../ui/text'

type Line = { productId: number; batch: string; quantity: unknown }
const keyOf = ({ productId, batch }: Pick<Line, 'productId' | 'batch'>) => `${productId}/${batch}`
const wordOf = ({ productName, specification, batch }: Lying) =>
  [productName, specification, batch].filter(Boolean).join(' ')
/** What ends first goes back first; what has no end stands behind. */
const byEnd = (a: Lying, b: Lying) => ((a.expiresOn ?? '9') < (b.expiresOn ?? '9') ? -1 : 1)

/** What lies at the warehouse, expired and locked batches too. */
export const ReturnLines = groupInput(function ReturnLines({ id, value, values, onChange, onBlur }: InputProps) {
  const t = useText('purchase')
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const warehouseId = typeof values.fromId === 'number' ? values.fromId : null
  const asked = { ...(warehouseId !== null && { warehouseId }), ...(q && { q }), pageSize: 100 }
  const found = useEndpoint(listWarehouseStock, asked, { errors: 'silent', enabled: warehouseId !== null })
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const items = Array.isArray(value) ? (value as Line[]) : []
  const there = [...(found.data?.items ?? [])].sort(byEnd)
  if (warehouseId === null) return <p className="quiet">{t('return.firstWarehouse')}</p>
  const nameOf = (line: Line) => names.get(keyOf(line)) ?? keyOf(line)
  const noteOf = ({ quantity, expiresOn }: Lying) =>
    [t('return.there', { count: quantity }), expiresOn && t('return.until', { day: expiresOn })]
      .filter(Boolean)
      .join(' · ')
  return (
    <div id={id} className={styles.rows}>
      {items.map((line, at) => (
        <div key={keyOf(line)} className={styles.row}>
          <span className={styles.what}>{nameOf(line)}</span>
          <LineInput
            kind="count"
            label={t('field.quantity')}
            name={`${t('field.quantity')} ${nameOf(line)}`}
            value={line.quantity}
            onChange={(quantity) => onChange(items.map((each, i) => (i === at ? { ...each, quantity } : each)))}
          />
          <RemoveLine
            name={t('order.removeLine', { name: nameOf(line) })}
            onRemove={() => onChange(items.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      <LinePicker
        id={id}
        word={t('return.pick')}
        count={items.length}
        options={there
          .filter((row) => !items.some((line) => keyOf(line) === keyOf(row)))
          .map((row) => ({ value: row.id, word: wordOf(row), note: noteOf(row) }))}
        isBusy={found.isFetching}
        onSearch={setText}
        onBlur={onBlur}
        onPick={(option) => {
          const row = there.find((each) => each.id === option?.value)
          if (!row) return
          const line = { productId: row.productId, batch: row.batch, quantity: null }
          setNames(new Map([...names, [keyOf(line), wordOf(row)]]))
          onChange([...items, line])
        }}
      />
    </div>
  )
})
