import { chooseCustomerOrder, customerState, type CustomerCandidate } from '@aisle/contract/support/customer'
import { CommandButton } from '../../admin/commandButton'
import { percentText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { type CustomerDetail, shownCases } from './customerVerbs'
import lined from '../../shelf/lines.module.css'

/** The order with what speaks for it, and how sure that is. */
export function OrderFacts({ order }: { order: CustomerCandidate }) {
  const t = useText('support')
  const trade = useText('trade')
  const { orderNo, orderId, paidFen, paidAt, method, goods, sureness, evidence } = order
  return (
    <Facts
      facts={[
        {
          label: t('field.orderNo'),
          value: (
            <ScreenLink screen="jygl/ddgl" search={{ orderNo, open: String(orderId) }}>
              {orderNo}
            </ScreenLink>
          ),
        },
        { label: t('field.sureness'), value: sureness !== null && percentText(sureness) },
        { label: t('field.evidence'), value: evidence.map((each) => t(`customerEvidence.${each}`)).join(' · ') },
        { label: t('field.paidFen'), value: <Money fen={paidFen} /> },
        { label: t('field.paidAt'), value: <When at={paidAt} /> },
        { label: t('field.method'), value: trade(`method.${method}`) },
        {
          label: t('field.goods'),
          value: goods.map(({ name, slot, state }) => `${slot} ${name} (${trade(`itemState.${state}`)})`).join(', '),
        },
      ]}
    />
  )
}

/** Others that were paid near that time; one tap says that it is this one. */
export function Candidates({ one }: { one: CustomerDetail }) {
  const t = useText('support')
  const trade = useText('trade')
  if (one.candidates.length === 0) return <p className="quiet">{t('customerCase.noOthers')}</p>
  return (
    <ul className={lined.lines}>
      {one.candidates.map(({ orderNo, orderId, paidAt, paidFen, goods, sureness, claimedBy }) => (
        <li key={orderNo}>
          <ScreenLink screen="jygl/ddgl" search={{ orderNo, open: String(orderId) }}>
            {orderNo}
          </ScreenLink>
          <Money fen={paidFen} />
          <When at={paidAt} />
          <span className={lined.what}>
            {goods.map(({ name, slot, state }) => `${slot} ${name} (${trade(`itemState.${state}`)})`).join(', ')}
          </span>
          {sureness !== null && <span className="quiet">{percentText(sureness)}</span>}
          {claimedBy !== null && <span className="quiet">{t('customerCase.claimed', { id: claimedBy })}</span>}
          {customerState.can(one.work, 'take') && (
            <CommandButton
              t={t}
              endpoint={chooseCustomerOrder}
              verb="pickCustomerOrder"
              target={{ id: one.id, orderNo }}
              isEnabled={claimedBy === null}
              changes={shownCases}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
