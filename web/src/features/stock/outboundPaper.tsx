import { countText } from '../../admin/fields/number'
import { Day } from '../../admin/fields/time'
import { PrintButton } from '../../ui/printed'
import { useText } from '../../ui/text'
import type { OutboundDetail } from './outboundVerbs'

/** To pick by: what is taken of which batch, ticked off by hand, and signed by who gives and who takes. */
export function OutboundPaper({ order }: { order: OutboundDetail }) {
  const t = useText('stock')
  return (
    <PrintButton word={t('outbound.print')} part="outbound-order">
      <h1>{order.merchantName}</h1>
      <h2>
        {t('outbound.paper')} {order.no}
      </h2>
      <p>
        {t('field.warehouseName')}: {order.warehouseName} · {t('field.replenisherName')}: {order.replenisherName}
      </p>
      <table>
        <thead>
          <tr>
            <th>{t('field.productCode')}</th>
            <th>{t('field.productName')}</th>
            <th>{t('field.specification')}</th>
            <th>{t('field.batch')}</th>
            <th>{t('field.expiresOn')}</th>
            <th>{t('field.quantity')}</th>
            <th>{t('outbound.ticked')}</th>
          </tr>
        </thead>
        <tbody>
          {order.picks.map((pick) => (
            <tr key={`${pick.productId}/${pick.batch}`}>
              <td>{pick.productCode}</td>
              <td>{pick.productName}</td>
              <td>{pick.specification}</td>
              <td>{pick.batch}</td>
              <td>{pick.expiresOn && <Day on={pick.expiresOn} />}</td>
              <td>{countText(pick.quantity)}</td>
              <td />
            </tr>
          ))}
        </tbody>
      </table>
      <p>{order.note}</p>
      <p>{t('outbound.sign')}</p>
    </PrintButton>
  )
}
