import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import type { getPayments } from '@aisle/contract/report/payments'
import { screenOf } from '@aisle/contract/screens'
import { countText, permilleText } from '../../admin/fields/number'
import { AppLink } from '../../admin/appLink'
import { can } from '../../live/session'
import { methodColours } from '../../ui/chart/methodColours'
import { Money } from '../../ui/money'
import { useLanguage, useText } from '../../ui/text'
import { Change } from './change'
import { shareOf } from './change.rules'
import { nameOfTime } from './trend'
import styles from './report.module.css'

type Payments = OutputOf<typeof getPayments>
type Method = Payments['methods'][number]
type Search = Record<string, string>

/** Names below the bars, so that they stand apart on a phone too. */
const MOST_NAMES = 6

/**
 * A strip of bars a method, all on one scale from zero on: each is read by its name and height, its colour only says
 * it again. A bar opens the orders of its method and days; the rows below the chart do the same for the keyboard.
 */
export function MethodStrips(props: { payments: Payments; isByCount: boolean; search: Search }) {
  const { payments, isByCount, search } = props
  const { methods } = payments
  const t = useText('report')
  const valueOf = (figures: { orders: number; paidFen: number }) => (isByCount ? figures.orders : figures.paidFen)
  const used = methods
    .filter(({ orders, beforeOrders }) => orders > 0 || beforeOrders > 0)
    .toSorted((one, other) => valueOf(other) - valueOf(one))
  const whole = methods.reduce((so, method) => so + valueOf(method), 0)
  const most = Math.max(1, ...methods.flatMap(({ trend }) => trend.map(valueOf)))
  if (used.length === 0) return <p className="quiet">{t('chart.nothing')}</p>
  const names = payments.places.map(({ at }) => nameOfTime(at, payments.unit, t))
  return (
    <div className={styles.strips} role="group" aria-label={t('chart.paymentsOverTime')}>
      {used.map((method) => (
        <div key={method.method} className={styles.strip}>
          <StripHead method={method} whole={whole} isByCount={isByCount} />
          <Bars {...{ payments, names, method, most, valueOf, search }} />
        </div>
      ))}
      <Names names={names} />
    </div>
  )
}

function StripHead({ method, whole, isByCount }: { method: Method; whole: number; isByCount: boolean }) {
  const t = useText('report')
  const { orders, paidFen, beforeOrders, beforeFen } = method
  const [value, before] = isByCount ? [orders, beforeOrders] : [paidFen, beforeFen]
  return (
    <p className={styles.stripHead}>
      <b>
        <i style={{ background: methodColours[method.method] }} aria-hidden="true" />
        {t(`method.${method.method}`)}
      </b>
      <strong>{isByCount ? countText(value) : <Money fen={value} />}</strong>
      <span className="quiet">{permilleText(shareOf(value, whole))}</span>
      <Change now={value} before={before} />
    </p>
  )
}

type BarsProps = {
  payments: Payments
  names: readonly string[]
  method: Method
  most: number
  valueOf: (figures: { orders: number; paidFen: number }) => number
  search: Search
}

function Bars({ payments: { places }, names, method: { method, trend }, most, valueOf, search }: BarsProps) {
  const t = useText('report')
  const language = useLanguage()
  const { path, access } = screenOf('jygl/ddgl')
  const isOpening = can(access)
  return (
    <div className={styles.stripPlot} aria-hidden="true">
      {trend.map((figures, place) => {
        const { at = '', from = '', to = '' } = places[place] ?? {}
        const { orders, paidFen } = figures
        const amounts = `${moneyText(paidFen, language)} · ${t('field.orders')} ${countText(orders)}`
        const look = { height: `${(valueOf(figures) / most) * 100}%`, background: methodColours[method] }
        const shared = { className: styles.stripBar, 'data-hint': `${names[place]} · ${amounts}` }
        if (!isOpening || orders === 0) {
          return (
            <span key={at} {...shared}>
              <i style={look} />
            </span>
          )
        }
        return (
          <AppLink key={at} path={path} search={{ ...search, from, to, method, paid: 'yes' }} tabIndex={-1} {...shared}>
            <i style={look} />
          </AppLink>
        )
      })}
    </div>
  )
}

function Names({ names }: { names: readonly string[] }) {
  const every = Math.max(1, Math.ceil(names.length / MOST_NAMES))
  return (
    <div className={styles.stripNames} aria-hidden="true">
      {names.map((name, place) => (
        <span key={place}>{place % every === 0 && <small>{name}</small>}</span>
      ))}
    </div>
  )
}
