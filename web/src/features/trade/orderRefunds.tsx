import { listRefunds, refundFields } from '@aisle/contract/refund/refund'
import { getOrder, listOrders } from '@aisle/contract/trade/order'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './order.module.css'

export const shownOrders = [listOrders, getOrder, listRefunds] as const

/** What of the order went back or is on its way, each leading to its own story. */
export function OrderRefunds({ orderNo }: { orderNo: string }) {
  const t = useText('refund')
  const mayRead = can(listRefunds.access)
  const { data } = useEndpoint(listRefunds, { no: orderNo }, { errors: 'silent', enabled: mayRead })
  if (!mayRead || !data) return null
  if (data.items.length === 0) return <p className="quiet">{t('section.refunds.empty')}</p>
  return (
    <ul className={styles.refunds}>
      {data.items.map(({ id, refundNo, amountFen, state, requestedAt }) => (
        <li key={id}>
          <ScreenLink screen="jygl/tkgl" search={{ no: refundNo, open: String(id) }}>
            {refundNo}
          </ScreenLink>
          <Money fen={amountFen} />
          <StateCell value={state} field={refundFields.state} t={t} />
          <Ago at={requestedAt} />
        </li>
      ))}
    </ul>
  )
}
