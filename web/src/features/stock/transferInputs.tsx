import { listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput, LinePicker, RemoveLine } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { useText } from '../../ui/text'

type Line = { productId: number; batch: string; quantity: unknown }
const keyOf = ({ productId, batch }: Pick<Line, 'productId' | 'batch'>) => `${productId}/${batch}`

/** What lies at the warehouse that it leaves, batch by batch. */
export const TransferLines = groupInput(function TransferLines({ id, value, values, onChange, onBlur }: InputProps) {
  const t = useText('stock')
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const fromId = typeof values.fromId === 'number' ? values.fromId : null
  const asked = { ...(fromId !== null && { warehouseId: fromId }), ...(q && { q }), pageSize: 50 }
  const { data, isFetching } = useEndpoint(listWarehouseStock, asked, { errors: 'silent', enabled: fromId !== null })
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const items = Array.isArray(value) ? (value as Line[]) : []
  const there = data?.items ?? []
  if (fromId === null) return <p className="quiet">{t('transfer.firstFrom')}</p>
  const nameOf = (line: Line) => names.get(keyOf(line)) ?? keyOf(line)
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
            name={t('transfer.removeLine', { name: nameOf(line) })}
            onRemove={() => onChange(items.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      <LinePicker
        id={id}
        word={t('transfer.pick')}
        count={items.length}
        options={there
          .filter((row) => !items.some((line) => keyOf(line) === keyOf(row)))
          .map((row) => ({
            value: row.id,
            word: [row.productName, row.specification, row.batch].filter(Boolean).join(' '),
            note: t('transfer.there', { count: row.quantity }),
          }))}
        isBusy={isFetching}
        onSearch={setText}
        onBlur={onBlur}
        onPick={(option) => {
          const row = there.find((each) => each.id === option?.value)
          if (!row) return
          const line = { productId: row.productId, batch: row.batch, quantity: row.quantity }
          setNames(new Map([...names, [keyOf(line), option?.word ?? '']]))
          onChange([...items, line])
        }}
      />
    </div>
  )
})

type Sent = { line: number; productName: string; batch: string; quantity: number }
type Counted = { line: number; arrived: unknown }

/** What was counted of each line; as many as were sent, until somebody says otherwise. */
export const ArrivedInput = groupInput(function ArrivedInput({ id, value, values, onChange }: InputProps) {
  const t = useText('stock')
  const sent = Array.isArray(values.sent) ? (values.sent as Sent[]) : []
  const counted = Array.isArray(value) ? (value as Counted[]) : []
  return (
    <div id={id} className={styles.rows}>
      {sent.map(({ line, productName, batch, quantity }) => (
        <div key={line} className={styles.row}>
          <span className={styles.what}>
            {[productName, batch].filter(Boolean).join(' ')}{' '}
            <small className="quiet">{t('transfer.sent', { count: quantity })}</small>
          </span>
          <LineInput
            kind="count"
            label={t('field.arrived')}
            name={`${t('field.arrived')} ${productName} ${batch}`}
            value={counted.find((each) => each.line === line)?.arrived}
            onChange={(arrived) => onChange(counted.map((each) => (each.line === line ? { ...each, arrived } : each)))}
          />
        </div>
      ))}
    </div>
  )
})
