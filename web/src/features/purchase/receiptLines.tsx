import { getPurchaseOrder, type PurchaseLine } from '@aisle/contract/purchase/order'
import { listSupplierProducts } from '@aisle/contract/purchase/supplierProduct'
import { useDeferredValue, useState } from 'react'
import { countText } from '../../admin/fields/number'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { CodesArea } from '../../shelf/codesArea'
import { LineInput, LinePicker, RemoveLine } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { useText } from '../../ui/text'

type Line = Record<'productId', number> & Record<string, unknown>
type Offered = { id: number; word: string; note: string; isMedicine: boolean; line: Line }

const empty = { batch: '', producedOn: null, expiresOn: null, damaged: 0, refused: 0, reason: '' }

/** All that is missing of a line, as if it had come whole. */
export function lineFrom({ productId, pieces, received, waiting }: PurchaseLine): Line {
  const open = Math.max(0, pieces - received - waiting)
  return { ...empty, productId, announced: open, counted: open, temperatureC: null, codes: [] }
}

const wordOf = (name: string, specification: string) => [name, specification].filter(Boolean).join(' ')

/** What can have come: the goods of the order, or what the supplier delivers. */
function useOffered({ orderId, supplierId }: InputProps['values'], q: string): { offered: Offered[]; isBusy: boolean } {
  const t = useText('purchase')
  const ofOrder = typeof orderId === 'number'
  const order = useEndpoint(getPurchaseOrder, { id: Number(orderId) }, { errors: 'silent', enabled: ofOrder })
  const ofSupplier = !ofOrder && typeof supplierId === 'number'
  const asked = { supplierId: Number(supplierId), state: 'active' as const, pageSize: 50, ...(q && { q }) }
  const listed = useEndpoint(listSupplierProducts, asked, { errors: 'silent', enabled: ofSupplier })
  if (ofOrder) {
    const offered = (order.data?.lines ?? []).map((line) => ({
      id: line.productId,
      word: wordOf(line.productName, line.specification),
      note: t('order.came', { received: countText(line.received), pieces: countText(line.pieces) }),
      isMedicine: line.isMedicine,
      line: lineFrom(line),
    }))
    return { offered, isBusy: order.isFetching }
  }
  const offered = (ofSupplier ? (listed.data?.items ?? []) : []).map((row) => ({
    id: row.productId,
    word: wordOf(row.productName, row.specification),
    note: row.productCode,
    isMedicine: row.isMedicine,
    line: { ...empty, productId: row.productId, announced: null, counted: null, temperatureC: null, codes: [] },
  }))
  return { offered, isBusy: listed.isFetching }
}

/** A line for each batch that came: counted, damaged, refused, with its days and codes. */
export const ReceiptLines = groupInput(function ReceiptLines({ id, value, values, onChange, onBlur }: InputProps) {
  const t = useText('purchase')
  const [text, setText] = useState('')
  const { offered, isBusy } = useOffered(values, useDeferredValue(text.trim()))
  const [names, setNames] = useState<ReadonlyMap<number, Offered>>(new Map())
  const lines = Array.isArray(value) ? (value as Line[]) : []
  if (!values.orderId && !values.supplierId) return <p className="quiet">{t('receipt.first')}</p>
  const known = (productId: number) => names.get(productId) ?? offered.find((each) => each.id === productId)
  return (
    <div id={id} className={styles.rows}>
      {lines.map((line, at) => (
        <LineRow
          // The same product may come in several batches, which are being typed.
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells them apart
          key={at}
          at={at}
          line={line}
          name={known(line.productId)?.word ?? String(line.productId)}
          isMedicine={known(line.productId)?.isMedicine ?? true}
          onChange={(change) => onChange(lines.map((each, i) => (i === at ? { ...each, ...change } : each)))}
          onRemove={() => onChange(lines.filter((_, i) => i !== at))}
        />
      ))}
      <LinePicker
        id={id}
        word={t('receipt.pick')}
        count={lines.length}
        options={offered
          .filter(({ word }) => word.toLowerCase().includes(text.trim().toLowerCase()))
          .map(({ id: value, word, note }) => ({ value, word, note }))}
        isBusy={isBusy}
        onSearch={setText}
        onBlur={onBlur}
        onPick={(option) => {
          const picked = offered.find((each) => each.id === option?.value)
          if (!picked) return
          setNames(new Map([...names, [picked.id, picked]]))
          onChange([...lines, picked.line])
        }}
      />
    </div>
  )
})

const columns = [
  { name: 'batch', kind: 'text' },
  { name: 'producedOn', kind: 'day' },
  { name: 'expiresOn', kind: 'day' },
  { name: 'announced', kind: 'count' },
  { name: 'counted', kind: 'count' },
  { name: 'damaged', kind: 'count' },
  { name: 'refused', kind: 'count' },
  { name: 'reason', kind: 'text' },
  { name: 'temperatureC', kind: 'count' },
] as const

type RowProps = {
  at: number
  line: Line
  name: string
  isMedicine: boolean
  onChange: (change: Record<string, unknown>) => void
  onRemove: () => void
}

function LineRow({ at, line, name, isMedicine, onChange, onRemove }: RowProps) {
  const t = useText('purchase')
  const called = t('prices.line', { at: at + 1, what: name })
  const codes = Array.isArray(line.codes) ? line.codes.map(String) : []
  const asked = columns.filter((column) => isMedicine || column.name !== 'temperatureC')
  return (
    <div className={styles.row}>
      <span className={styles.what}>{name}</span>
      {asked.map((column) => (
        <LineInput
          key={column.name}
          kind={column.kind}
          label={t(`field.${column.name}`)}
          name={`${called}: ${t(`field.${column.name}`)}`}
          value={line[column.name]}
          onChange={(typed) => onChange({ [column.name]: typed })}
        />
      ))}
      {isMedicine && (
        <div className={styles.what}>
          <small className="quiet">
            {t('field.codes')} ({countText(codes.length)})
          </small>
          <CodesArea
            rows={2}
            aria-label={`${called}: ${t('field.codes')}`}
            codes={codes}
            onCodes={(scanned) => onChange({ codes: scanned })}
          />
        </div>
      )}
      <RemoveLine name={t('prices.remove', { at: at + 1 })} onRemove={onRemove} />
    </div>
  )
}
