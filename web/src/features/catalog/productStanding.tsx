import { MOST_STANDING } from '@aisle/contract/catalog/product'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { Figures } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { ShortList } from '../../ui/shortList'
import { useText } from '../../ui/text'
import styles from './product.module.css'
import type { Product } from './productDrawer'

/** Which slots of which machines hold it, and how many pieces are left in each. */
export function ProductStanding({ product }: { product: Product }) {
  const t = useText('catalog')
  const { standing, slotCount, stock } = product
  return (
    <div className={styles.parts}>
      <Figures
        facts={[
          { label: t('field.stock'), value: countText(stock) },
          { label: t('field.slotCount'), value: countText(slotCount) },
        ]}
      />
      <Section
        title={t('product.slots')}
        note={slotCount > MOST_STANDING && t('product.slots.first', { count: MOST_STANDING })}
      >
        <ShortList
          rows={standing.map((slot) => ({ ...slot, id: slot.slotId }))}
          none={t('product.slots.none')}
          says={({ machineId, machineCode, machineName, slotCode, isNext }) => (
            <>
              <MachineLink code={machineCode} />{' '}
              <ScreenLink screen="shj/hdgl" search={{ id: String(machineId) }}>
                {slotCode}
              </ScreenLink>{' '}
              <small className="quiet">
                {[machineName, isNext && t('product.slots.next')].filter(Boolean).join(' · ')}
              </small>
            </>
          )}
          ends={({ stock: left, capacity, priceFen }) => (
            <span className={styles.amount}>
              {left}/{capacity} · {priceFen === null ? '–' : <Money fen={priceFen} />}
            </span>
          )}
        />
      </Section>
    </div>
  )
}
