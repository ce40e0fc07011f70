import { countText } from '../../admin/fields/number'
import { Day } from '../../admin/fields/time'
import { PrintButton } from '../../ui/printed'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import type { OrderDetail } from './orderVerbs'

/** As it goes to the supplier: who orders what, at which price, for where and when. */
export function OrderPaper({ order }: { order: OrderDetail }) {
  const t = useText('purchase')
  const { no, merchantName, supplierName, supplierContact, supplierPhone, supplierAddress } = order
  return (
    <PrintButton word={t('order.print')} part="purchase-order">
      <h1>{merchantName}</h1>
      <h2>
        {t('order.paper')} {no}
      </h2>
      <p>
        {[supplierName, supplierContact, supplierPhone, supplierAddress].filter(Boolean).join(' · ')}
        <br />
        {t('field.warehouseName')}: {[order.warehouseName, order.warehouseAddress].filter(Boolean).join(' · ')}
        <br />
        {t('field.dueOn')}: <Day on={order.dueOn} />
      </p>
      <table>
        <thead>
          <tr>
            <th>{t('field.supplierCode')}</th>
            <th>{t('field.productName')}</th>
            <th>{t('field.specification')}</th>
            <th>{t('field.packs')}</th>
            <th>{t('field.packUnits')}</th>
            <th>{t('prices.priceFen')}</th>
            <th>{t('field.totalFen')}</th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.line}>
              <td>{line.supplierCode || line.productCode}</td>
              <td>{line.productName}</td>
              <td>{line.specification}</td>
              <td>{countText(line.packs)}</td>
              <td>{countText(line.packUnits)}</td>
              <td>
                <Money fen={line.priceFen} />
              </td>
              <td>
                <Money fen={line.amountFen} />
              </td>
            </tr>
          ))}
          <tr>
            <td colSpan={6}>{t('field.totalFen')}</td>
            <td>
              <Money fen={order.totalFen} />
            </td>
          </tr>
        </tbody>
      </table>
      <p>{order.note}</p>
      <p>{t('order.paper.sign', { maker: order.maker, approver: order.approver ?? t('order.belowLimit') })}</p>
    </PrintButton>
  )
}
