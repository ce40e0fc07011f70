import { Ago } from '../../admin/fields/time'
import { ProductLink } from '../../shelf/productLink'
import { Money } from '../../ui/money'
import { Picture } from '../../ui/picture'
import { Tag, type Tone } from '../../ui/tag'
import { type Text, useText } from '../../ui/text'
import type { RefundDetail } from './refundDrawer'
import styles from './refund.module.css'

export const itemTones: Record<RefundDetail['items'][number]['state'], Tone> = {
  waiting: 'busy',
  dispensed: 'good',
  jammed: 'bad',
  failed: 'bad',
  no_answer: 'bad',
}

/** What motor and sensor said of each item: two facts, since a motor that ran well proves nothing of what fell. */
export function ItemEvidence({ refund: { items } }: { refund: RefundDetail }) {
  const t = useText('refund')
  const trade = useText('trade')
  if (items.length === 0) return <p className="quiet">{t('section.items.none')}</p>
  return (
    <ul className={styles.evidence}>
      {items.map((item) => (
        <li key={item.index}>
          <Picture src={item.picture} size={44} />
          <div>
            <p>
              <ProductLink id={item.productId}>{item.productName}</ProductLink>
            </p>
            <p className="quiet">
              {[t('evidence.slot', { slot: item.slotCode }), codesText(item, t)].filter(Boolean).join(' · ')}
            </p>
            {item.shippedAt && (
              <p className="quiet">
                <Ago at={item.shippedAt} />
              </p>
            )}
          </div>
          <div className={styles.end}>
            <Money fen={item.amountFen} />
            <Tag tone={itemTones[item.state]} word={trade(`itemState.${item.state}`)} />
          </div>
        </li>
      ))}
    </ul>
  )
}

type Codes = { motorCode: string | null; sensorCode: string | null }

/** Both codes with their words; one that no catalog knows stands as it is. */
export const codesText = ({ motorCode, sensorCode }: Codes, t: Text<'refund'>): string =>
  [worded('motor', motorCode, t), worded('sensor', sensorCode, t)].filter(Boolean).join(' · ')

const worded = (of: 'motor' | 'sensor', code: string | null, t: Text<'refund'>): string =>
  code ? `${code} ${t.has(`${of}.${code}`) ? t.any(`${of}.${code}`) : ''}`.trim() : ''
