import { getSalesNow } from '@aisle/contract/home/dashboard'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { countText } from '../../admin/fields/number'
import { useLive } from '../../admin/useList'
import { AppLink } from '../../admin/appLink'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useLanguage, useText } from '../../ui/text'
import { changeOf, changeText } from './change.rules'
import { SalesHours } from './salesHours'
import { PanelCard } from './panelCard'
import { REFRESH_MS } from './refresh'
import styles from './home.module.css'

const orders = screenOf('jygl/ddgl').path
const ordersOf = (day: string) => `${orders}?from=${day}&to=${day}`
/** The list whose sum is the figure: what was paid that day. */
const soldOn = (day: string) => `${ordersOf(day)}&paid=yes`

/** How much was sold, beside the same weekday's same minute. */
export function SalesPanel() {
  const t = useText('home')
  const found = useEndpoint(getSalesNow, {}, { errors: 'silent', refetchInterval: REFRESH_MS })
  useLive({ topic: 'orders', also: [] }, [getSalesNow])
  const { data } = found
  return (
    <PanelCard
      title={t('panel.sales')}
      more={{ path: data ? ordersOf(data.day) : orders, word: t('sales.open') }}
      found={found}
    >
      {data && <Sales sales={data} />}
    </PanelCard>
  )
}

function Sales({ sales }: { sales: OutputOf<typeof getSalesNow> }) {
  const t = useText('home')
  const language = useLanguage()
  const { day, lastWeekDay, todayFen, todayOrders, sameTimeFen, sameTimeOrders, lastWeekFen, hours, hour } = sales
  const change = changeOf(todayFen, sameTimeFen)
  return (
    <>
      <div data-part="dash-sales" className={styles.sales}>
        <p data-part="dash-main" className={styles.main}>
          <AppLink path={soldOn(day)}>
            <Money fen={todayFen} />
          </AppLink>
          <small>
            {t('sales.orders')} <AppLink path={soldOn(day)}>{countText(todayOrders)}</AppLink>
          </small>
        </p>
        <dl>
          <div>
            <dt>{t('sales.change')}</dt>
            <dd className={change === null || change === 0 ? '' : change > 0 ? styles.up : styles.down}>
              {change === null ? t('sales.noneThen') : changeText(change, language)}
            </dd>
          </div>
          <div>
            <dt>{t('sales.sameTime')}</dt>
            <dd>
              <Money fen={sameTimeFen} />{' '}
              <small>
                {t('sales.orders')} {countText(sameTimeOrders)}
              </small>
            </dd>
          </div>
          <div>
            <dt>{t('sales.lastWeek')}</dt>
            <dd>
              <AppLink path={soldOn(lastWeekDay)}>
                <Money fen={lastWeekFen} />
              </AppLink>
            </dd>
          </div>
        </dl>
      </div>
      <SalesHours hours={hours} present={hour} />
    </>
  )
}
