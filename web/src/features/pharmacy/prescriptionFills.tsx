import { fillItemState } from '@aisle/contract/pharmacy/states'
import { getPrescription, listPrescriptions, summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { releasePrescription } from '@aisle/contract/pharmacy/review'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { TraceLink } from '../../shelf/traceLink'
import { Money } from '../../ui/money'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import type { Detail } from './prescriptionDrawer'
import styles from './pharmacy.module.css'

const tones: Record<Detail['fills'][number]['items'][number]['state'], Tone> = {
  held: 'busy',
  unknown: 'warn',
  dispensed: 'good',
  free: 'idle',
}

/** Orders that were sold on it, each with what came out and from which batch. */
export function Fills({ detail: { id, fills } }: { detail: Detail }) {
  const t = useText('pharmacy')
  if (fills.length === 0) return <p className="quiet">{t('section.fills.empty')}</p>
  return (
    <ul className={styles.fills}>
      {fills.map(({ orderId, orderNo, machineCode, machineName, at, items }) => (
        <li key={orderId}>
          <div className={styles.fill}>
            <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
              {orderNo}
            </ScreenLink>
            <When at={at} />
          </div>
          <small>
            <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
              {machineCode}
            </ScreenLink>{' '}
            {machineName}
          </small>
          {items.map(({ name, state, batch, traceCode, priceFen }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of an order have no other name
            <div key={at} className={styles.item}>
              <Tag tone={tones[state]} word={t(`fillItem.${state}`)} />
              <span>{name}</span>
              <Money fen={priceFen} />
              {batch && <small>{t('fill.batch', { batch })}</small>}
              {traceCode && (
                <small>
                  {t('fill.trace', { code: '' })} <TraceLink code={traceCode} />
                </small>
              )}
            </div>
          ))}
          {items.some(({ state }) => fillItemState.is(state, 'unknown')) && (
            <CommandButton
              endpoint={releasePrescription}
              verb="releasePrescription"
              t={t}
              target={{ id, orderId }}
              changes={[listPrescriptions, getPrescription, summarisePrescriptions]}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
