import type { FieldDay } from '@aisle/contract/field/visit'
import { Picture } from '../../../ui/picture'
import { useText } from '../../../ui/text'
import styles from './phone.module.css'

/** What is loaded for each order of the day, first expiry first, and what the bag holds by now. */
export function PickList({ day }: { day: FieldDay }) {
  const t = useText('field')
  const lists = [
    ...day.orders.map(({ no, warehouseName, picks }) => ({ title: `${no} · ${warehouseName}`, lots: picks })),
    { title: t('phone.bag'), lots: day.bag },
  ]
  return (
    <>
      {lists.map(({ title, lots }) => (
        <section key={title}>
          <h2 className={styles.title}>{title}</h2>
          {lots.length === 0 && <p className={styles.note}>{t('phone.nothing')}</p>}
          <ul className={styles.list}>
            {lots.map(({ productId, batch, quantity }) => {
              const product = day.products.find(({ id }) => id === productId)
              const expiresOn = product?.batches.find((each) => each.batch === batch)?.expiresOn
              return (
                <li key={`${productId}/${batch}`} className={styles.row}>
                  <Picture src={product?.picture ?? null} size={48} />
                  <span className={styles.grow}>
                    {product?.name} {product?.specification}
                    <small className={styles.faint}>{[batch, expiresOn].filter(Boolean).join(' · ')}</small>
                  </span>
                  <strong>{quantity}</strong>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </>
  )
}
