import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { numberFormat } from '@aisle/contract/kernel/formatters'
import { getOrder, orderFields } from '@aisle/contract/trade/order'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { currentLocale, useText } from '../../ui/text'
import { Items } from './orderItems'
import { Ledger } from './orderLedger'
import { OrderPayments } from './orderPayments'
import { ProblemNote } from './orderProblem'
import { RefundButton } from './orderRefund'
import { OrderRefunds, shownOrders } from './orderRefunds'
import { Story } from './orderStory'

export type OrderDetail = OutputOf<typeof getOrder>

/** The story of an order: what was bought, what happened to it, where the money stands. */
export function OrderDrawer({ id }: DrawerRow) {
  const t = useText('trade')
  const result = useEndpoint(getOrder, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={(order) => order.orderNo} head={(order) => <States order={order} />}>
      {(order) => (
        <>
          <ProblemNote order={order} />
          <OrderFacts order={order} />
          <Section title={t('section.refunds')} note={<RefundButton orderNo={order.orderNo} changes={shownOrders} />}>
            <OrderRefunds orderNo={order.orderNo} />
          </Section>
          <Section title={t('section.items')}>
            <Items order={order} />
          </Section>
          <Section title={t('section.story')}>
            <Story order={order} />
          </Section>
          <OrderPayments order={order} />
          <Section title={t('section.ledger')}>
            <Ledger entries={order.entries} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function States({ order }: { order: OrderDetail }) {
  const t = useText('trade')
  const { paymentState, shipState, problem } = orderFields
  return (
    <div className="tags">
      <StateCell value={order.paymentState} field={paymentState} t={t} />
      <StateCell value={order.shipState} field={shipState} t={t} />
      {order.problem && <StateCell value={order.problem} field={problem} t={t} />}
      {order.isOffline && <Tag tone="idle" word={t('offline')} hint={t('offline.help')} />}
    </div>
  )
}

/** What was paid as its merchant counts; how many decimals a currency has, the browser knows. */
const abroad = ({ paidAbroad, currency }: OrderDetail): string | null =>
  paidAbroad === null || currency === null
    ? null
    : numberFormat(currentLocale(), { style: 'currency', currency }).format(paidAbroad)

function OrderFacts({ order }: { order: OrderDetail }) {
  const t = useText('trade')
  const label = (name: string) => t.any(`field.${name}`)
  const amount = (name: 'totalFen' | 'discountFen' | 'paidFen' | 'refundedFen' | 'refundingFen' | 'dueBackFen') => ({
    label: label(name),
    value: name === 'paidFen' || order[name] !== 0 ? <Money fen={order[name]} /> : null,
  })
  return (
    <Facts
      facts={[
        amount('paidFen'),
        { label: label('paidAbroad'), value: abroad(order) },
        amount('totalFen'),
        amount('discountFen'),
        amount('refundedFen'),
        amount('refundingFen'),
        amount('dueBackFen'),
        { label: label('method'), value: t.any(`method.${order.method}`) },
        { label: label('thirdPartyNo'), value: order.thirdPartyNo },
        { label: label('businessType'), value: t.any(`businessType.${order.businessType}`) },
        { label: label('machineCode'), value: <MachineOf order={order} /> },
        { label: label('merchantName'), value: order.merchantName },
        { label: label('occurredAt'), value: <When at={order.occurredAt} /> },
        { label: label('receivedAt'), value: order.isOffline ? <When at={order.receivedAt} /> : null },
        { label: label('businessDay'), value: <Day on={order.businessDay} /> },
        { label: label('machineOrderNo'), value: order.machineOrderNo },
        { label: label('orderState'), value: t.any(`orderState.${order.orderState}`) },
      ]}
    />
  )
}

const MachineOf = ({ order: { machineCode, machineName } }: { order: OrderDetail }) => (
  <>
    <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
      {machineCode}
    </ScreenLink>{' '}
    {machineName}
  </>
)
