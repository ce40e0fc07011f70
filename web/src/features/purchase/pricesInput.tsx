import { MOST_PRICES, type SupplierPrice } from '@aisle/contract/purchase/supplierProduct'
import { businessDay } from '../../ui/days'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useNow } from '../../live/clock'
import { useText } from '../../ui/text'
import { LineInput, RemoveLine } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'

const columns = [
  { name: 'fromOn', kind: 'day' },
  { name: 'toOn', kind: 'day' },
  { name: 'fromPacks', kind: 'count' },
  { name: 'priceFen', kind: 'money' },
] as const

/** A price a line, each from a day on and from so many packs on. */
export const PricesInput = groupInput(function PricesInput({ id, value, onChange }: InputProps) {
  const t = useText('purchase')
  const today = businessDay(useNow(60_000))
  const prices = Array.isArray(value) ? (value as SupplierPrice[]) : []
  const put = (at: number, change: Partial<Record<keyof SupplierPrice, unknown>>) =>
    onChange(prices.map((price, i) => (i === at ? { ...price, ...change } : price)))
  return (
    <div id={id} className={styles.rows}>
      {prices.map((price, at) => (
        // Prices are told by where they stand while they are typed.
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells them apart
        <div key={at} className={styles.row}>
          {columns.map(({ name, kind }) => (
            <LineInput
              key={name}
              kind={kind}
              label={t(`prices.${name}`)}
              name={t('prices.line', { at: at + 1, what: t(`prices.${name}`) })}
              value={price[name]}
              onChange={(typed) => put(at, { [name]: typed })}
            />
          ))}
          <RemoveLine
            name={t('prices.remove', { at: at + 1 })}
            onRemove={() => onChange(prices.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      {prices.length < MOST_PRICES && (
        <button
          type="button"
          className="btn"
          onClick={() => onChange([...prices, { fromOn: today, toOn: null, fromPacks: 1, priceFen: null }])}
        >
          {t('prices.add')}
        </button>
      )}
    </div>
  )
})
