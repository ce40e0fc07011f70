import { type LyingGoods, listLyingGoods } from '@aisle/contract/stock/writeOff'
import { useDeferredValue, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { PickedLines } from '../../shelf/pickedLines'
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
  const noteOf = (row: LyingGoods) => t('writeOff.there', { place: placeOf(row), count: row.quantity })
  return (
    <PickedLines
      id={id}
      lines={Array.isArray(value) ? (value as Line[]) : []}
      keyOf={keyOf}
      offers={(data?.items ?? []).map((row) => ({
        key: keyOf(row),
        word: wordOf(row),
        note: noteOf(row),
        small: noteOf(row),
        line: { placeId: row.placeId, productId: row.productId, batch: row.batch, quantity: null },
      }))}
      words={{
        quantity: t('field.quantity'),
        pick: t('writeOff.pick'),
        remove: (name) => t('writeOff.removeLine', { name }),
      }}
      isBusy={isFetching}
      onSearch={setText}
      onBlur={onBlur}
      onChange={onChange}
    />
  )
})
