import * as contract from '@aisle/contract/purchase/order'
import { goodsReceiptFields } from '@aisle/contract/purchase/receipt'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { ProductLink } from '../../shelf/productLink'
import { Timeline } from '../../ui/chart/timeline'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { OrderPaper } from './orderPaper'
import { type OrderDetail, OrderVerbs } from './orderVerbs'
import { ReceiveOrder } from './receiptVerbs'
import styles from './purchase.module.css'

/** What is ordered at which price, what of it has come, and who agreed to it. */
export function OrderDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getPurchaseOrder, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, supplierName }) => `${no} · ${supplierName}`}
      head={({ state, marks }) => (
        <div className="tags">
          <StateCell value={state} field={contract.purchaseOrderFields.state} t={t} />
          {marks.length > 0 && <StatesCell value={marks} field={contract.purchaseOrderFields.marks} t={t} />}
        </div>
      )}
      actions={(order) => (
        <>
          {contract.purchaseOrderState.is(order.state, 'awaited') && <ReceiveOrder order={order} />}
          <OrderVerbs order={order} />
          <OrderPaper order={order} />
        </>
      )}
    >
      {(order) => (
        <>
          {order.fault && !contract.purchaseOrderState.is(order.state, 'over') && (
            <p className={styles.warning}>{t(`refusal.${order.fault}`, { name: order.supplierName })}</p>
          )}
          <Lines order={order} />
          {order.receipts.length > 0 && <Receipts order={order} />}
          <OrderFacts order={order} />
          <Section title={t('order.story')}>
            <Story order={order} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Lines({ order: { lines, totalFen, state } }: { order: OrderDetail }) {
  const t = useText('purchase')
  const isAwaited = contract.purchaseOrderState.is(state, 'awaited')
  return (
    <Section title={t('order.lines')} note={<Money fen={totalFen} />}>
      <ul className={lined.lines}>
        {lines.map((line) => (
          <li key={line.line}>
            <span className={lined.what}>
              <ProductLink id={line.productId}>{`${line.productName} ${line.specification}`.trim()}</ProductLink>
              <small className="quiet">
                {t('order.line', { packs: countText(line.packs), units: countText(line.packUnits) })} ·{' '}
                <Money fen={line.priceFen} />
                {line.listFen !== null && line.listFen !== line.priceFen && (
                  <>
                    {' '}
                    ({t('order.listed')} <Money fen={line.listFen} />)
                  </>
                )}
              </small>
              <small className="quiet">
                {t('order.came', { received: countText(line.received), pieces: countText(line.pieces) })}
                {line.waiting > 0 && ` · ${t('order.waiting', { count: countText(line.waiting) })}`}
              </small>
            </span>
            {line.marks.map((mark) => (
              <Tag key={mark} tone="warn" word={t(`orderMark.${mark}`)} />
            ))}
            {isAwaited && line.received > 0 && line.received < line.pieces && (
              <Tag tone="warn" word={t('order.missing', { count: countText(line.pieces - line.received) })} />
            )}
            <span className={lined.count}>
              <Money fen={line.amountFen} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Receipts({ order: { receipts } }: { order: OrderDetail }) {
  const t = useText('purchase')
  return (
    <Section title={t('order.receipts')}>
      <ul className={lined.lines}>
        {receipts.map(({ id, no, state, pieces, at, by }) => (
          <li key={id}>
            <span className={lined.what}>
              <ScreenLink screen="jxcgl/rkdj" search={{ open: String(id) }}>
                {no}
              </ScreenLink>
              <small className="quiet">
                {by} · <When at={at} />
              </small>
            </span>
            <span className={lined.count}>{countText(pieces)}</span>
            <StateCell value={state} field={goodsReceiptFields.state} t={t} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function OrderFacts({ order }: { order: OrderDetail }) {
  const t = useText('purchase')
  const { supplierId, supplierName, sentAt, sentHow, approvedAt, approver, plan } = order
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
            label: t('field.planNo'),
            value: plan && (
              <ScreenLink screen="jxcgl/cgjh" search={{ open: String(plan.id) }}>
                {plan.no}
              </ScreenLink>
            ),
          },
          { label: t('field.warehouseName'), value: order.warehouseName },
          { label: t('field.dueOn'), value: <Day on={order.dueOn} /> },
          { label: t('order.tax'), value: <Money fen={order.taxFen} /> },
          { label: t('field.termsDays'), value: countText(order.termsDays) },
          { label: t('field.maker'), value: order.maker },
          { label: t('field.madeAt'), value: <When at={order.madeAt} /> },
          { label: t('field.approver'), value: approvedAt && (approver ?? t('order.belowLimit')) },
          { label: t('field.approvedAt'), value: approvedAt && <When at={approvedAt} /> },
          { label: t('field.sentHow'), value: sentHow && t(`sentHow.${sentHow}`) },
          { label: t('field.sentAt'), value: sentAt && <When at={sentAt} /> },
          { label: t('field.note'), value: order.note },
          { label: t('order.endReason'), value: order.endReason },
          { label: t('field.merchantName'), value: order.merchantName },
        ]}
      />
    </Section>
  )
}

const tones: Record<string, Tone> = { approve: 'good', pass: 'good', reject: 'warn', cancel: 'idle', close: 'idle' }

function Story({ order: { story } }: { order: OrderDetail }) {
  const t = useText('purchase')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`orderEvent.${verb}`, { who: who ?? '–' }),
        detail: note,
        when: <Ago at={at} />,
      }))}
    />
  )
}
