import { batchFields, type listProductBatches } from '@aisle/contract/medicine/batch'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day } from '../../admin/fields/time'
import { ShortList } from '../../ui/shortList'
import { useText } from '../../ui/text'
import styles from './product.module.css'

export type Lying = OutputOf<typeof listProductBatches>

/** What of a medicine lies where, batch by batch; what ends first stands first. */
export function ProductBatches({ lying, code }: { lying: Lying; code: string }) {
  const t = useText('catalog')
  const medicine = useText('medicine')
  return (
    <div className={styles.parts}>
      <ShortList
        rows={lying.items}
        none={t('product.batches.none')}
        says={({ batchId, number, shown, kind, placeName, machineCode, slotCode }) => (
          <>
            {batchId === null ? (
              number
            ) : (
              <ScreenLink screen="ypgl/yppc" search={{ open: String(batchId) }}>
                {number}
              </ScreenLink>
            )}{' '}
            {shown && <StateCell value={shown} field={batchFields.shown} t={medicine} />}{' '}
            <small className="quiet">
              {machineCode && <MachineLink code={machineCode} />}{' '}
              {[slotCode, placeName || medicine(`placeKind.${kind}`)].filter(Boolean).join(' · ')}
            </small>
          </>
        )}
        ends={({ quantity, expiresOn }) => (
          <span className={styles.amount}>
            {countText(quantity)} · {expiresOn === null ? '–' : <Day on={expiresOn} />}
          </span>
        )}
      />
      {lying.items.length > 0 && (
        <ScreenLink screen="ypgl/yppc" search={{ productCode: code }}>
          {t('product.batches.all')}
        </ScreenLink>
      )}
    </div>
  )
}
