import { type ListEndpoint, useWhole } from '../../admin/useList'
import type { Placeable } from '@aisle/contract/planogram/slot'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { useDeferredValue, useId, useState } from 'react'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { Picture } from '../../ui/picture'
import { useText } from '../../ui/text'
import { recommendedFirst } from './draft.rules'
import styles from './productPanel.module.css'
import { classes } from '../../ui/classes'

const MOST_SHOWN = 60

/**
 * Products to be dragged into slots, or put into the picked ones by a press. What the law forbids can't be taken, and
 * says why.
 */
export function ProductPanel<L extends ListEndpoint>(props: {
  list: L
  query: CallOf<L>
  /** The slots that a press fills. */
  picked: readonly string[]
  onDrag: (product: Placeable | null) => void
  onPlace: (product: Placeable) => void
}) {
  const { list, query, picked, onDrag, onPlace } = props
  const pickedCount = picked.length
  const t = useText('planogram')
  const id = useId()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const filter = { ...(query as object), ...(q ? { q } : {}) }
  const asked = { ...filter, pageSize: MOST_SHOWN }
  const found = useEndpoint(list, asked as CallOf<L>, { errors: 'throw', placeholderData: (before) => before })
  const products = recommendedFirst((found.data?.items ?? []) as unknown as readonly Placeable[], picked)
  const { total } = useWhole(list, filter as Record<string, string>).data ?? {}
  return (
    <section className={classes('list-card', styles.products)} aria-label={t('products')}>
      <label className={styles.search} htmlFor={id}>
        <span>{t('products')}</span>
        <input
          id={id}
          type="search"
          value={typed}
          maxLength={64}
          placeholder={t('products.search')}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <p className={classes('quiet', styles.how)}>
        {pickedCount > 0 ? t('products.place', { count: pickedCount }) : t('products.how')}
      </p>
      {found.error && !found.data && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {found.data && products.length === 0 && <p className={classes('quiet', styles.how)}>{t('products.nothing')}</p>}
      <ul className={styles.list} tabIndex={0} aria-label={t('products')} aria-busy={found.isFetching}>
        {products.map((product) => (
          <li key={product.id}>
            <ProductRow product={product} isReady={pickedCount > 0} onDrag={onDrag} onPlace={onPlace} />
          </li>
        ))}
      </ul>
      {typeof total === 'number' && total > products.length && (
        <p className={classes('quiet', styles.how)}>
          {t('products.more', { count: countText(total - products.length) })}
        </p>
      )}
    </section>
  )
}

function ProductRow(props: {
  product: Placeable
  isReady: boolean
  onDrag: (product: Placeable | null) => void
  onPlace: (product: Placeable) => void
}) {
  const { product, isReady, onDrag, onPlace } = props
  const t = useText('planogram')
  const { name, code, specification, picture, priceFen, unlawful, isInAssortment, recommendedFor, standsIn } = product
  const isForbidden = unlawful !== null
  return (
    <button
      type="button"
      data-part="product"
      className={styles.product}
      aria-disabled={isForbidden || !isReady}
      draggable={!isForbidden}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', code)
        event.dataTransfer.effectAllowed = 'copy'
        onDrag(product)
      }}
      onDragEnd={() => onDrag(null)}
      onClick={() => isReady && !isForbidden && onPlace(product)}
    >
      <Picture src={picture} size={36} />
      <span className={styles.productText}>
        <b>{name}</b>
        <span className="quiet">
          {[code, specification].filter(Boolean).join(' · ')} · <Money fen={priceFen} />
        </span>
        {recommendedFor.length > 0 && (
          <span className="tone-good">{t('products.recommended', { codes: recommendedFor.join(' ') })}</span>
        )}
        {standsIn > 0 && <span className="quiet">{t('products.standsIn', { count: standsIn })}</span>}
        {unlawful && <span className="fault">{t(`law.${unlawful}`)}</span>}
        {!isInAssortment && !unlawful && <span className="tone-warn">{t('products.outside')}</span>}
      </span>
    </button>
  )
}
