import { listOrders, type Order, orderFields } from '@aisle/contract/trade/order'
import { StateCell } from '../../../admin/fields/state'
import { ScreenLink } from '../../../admin/fields/ref'
import { Failure } from '../../../admin/failure'
import { Ago } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { Money } from '../../../ui/money'
import { useText } from '../../../ui/text'
import styles from './machine.module.css'

/** The last ten; all of them are a step away. */
export function MachineOrders({ code }: { code: string }) {
  const t = useText('fleet')
  const { data, error, refetch } = useEndpoint(listOrders, { machineCode: code, pageSize: 10 }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const own = data.items.filter(({ machineCode }) => machineCode === code)
  return (
    <div className={styles.live}>
      {own.length === 0 && <p className="quiet">{t('orders.none')}</p>}
      <ul className={styles.wire}>
        {own.map((order) => (
          <OrderLine key={order.id} order={order} />
        ))}
      </ul>
      <p>
        <ScreenLink screen="jygl/ddgl" search={{ machineCode: code }}>
          {t('live.orders')}
        </ScreenLink>
      </p>
    </div>
  )
}

function OrderLine({ order }: { order: Order }) {
  const words = useText('trade')
  const { orderNo, shipState, paidFen, occurredAt, productNames } = order
  return (
    <li>
      <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
        {orderNo}
      </ScreenLink>
      <StateCell value={shipState} field={orderFields.shipState} t={words} />
      <span className={styles.wireWhen}>
        <Ago at={occurredAt} />
      </span>
      <span className={styles.wireNote}>
        <Money fen={paidFen} /> · {productNames}
      </span>
    </li>
  )
}
