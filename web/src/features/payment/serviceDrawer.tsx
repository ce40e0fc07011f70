import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  getPaymentService,
  listPaymentServices,
  paymentServiceFields,
  paymentServiceState,
  switchServiceOff,
  switchServiceOn,
} from '@aisle/contract/payment/service'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts, Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { type Text, useText } from '../../ui/text'
import styles from './payment.module.css'
import tableStyles from '../../ui/table.module.css'

type ServiceDetail = OutputOf<typeof getPaymentService>

const nameOf = ({ provider, acquirer, product }: ServiceDetail, t: Text<'payment'>) =>
  `${acquirer ?? t(`provider.${provider}`)} · ${t(`product.${product}`)}`

/** What a service brings, day by day, and the switch that ends it for new payments. */
export function ServiceDrawer({ id }: DrawerRow) {
  const t = useText('payment')
  const result = useEndpoint(getPaymentService, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={(service) => nameOf(service, t)}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={paymentServiceFields.state} t={t} />
        </div>
      )}
      actions={(service) => <ServiceVerbs service={service} />}
    >
      {(service) => (
        <>
          {paymentServiceState.is(service.state, 'off') && service.note && (
            <p className={styles.note}>{service.note}</p>
          )}
          <Figures
            facts={[
              { label: t('field.todayFen'), value: <Money fen={service.todayFen} /> },
              { label: t('field.todayPaid'), value: countText(service.todayPaid) },
              { label: t('field.todayAttempts'), value: countText(service.todayAttempts) },
              { label: t('field.waiting'), value: countText(service.waiting) },
            ]}
          />
          <Section title={t('section.service')}>
            <Facts
              facts={[
                { label: t('field.product'), value: t(`product.${service.product}.help`) },
                { label: t('field.interfaceType'), value: t(`interfaceType.${service.interfaceType}`) },
                { label: t('field.accounts'), value: countText(service.accounts) },
                { label: t('field.changedBy'), value: service.changedBy },
                { label: t('field.changedAt'), value: service.changedAt && <Ago at={service.changedAt} /> },
              ]}
            />
          </Section>
          <Section title={t('section.days')}>
            <Days days={service.days} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** Each day's money beside the best of them, so that a bad day is seen without reading. */
function Days({ days }: { days: ServiceDetail['days'] }) {
  const t = useText('payment')
  if (days.length === 0) return <p className="quiet">{t('days.none')}</p>
  const most = Math.max(...days.map(({ paidFen }) => paidFen), 1)
  return (
    <ul className={styles.days}>
      {days.map(({ day, attempts, paid, paidFen }) => (
        <li key={day}>
          <Day on={day} />
          <progress max={most} value={paidFen} aria-hidden="true" />
          <span className={tableStyles.isNumber}>
            <Money fen={paidFen} />
          </span>
          <small className="quiet">{t('days.line', { attempts: countText(attempts), paid: countText(paid) })}</small>
        </li>
      ))}
    </ul>
  )
}

function ServiceVerbs({ service }: { service: ServiceDetail }) {
  const t = useText('payment')
  const { id, version, state } = service
  const common = {
    t,
    vars: { service: nameOf(service, t) },
    target: { id, version },
    changes: [listPaymentServices, getPaymentService],
  }
  const can = (verb: 'switchOn' | 'switchOff') => paymentServiceState.can(state, verb)
  if (can('switchOn')) {
    return <CommandButton {...common} endpoint={switchServiceOn} verb="switchServiceOn" tone="main" />
  }
  return (
    <CommandButton
      {...common}
      endpoint={switchServiceOff}
      verb="switchServiceOff"
      tone="danger"
      isEnabled={can('switchOff')}
    />
  )
}
