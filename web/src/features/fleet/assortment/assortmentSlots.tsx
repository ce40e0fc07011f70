import { MOST_RECOMMENDED } from '@aisle/contract/fleet/assortment'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import type { Named } from './assortmentLists'
import styles from './assortment.module.css'

export type Wish = { code: string; productId: number }

/** Which of the products is recommended for which slot. */
export function SlotWishes(props: {
  wishes: readonly Wish[]
  products: readonly Named[]
  isLocked: boolean
  onChange: (wishes: Wish[]) => void
}) {
  const { wishes, products, isLocked, onChange } = props
  const t = useText('fleet')
  const change = (at: number, part: Partial<Wish>) =>
    onChange(wishes.map((wish, each) => (each === at ? { ...wish, ...part } : wish)))
  const [first] = products
  return (
    <>
      {wishes.length === 0 && <p className="quiet">{t('assortment.slots.none')}</p>}
      {wishes.map(({ code, productId }, at) => (
        // By its place: the code is what is being typed.
        <div key={at} className={styles.wish}>
          <input
            type="text"
            aria-label={t('assortment.slot.code', { place: at + 1 })}
            maxLength={12}
            value={code}
            disabled={isLocked}
            onChange={({ target }) => change(at, { code: target.value })}
          />
          <select
            aria-label={t('assortment.slot.product', { place: at + 1 })}
            value={productId}
            disabled={isLocked}
            onChange={({ target }) => change(at, { productId: Number(target.value) })}
          >
            {products.map(({ id, word }) => (
              <option key={id} value={id}>
                {word}
              </option>
            ))}
          </select>
          {!isLocked && (
            <button
              type="button"
              className="icon-btn"
              aria-label={t('route.stop.drop', { code: code || String(at + 1) })}
              onClick={() => onChange(wishes.filter((_, each) => each !== at))}
            >
              <Icon name="close" size={16} />
            </button>
          )}
        </div>
      ))}
      {!isLocked && (
        <div>
          <button
            type="button"
            className="btn"
            disabled={!first || wishes.length >= MOST_RECOMMENDED}
            onClick={() => first && onChange([...wishes, { code: '', productId: first.id }])}
          >
            {t('assortment.slot.add')}
          </button>
        </div>
      )}
    </>
  )
}
