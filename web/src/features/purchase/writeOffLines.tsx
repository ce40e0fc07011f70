import { type LyingGoods, listLyingGoods } from '@aisle/contract/stock/writeOff'
import { useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput, LinePicker, RemoveLine } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { useText } from '../../ui/text'

type Line = { placeId: number; productId: number; batch: string; quantity: unknown }
type Spot = Pick<Line, 'placeId' | 'productId' | 'batch'>
const keyOf = ({ placeId, productId, batch }: Spot) => `${placeId}/${productId}/${batch}`

const placeOf = ({ placeName, machineCode, slotCode }: LyingGoods) =>
  [placeName, machineCode, slotCode].filter(Boolean).join(' ')
const wordOf = ({ productName, specification, batch }: LyingGoods) =>
  [productName, specification, batch].filter(Boolean).join(' ')

/** What lies in stores, bags and slots; what ends first is offered first. */
export const WriteOffLines = groupInput(function WriteOffLines({ id, value, onChange, onBlur }: InputProps) {
  const t = useText('stock')
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const { data, isFetching } = useEndpoint(listLyingGoods, { ...(q && { q }), pageSize: 50 }, { errors: 'silent' })
  const [names, setNames] = useState<ReadonlyMap<string, { word: string; note: string }>>(new Map())
  const items = Array.isArray(value) ? (value as Line[]) : []
  const there = data?.items ?? []
  const noteOf = (row: LyingGoods) => t('writeOff.there', { place: placeOf(row), count: row.quantity })
  return (
    <div id={id} className={styles.rows}>
      {items.map((line, at) => {
        const { word, note } = names.get(keyOf(line)) ?? { word: keyOf(line), note: '' }
        return (
          <div key={keyOf(line)} className={styles.row}>
            <span className={styles.what}>
              {word}
              <small className="quiet">{note}</small>
            </span>
            <LineInput
              kind="count"
              label={t('field.quantity')}
              name={`${t('field.quantity')} ${word}`}
              value={line.quantity}
              onChange={(quantity) => onChange(items.map((each, i) => (i === at ? { ...each, quantity } : each)))}
            />
            <RemoveLine
              name={t('writeOff.removeLine', { name: word })}
              onRemove={() => onChange(items.filter((_, i) => i !== at))}
            />
          </div>
        )
      })}
      <LinePicker
        id={id}
        word={t('writeOff.pick')}
        count={items.length}
        options={there
          .filter((row) => !items.some((line) => keyOf(line) === keyOf(row)))
          .map((row) => ({ value: row.id, word: wordOf(row), note: noteOf(row) }))}
        isBusy={isFetching}
        onSearch={setText}
        onBlur={onBlur}
        onPick={(option) => {
          const row = there.find((each) => each.id === option?.value)
          if (!row) return
          const { placeId, productId, batch } = row
          setNames(new Map([...names, [keyOf(row), { word: wordOf(row), note: noteOf(row) }]]))
          onChange([...items, { placeId, productId, batch, quantity: null }])
        }}
      />
    </div>
  )
})
