import { listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { useDeferredValue, useState } from 'react'
import { dayText } from '../../ui/timeText'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { PickedLines } from '../../shelf/pickedLines'
import { currentLocale, useText } from '../../ui/text'

type Line = { productId: number; quantity: unknown }
type Known = { productId: number; productName: string; specification: string }
const wordOf = ({ productName, specification }: Omit<Known, 'productId'>) => `${productName} ${specification}`.trim()

/** Products that lie at the warehouse; of which batch is found when it is picked. */
export const WantedLines = groupInput(function WantedLines({ id, value, values, onChange, onBlur }: InputProps) {
  const t = useText('stock')
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const warehouseId = typeof values.warehouseId === 'number' ? values.warehouseId : null
  const asked = { ...(warehouseId !== null && { warehouseId }), ...(q && { q }), pageSize: 100 }
  const found = useEndpoint(listWarehouseStock, asked, { errors: 'silent', enabled: warehouseId !== null })
  if (warehouseId === null) return <p className="quiet">{t('transfer.firstFrom')}</p>
  const goods = new Map<number, { word: string; count: number }>()
  for (const row of found.data?.items ?? []) {
    const count = (goods.get(row.productId)?.count ?? 0) + row.quantity
    goods.set(row.productId, { word: wordOf(row), count })
  }
  return (
    <PickedLines
      id={id}
      lines={Array.isArray(value) ? (value as Line[]) : []}
      keyOf={({ productId }) => String(productId)}
      known={new Map(knownIn(values.known).map((one) => [String(one.productId), wordOf(one)]))}
      offers={[...goods].map(([productId, { word, count }]) => ({
        key: String(productId),
        word,
        note: t('transfer.there', { count }),
        line: { productId, quantity: count },
      }))}
      words={{
        quantity: t('field.quantity'),
        pick: t('transfer.pick'),
        remove: (name) => t('transfer.removeLine', { name }),
      }}
      isBusy={found.isFetching}
      onSearch={setText}
      onBlur={onBlur}
      onChange={onChange}
    />
  )
})

const knownIn = (known: unknown): Known[] => (Array.isArray(known) ? (known as Known[]) : [])

type Lot = Known & { batch: string; expiresOn: string | null; quantity: number }
type Said = { productId: number; batch: string; quantity: unknown }

/** How many of each lot; as many as there are, until somebody says otherwise. */
export const LotsInput = groupInput(function LotsInput({ id, value, values, onChange }: InputProps) {
  const t = useText('stock')
  const lots = knownIn(values.known) as Lot[]
  const said = Array.isArray(value) ? (value as Said[]) : []
  const isOf = (lot: Lot) => (one: Said) => one.productId === lot.productId && one.batch === lot.batch
  if (lots.length === 0) return <p className="quiet">{t('outbound.noLots')}</p>
  return (
    <div id={id} className={styles.rows}>
      {lots.map((lot) => (
        <div key={`${lot.productId}/${lot.batch}`} className={styles.row}>
          <span className={styles.what}>
            {wordOf(lot)}{' '}
            <small className="quiet">
              {[
                lot.batch,
                lot.expiresOn && dayText(lot.expiresOn, currentLocale()),
                t('transfer.there', { count: lot.quantity }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
          <LineInput
            kind="count"
            label={t('field.quantity')}
            name={`${t('field.quantity')} ${lot.productName} ${lot.batch}`.trim()}
            value={said.find(isOf(lot))?.quantity}
            onChange={(quantity) => onChange(said.map((each) => (isOf(lot)(each) ? { ...each, quantity } : each)))}
          />
        </div>
      ))}
    </div>
  )
})
