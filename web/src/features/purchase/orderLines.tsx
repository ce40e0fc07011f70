import { listSupplierProducts } from '@aisle/contract/purchase/supplierProduct'
import { useDeferredValue, useState } from 'react'
import { countText } from '../../admin/fields/number'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput, LinePicker, RemoveLine } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { yuanText } from '../../ui/amount'
import { useText } from '../../ui/text'

type Line = { supplierProductId: number; packs: unknown; priceFen: unknown }
/** What is said of a product beside what is typed of it. */
type Known = { name: string; packUnits: number; minimumPacks: number; listFen: number | null }
type Written = {
  supplierProductId: number
  productName: string
  specification: string
  packUnits: number
  minimumPacks: number
  listFen: number | null
}

const wordOf = (name: string, specification: string) => [name, specification].filter(Boolean).join(' ')

/** What the supplier delivers, with what its list asks; a price is typed only where another was agreed. */
export const OrderLines = groupInput(function OrderLines({ id, value, values, onChange, onBlur }: InputProps) {
  const t = useText('purchase')
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const supplierId = typeof values.supplierId === 'number' ? values.supplierId : null
  const asked = { ...(supplierId !== null && { supplierId }), ...(q && { q }), state: 'active' as const, pageSize: 50 }
  const found = useEndpoint(listSupplierProducts, asked, { errors: 'silent', enabled: supplierId !== null })
  const [picked, setPicked] = useState<ReadonlyMap<number, Known>>(() => knownIn(values.written))
  const lines = Array.isArray(value) ? (value as Line[]) : []
  if (supplierId === null) return <p className="quiet">{t('order.firstSupplier')}</p>
  const items = found.data?.items ?? []
  return (
    <div id={id} className={styles.rows}>
      {lines.map((line, at) => (
        <LineRow
          key={line.supplierProductId}
          line={line}
          known={picked.get(line.supplierProductId)}
          onChange={(change) => onChange(lines.map((each, i) => (i === at ? { ...each, ...change } : each)))}
          onRemove={() => onChange(lines.filter((_, i) => i !== at))}
        />
      ))}
      <LinePicker
        id={id}
        word={t('order.pick')}
        count={lines.length}
        options={items
          .filter((row) => !lines.some((line) => line.supplierProductId === row.id))
          .map((row) => ({
            value: row.id,
            word: wordOf(row.productName, row.specification),
            note: row.packFen === null ? t('order.noPrice') : `¥${yuanText(row.packFen)}`,
          }))}
        isBusy={found.isFetching}
        onSearch={setText}
        onBlur={onBlur}
        onPick={(option) => {
          const row = items.find((each) => each.id === option?.value)
          if (!row) return
          const { packUnits, minimumPacks, packFen: listFen } = row
          const known = { name: wordOf(row.productName, row.specification), packUnits, minimumPacks, listFen }
          setPicked(new Map([...picked, [row.id, known]]))
          onChange([...lines, { supplierProductId: row.id, packs: minimumPacks, priceFen: null }])
        }}
      />
    </div>
  )
})

type RowProps = {
  line: Line
  known: Known | undefined
  onChange: (change: Partial<Line>) => void
  onRemove: () => void
}

function LineRow({ line, known, onChange, onRemove }: RowProps) {
  const t = useText('purchase')
  const name = known?.name ?? String(line.supplierProductId)
  return (
    <div className={styles.row}>
      <span className={styles.what}>
        {name}
        {known && <small className="quiet">{saidOf(t, known, line)}</small>}
      </span>
      <LineInput
        kind="count"
        label={t('field.packs')}
        name={`${t('field.packs')} ${name}`}
        value={line.packs}
        onChange={(packs) => onChange({ packs })}
      />
      <LineInput
        kind="money"
        label={t('order.ownPrice')}
        name={`${t('order.ownPrice')} ${name}`}
        value={line.priceFen}
        onChange={(priceFen) => onChange({ priceFen })}
      />
      <RemoveLine name={t('order.removeLine', { name })} onRemove={onRemove} />
    </div>
  )
}

const knownIn = (written: unknown): ReadonlyMap<number, Known> =>
  new Map(
    (Array.isArray(written) ? (written as Written[]) : []).map(
      ({ supplierProductId, productName, specification, packUnits, minimumPacks, listFen }) => [
        supplierProductId,
        { name: wordOf(productName, specification), packUnits, minimumPacks, listFen },
      ],
    ),
  )

function saidOf(t: ReturnType<typeof useText<'purchase'>>, known: Known, { packs }: Line): string {
  const { packUnits, minimumPacks, listFen } = known
  const isFew = typeof packs === 'number' && packs < minimumPacks
  return [
    t('order.packOf', { units: countText(packUnits) }),
    listFen === null ? t('order.noPrice') : t('order.asked', { price: `¥${yuanText(listFen)}` }),
    t(isFew ? 'order.belowMinimum' : 'order.minimum', { packs: countText(minimumPacks) }),
  ].join(' · ')
}
