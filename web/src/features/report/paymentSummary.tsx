import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getPayments, paymentGroups } from '@aisle/contract/report/payments'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { methodColours } from '../../ui/chart/methodColours'
import { Money } from '../../ui/money'
import { ShareBars } from '../../ui/chart/shareBars'
import { useText } from '../../ui/text'
import { Change } from './change'
import { MethodStrips } from './methodStrips'
import { behind, known } from './query'
import { Choice, Switch } from './rankingSwitches'
import { Against } from './rankingSummary'
import { ReportCard } from './reportCard'
import { ReportHead } from './reportHead'
import { usePeriod } from './scopeWords'
import { OrdersLink, Part } from './shares'
import { Total } from './totals'
import styles from './report.module.css'

type Payments = OutputOf<typeof getPayments>
type Search = Record<string, string>

/** Each way of paying over time and in sum, by amount or by count. */
export function PaymentSummary({ address }: { address: ListAddress }) {
  const t = useText('report')
  const isByCount = address.query.sort === 'orders'
  const found = useEndpoint(getPayments, known(getPayments, address.query), {
    errors: 'throw',
    placeholderData: (before) => before,
  })
  const period = usePeriod(address.query).data
  const { data } = found
  const says = [t(isByCount ? 'sort.orders' : 'sort.paid')]
  const search: Search = { ...behind(address.query), ...(period && daysOf(period)) }
  return (
    <>
      <ReportHead address={address} groups={paymentGroups} top="paid" />
      <Switch label={t('rank.by')}>
        <Choice isOn={!isByCount} onPick={() => address.change({ sort: undefined })} word={t('sort.paid')} />
        <Choice isOn={isByCount} onPick={() => address.change({ sort: 'orders' })} word={t('sort.orders')} />
      </Switch>
      {found.isError && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {data && (
        <div data-part="overview" className={styles.overview} aria-busy={found.isPlaceholderData}>
          <PaymentTotals payments={data} search={search} />
          {period && <Against from={period.beforeFrom} to={period.beforeTo} isOpen={period.isOpen} />}
          <div className={styles.cards}>
            <ReportCard title={t('chart.paymentsOverTime')} query={address.query} says={says}>
              <MethodStrips payments={data} isByCount={isByCount} search={search} />
            </ReportCard>
            <ReportCard title={t('chart.methods')} query={address.query} says={says}>
              <Shares payments={data} isByCount={isByCount} search={search} />
            </ReportCard>
          </div>
        </div>
      )}
    </>
  )
}

const daysOf = ({ from, to }: { from: string; to: string }) => ({ from, to })

function PaymentTotals({ payments: { methods }, search }: { payments: Payments; search: Search }) {
  const t = useText('report')
  const sum = (name: 'orders' | 'paidFen' | 'beforeOrders' | 'beforeFen') =>
    methods.reduce((so, method) => so + method[name], 0)
  const orders = { to: 'jygl/ddgl', search: { ...search, paid: 'yes' } }
  return (
    <section aria-label={t('figures')} className={styles.totals}>
      <Total
        name={t('field.paidFen')}
        value={<Money fen={sum('paidFen')} />}
        change={<Change now={sum('paidFen')} before={sum('beforeFen')} />}
        {...orders}
      />
      <Total
        name={t('field.orders')}
        value={countText(sum('orders'))}
        change={<Change now={sum('orders')} before={sum('beforeOrders')} />}
        {...orders}
      />
    </section>
  )
}

type SharesProps = { payments: Payments; isByCount: boolean; search: Search }

function Shares({ payments: { methods }, isByCount, search }: SharesProps) {
  const t = useText('report')
  const measured = methods
    .map(({ method, orders, paidFen, beforeOrders, beforeFen }) => ({
      method,
      value: isByCount ? orders : paidFen,
      before: isByCount ? beforeOrders : beforeFen,
      isUsed: orders > 0 || beforeOrders > 0,
    }))
    .toSorted((one, other) => other.value - one.value)
  const whole = measured.reduce((so, { value }) => so + value, 0)
  return (
    <ShareBars
      label={t('chart.methods')}
      shares={measured
        .filter(({ isUsed }) => isUsed)
        .map(({ method, value, before }) => ({
          key: method,
          value,
          before,
          colour: methodColours[method],
          name: <Part value={value} whole={whole} word={t(`method.${method}`)} />,
          text: (
            <OrdersLink search={{ ...search, method }}>
              {isByCount ? <span>{countText(value)}</span> : <Money fen={value} />}
            </OrdersLink>
          ),
          note: <Change now={value} before={before} />,
        }))}
    />
  )
}
