import { type ItemState, itemState, shipState } from '@aisle/contract/trade/states'
import { ScreenLink } from '../../admin/fields/ref'
import { ProductLink } from '../../shelf/productLink'
import { TraceLink } from '../../shelf/traceLink'
import { Money } from '../../ui/money'
import { Picture } from '../../ui/picture'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import type { OrderDetail } from './orderDrawer'
import styles from './order.module.css'

const tones: Record<ItemState, Tone> = {
  waiting: 'busy',
  dispensed: 'good',
  jammed: 'bad',
  failed: 'bad',
  no_answer: 'bad',
}

type Item = OrderDetail['items'][number]

export function Items({ order }: { order: OrderDetail }) {
  const isLost = shipState.is(order.shipState, 'lottery_lost')
  return (
    <ul>
      {order.items.map((item) => (
        <ItemLine key={item.index} item={item} isLost={isLost && itemState.is(item.state, 'waiting')} />
      ))}
    </ul>
  )
}

const homes = {
  markdown: 'ypgl/zksp',
  combination: 'ypgl/ypzhlb',
  plan: 'yxch/yxfagl',
  coupon: 'yxch/yhqgl',
  code: 'yxch/yhmgl',
} as const

/** What lowered the price, why, and by how much. */
function PriceStep({
  step: { kind, reference, planId, beforeFen, afterFen, reason },
}: {
  step: Item['priceSteps'][number]
}) {
  const t = useText('trade')
  return (
    <p className="quiet" data-part="price-step">
      <ScreenLink screen={homes[kind]} search={{ open: String(planId ?? reference) }}>
        {t(`item.step.${kind}`)}
      </ScreenLink>{' '}
      <Money fen={beforeFen} /> → <Money fen={afterFen} />
      {reason && ` · ${reason}`}
    </p>
  )
}

function ItemLine({ item, isLost }: { item: Item; isLost: boolean }) {
  const t = useText('trade')
  const isReduced = item.listPriceFen !== item.priceFen
  const notes = [
    t('item.slot', { slot: item.slotCode }),
    item.productCode,
    item.batch && t('item.batch', { batch: item.batch }),
  ]
  return (
    <li className={styles.item}>
      <Picture src={item.picture} size={44} />
      <div className={styles.itemWords}>
        <p>
          <ProductLink id={item.productId}>{item.productName}</ProductLink>
        </p>
        <p className="quiet">
          {notes.filter(Boolean).join(' · ')}
          {item.traceCode && (
            <>
              {' · '}
              {t('item.trace', { code: '' })} <TraceLink code={item.traceCode} />
            </>
          )}
        </p>
        {item.priceSteps.map((step) => (
          <PriceStep key={`${step.kind}${step.reference}`} step={step} />
        ))}
      </div>
      <div className={styles.itemEnd}>
        <p>
          {isReduced && (
            <s className="quiet" aria-label={t('item.listPrice')}>
              <Money fen={item.listPriceFen} />
            </s>
          )}{' '}
          <Money fen={item.priceFen} />
        </p>
        {/* Nothing is waited for: the prize was not won. */}
        {isLost ? (
          <Tag tone="idle" word={t('shipState.lottery_lost')} hint={t('shipState.lottery_lost.help')} />
        ) : (
          <Tag tone={tones[item.state]} word={t(`itemState.${item.state}`)} hint={t(`itemState.${item.state}.help`)} />
        )}
      </div>
    </li>
  )
}
