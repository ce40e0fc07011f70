import { type Lying, listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { PickedLines } from '../../shelf/pickedLines'
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
  if (warehouseId === null) return <p className="quiet">{t('return.firstWarehouse')}</p>
  const noteOf = ({ quantity, expiresOn }: Lying) =>
    [t('return.there', { count: quantity }), expiresOn && t('return.until', { day: expiresOn })]
      .filter(Boolean)
      .join(' · ')
  return (
    <PickedLines
      id={id}
      lines={Array.isArray(value) ? (value as Line[]) : []}
      keyOf={keyOf}
      offers={[...(found.data?.items ?? [])].sort(byEnd).map((row) => ({
        key: keyOf(row),
        word: wordOf(row),
        note: noteOf(row),
        line: { productId: row.productId, batch: row.batch, quantity: null },
      }))}
      words={{
        quantity: t('field.quantity'),
        pick: t('return.pick'),
        remove: (name) => t('order.removeLine', { name }),
      }}
      isBusy={found.isFetching}
      onSearch={setText}
      onBlur={onBlur}
      onChange={onChange}
    />
  )
})
