import { listSlots } from '@aisle/contract/fleet/machine'
import { ComingVisits } from '../place/comingVisits'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { useEndpoint } from '../../../live/query'
import { Picture } from '../../../ui/picture'
import { useText } from '../../../ui/text'
import { stockByProduct } from './planogram.rules'
import styles from './machine.module.css'
import { classes } from '../../../ui/classes'

/** What is in it, product by product, what runs out first on top: what the filler packs. */
export function MachineStock({ id }: { id: number }) {
  const { data, error, refetch } = useEndpoint(listSlots, { id }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <>
      <ComingVisits machineId={id} />
      <Products products={stockByProduct(data.items)} />
    </>
  )
}

function Products({ products }: { products: ReturnType<typeof stockByProduct> }) {
  const t = useText('fleet')
  if (products.length === 0) return <p className="quiet">{t('planogram.empty')}</p>
  return (
    <ul className={classes(styles.wire, styles.wireStock)}>
      {products.map(({ code, name, picture, stock, capacity, slots }) => (
        <li key={code}>
          <span className={styles.wireProduct}>
            <Picture src={picture} size={32} />
            {name}
          </span>
          <meter
            min={0}
            max={Math.max(1, capacity)}
            value={Math.max(0, stock)}
            aria-label={t('planogram.stock', { stock, capacity })}
          />
          <span className={styles.wireWhen}>
            {countText(stock)} / {countText(capacity)}
          </span>
          <span className={styles.wireNote}>{[code, slots.join(' ')].join(' · ')}</span>
        </li>
      ))}
    </ul>
  )
}
