import * as contract from '@aisle/contract/purchase/receipt'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { ProductLink } from '../../shelf/productLink'
import { TraceLink } from '../../shelf/traceLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { type ReceiptDetail, ReceiptVerbs } from './receiptVerbs'
import styles from './purchase.module.css'

/** What came of each batch, how long it keeps, and who looked at it. */
export function ReceiptDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getGoodsReceipt, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, supplierName }) => `${no} · ${supplierName}`}
      head={({ state, marks }) => (
        <div className="tags">
          <StateCell value={state} field={contract.goodsReceiptFields.state} t={t} />
          {marks.length > 0 && <StatesCell value={marks} field={contract.goodsReceiptFields.marks} t={t} />}
        </div>
      )}
      actions={(receipt) => <ReceiptVerbs receipt={receipt} />}
    >
      {(receipt) => (
        <>
          {contract.goodsReceiptState.is(receipt.state, 'waiting') && (
            <p className={styles.warning}>{receipt.second.map((why) => t(`receiptSecond.${why}`)).join(' ')}</p>
          )}
          <Section title={t('order.lines')} note={<Money fen={receipt.valueFen} />}>
            <ul className={lined.lines}>
              {receipt.lines.map((line) => (
                <LineItem key={line.line} line={line} />
              ))}
            </ul>
          </Section>
          <ReceiptFacts receipt={receipt} />
        </>
      )}
    </RowDrawer>
  )
}

const SHOWN_CODES = 20

function LineItem({ line }: { line: contract.ReceiptLine }) {
  const t = useText('purchase')
  const { announced, counted, damaged, refused, batch, expiresOn, daysLeft, temperatureC, reason, codes } = line
  const short = announced - counted - damaged - refused
  const came = [batch, temperatureC !== null && `${temperatureC} °C`].filter(Boolean).join(' · ')
  return (
    <li>
      <span className={lined.what}>
        <ProductLink id={line.productId}>{`${line.productName} ${line.specification}`.trim()}</ProductLink>
        <small className="quiet">
          {came}
          {expiresOn && (
            <>
              {came && ' · '}
              <Day on={expiresOn} />
              {daysLeft !== null && ` · ${t('receipt.daysLeft', { days: countText(daysLeft) })}`}
            </>
          )}
        </small>
        <small className="quiet">
          {t('receipt.price', { units: countText(line.packUnits) })} <Money fen={line.priceFen} />
          {reason && ` · ${reason}`}
        </small>
        {line.isMedicine && (
          <small>
            {t('receipt.codes', { codes: countText(codes.length), pieces: countText(counted) })}{' '}
            {codes.slice(0, SHOWN_CODES).map((code) => (
              <span key={code}>
                <TraceLink code={code} />{' '}
              </span>
            ))}
          </small>
        )}
      </span>
      <span className={lined.count}>{countText(counted)}</span>
      {damaged + refused > 0 && <Tag tone="bad" word={t('receipt.refused', { count: countText(damaged + refused) })} />}
      {short > 0 && <Tag tone="warn" word={t('order.missing', { count: countText(short) })} />}
      <span className={lined.count}>
        <Money fen={line.costFen} />
      </span>
    </li>
  )
}

function ReceiptFacts({ receipt }: { receipt: ReceiptDetail }) {
  const t = useText('purchase')
  const { supplierId, supplierName, orderId, orderNo, decidedAt } = receipt
  return (
    <Section title={t('order.facts')}>
      <Facts
        facts={[
          {
            label: t('field.supplierName'),
            value: (
              <ScreenLink screen="jxcgl/wdgys" search={{ open: String(supplierId) }}>
                {supplierName}
              </ScreenLink>
            ),
          },
          {
            label: t('field.orderNo'),
            value: orderNo && (
              <ScreenLink screen="jxcgl/cgd" search={{ open: String(orderId) }}>
                {orderNo}
              </ScreenLink>
            ),
          },
          { label: t('field.warehouseName'), value: receipt.warehouseName },
          { label: t('field.deliveryNote'), value: receipt.deliveryNote },
          { label: t('field.receiver'), value: receipt.receiver },
          { label: t('field.receivedAt'), value: <When at={receipt.receivedAt} /> },
          { label: t('field.decider'), value: receipt.decider },
          { label: t('field.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
          { label: t('field.note'), value: receipt.note },
          { label: t('order.endReason'), value: receipt.endReason },
          { label: t('field.merchantName'), value: receipt.merchantName },
        ]}
      />
    </Section>
  )
}
