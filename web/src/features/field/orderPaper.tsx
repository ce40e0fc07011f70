import { countText } from '../../admin/fields/number'
import { PrintButton } from '../../ui/printed'
import { useText } from '../../ui/text'
import type { OrderDetail } from './orderVerbs'

/** For the tour: each machine in turn, its slots in their order, with room for what was really put in. */
export function OrderPaper({ order }: { order: OrderDetail }) {
  const t = useText('field')
  return (
    <PrintButton word={t('order.print')} part="replenishment-order">
      <h1>{order.merchantName}</h1>
      <h2>
        {t('order.paper')} {order.no}
      </h2>
      <p>
        {[order.routeName, order.replenisherName, order.warehouseName, order.outbound?.no].filter(Boolean).join(' · ')}
      </p>
      {order.stops.map((stop) => (
        <section key={stop.machineId}>
          <h3>
            {stop.machineCode} {stop.machineName} · {stop.pointName}
          </h3>
          <table>
            <thead>
              <tr>
                <th>{t('field.slotCode')}</th>
                <th>{t('field.productName')}</th>
                <th>{t('order.thereHead')}</th>
                <th>{t('field.bring')}</th>
                <th>{t('order.takeOutHead')}</th>
                <th>{t('order.putIn')}</th>
              </tr>
            </thead>
            <tbody>
              {stop.lines
                .filter(({ bring }) => bring > 0)
                .map((line) => (
                  <tr key={line.slotId}>
                    <td>{line.slotCode}</td>
                    <td>{`${line.productName} ${line.specification}`.trim()}</td>
                    <td>
                      {countText(line.there)} / {countText(line.capacity)}
                    </td>
                    <td>{countText(line.bring)}</td>
                    <td>{line.takeOut > 0 && countText(line.takeOut)}</td>
                    <td />
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      ))}
      <p>{order.note}</p>
    </PrintButton>
  )
}
