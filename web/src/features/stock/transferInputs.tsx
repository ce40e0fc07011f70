import { listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { PickedLines } from '../../shelf/pickedLines'
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
  if (fromId === null) return <p className="quiet">{t('transfer.firstFrom')}</p>
  return (
    <PickedLines
      id={id}
      lines={Array.isArray(value) ? (value as Line[]) : []}
      keyOf={keyOf}
      offers={(data?.items ?? []).map(({ productId, batch, quantity, productName, specification }) => ({
        key: keyOf({ productId, batch }),
        word: [productName, specification, batch].filter(Boolean).join(' '),
        note: t('transfer.there', { count: quantity }),
        line: { productId, batch, quantity },
      }))}
      words={{
        quantity: t('field.quantity'),
        pick: t('transfer.pick'),
        remove: (name) => t('transfer.removeLine', { name }),
      }}
      isBusy={isFetching}
      onSearch={setText}
      onBlur={onBlur}
      onChange={onChange}
    />
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
