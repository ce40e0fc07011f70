import { listSlots } from '@aisle/contract/fleet/machine'
import type { SlotState } from '@aisle/contract/fleet/states'
import { countSlots } from '@aisle/contract/planogram/slot'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { ScreenLink } from '../../../admin/fields/ref'
import { Ago } from '../../../admin/fields/time'
import { can } from '../../../live/session'
import { useEndpoint } from '../../../live/query'
import { ProductLink } from '../../../shelf/productLink'
import { Money } from '../../../ui/money'
import { Picture } from '../../../ui/picture'
import type { Tone } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import type { MachineDetail } from './machineDrawer'
import { layersOf, missingPieces, stockTone, worthFen } from './planogram.rules'
import styles from './planogram.module.css'
import { classes } from '../../../ui/classes'

export type Slot = OutputOf<typeof listSlots>['items'][number]

const tones: Record<SlotState, Tone> = {
  normal: 'good',
  abnormal: 'idle',
  fault: 'bad',
  out_of_stock: 'bad',
  reserved_only: 'busy',
  price_abnormal: 'warn',
  stopped_sale: 'idle',
  offline: 'idle',
}

/** The cabinet as one stands before it: shelf by shelf, what lies where, how much of it is left. */
export function Planogram({ machine: { id, code, service } }: { machine: MachineDetail }) {
  const t = useText('fleet')
  const { data, error, refetch } = useEndpoint(listSlots, { id }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <CabinetShape />
  const drifting = data.items.filter(({ stockDrift }) => stockDrift)
  if (data.items.length === 0) return <p className="quiet">{t('planogram.empty')}</p>
  const layers = layersOf(data.items)
  return (
    <>
      <p className={styles.sum}>
        <span>
          {t('planogram.worth')} <Money fen={worthFen(data.items)} />
        </span>
        <span>{t('planogram.missing', { count: countText(missingPieces(data.items)) })}</span>
        {drifting.length > 0 && (
          <span className="tone-warn">
            {t('planogram.drifts', { count: countText(drifting.length) })} <Ago at={data.reportedAt} />
          </span>
        )}
        {service !== 'retired' && can(countSlots.access) && (
          <>
            <ScreenLink screen="shj/hdgl" search={{ id: String(id) }}>
              {t('planogram.edit')}
            </ScreenLink>
            <ScreenLink screen="shj/hdgl" search={{ id: String(id), ask: 'count' }}>
              {t('planogram.count')}
            </ScreenLink>
          </>
        )}
      </p>
      <div className={styles.cabinet} role="group" aria-label={t('planogram.label', { code })} tabIndex={0}>
        {layers.map(({ layer, slots }) => (
          <section key={layer} className={styles.shelf} aria-label={t('planogram.layer', { layer })}>
            <ul>
              {slots.map((slot) => (
                <SlotBox key={slot.code} slot={slot} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function SlotBox({ slot }: { slot: Slot }) {
  const t = useText('fleet')
  const { code, state, productId, productName, picture, priceFen, stock, capacity, stockDrift, reportedStock } = slot
  const missing = missingPieces([slot])
  const word = t(`slotState.${state}`)
  const hint = [productName, word, t(`slotState.${state}.help`)].filter(Boolean).join(' · ')
  return (
    <li className={classes(styles.slot, styles[`slot-${tones[state]}`])} data-hint={hint}>
      <span className={styles.slotCode}>{code}</span>
      {productName ? <Picture src={picture} size={44} /> : <span className={styles.slotBare} />}
      <span className={styles.slotName}>
        {productId !== null && productName ? (
          <ProductLink id={productId}>{productName}</ProductLink>
        ) : (
          t('planogram.nothing')
        )}
      </span>
      <span className={styles.slotPrice}>{priceFen === null ? '–' : <Money fen={priceFen} />}</span>
      <meter
        className={classes(styles.slotMeter, styles[`level-${stockTone(slot)}`])}
        min={0}
        max={Math.max(1, capacity)}
        value={Math.max(0, stock)}
        aria-label={t('planogram.stock', { stock, capacity })}
      />
      <span aria-hidden="true">
        {stock}/{capacity}
      </span>
      {missing > 0 && <span className={styles.slotBring}>{t('planogram.bring', { count: countText(missing) })}</span>}
      {stockDrift ? (
        <span className={classes(styles.slotState, 'tone-warn')}>
          {t('planogram.says', { count: reportedStock ?? 0 })}
        </span>
      ) : null}
      {state !== 'normal' && <span className={styles.slotState}>{word}</span>}
    </li>
  )
}

const CabinetShape = () => (
  <div className={styles.cabinet} aria-hidden="true">
    {[1, 2, 3, 4].map((layer) => (
      <div key={layer} className={classes(styles.shelf, styles.shelfShape, 'bone')} />
    ))}
  </div>
)
