import { type ItemState, itemState, shipState } from '@aisle/contract/trade/states'
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

function ItemLine({ item, isLost }: { item: Item; isLost: boolean }) {
  const t = useText('trade')
  const isReduced = item.listPriceFen !== item.priceFen
  const notes = [
    t('item.slot', { slot: item.slotCode }),
    item.productCode,
    item.batch && t('item.batch', { batch: item.batch }),
    item.traceCode && t('item.trace', { code: item.traceCode }),
  ]
  return (
    <li className={styles.item}>
      <Picture src={item.picture} size={44} />
      <div className={styles.itemWords}>
        <p>{item.productName}</p>
        <p className="quiet">{notes.filter(Boolean).join(' · ')}</p>
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
