import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getOrderPayments } from '@aisle/contract/payment/record'
import { paymentAttemptState } from '@aisle/contract/payment/states'
import { stateField } from '@aisle/contract/kernel/field'
import { StateCell } from '../../admin/fields/state'
import { Exchanges } from '../../shelf/exchanges'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import type { OrderDetail } from './orderDrawer'
import styles from './order.module.css'

type Attempt = OutputOf<typeof getOrderPayments>['attempts'][number]

const stateShown = stateField('attemptState', paymentAttemptState, {
  created: 'idle',
  waiting: 'busy',
  unknown: 'warn',
  paid: 'good',
  closed: 'idle',
  failed: 'bad',
})

/** How the order was tried to be paid, and each word to and from the provider, for who may read payment accounts. */
export function OrderPayments({ order: { id } }: { order: OrderDetail }) {
  const t = useText('trade')
  const mayRead = can(getOrderPayments.access)
  const { data } = useEndpoint(getOrderPayments, { id }, { errors: 'silent', enabled: mayRead })
  if (!mayRead || !data) return null
  return (
    <Section title={t('section.payments')}>
      {data.attempts.length === 0 && <p className="quiet">{t('section.payments.empty')}</p>}
      {data.attempts.map((attempt) => (
        <OneAttempt key={attempt.id} attempt={attempt} />
      ))}
    </Section>
  )
}

function OneAttempt({ attempt }: { attempt: Attempt }) {
  const t = useText('trade')
  const { provider, product, attemptNo, channelNo, accountName, state, amountFen, paidFen, fault, createdAt } = attempt
  return (
    <div className={styles.attempt}>
      <p>
        <code>{attemptNo}</code>
        <Money fen={paidFen ?? amountFen} />
        <StateCell value={state} field={stateShown} t={t} />
        <Ago at={createdAt} />
      </p>
      <p className="quiet">
        {[t(`method.${provider}`), t(`attemptProduct.${product}`), accountName, channelNo, fault]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Exchanges exchanges={attempt.exchanges} empty={t('section.payments.silent')} />
    </div>
  )
}
