import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { getUnclaimedExchanges } from '@aisle/contract/payment/record'
import { getUnclaimed, unclaimedFields, unclaimedState } from '@aisle/contract/refund/unclaimed'
import { getDifference } from '@aisle/contract/settlement/difference'
import { Exchanges } from '../../shelf/exchanges'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useLanguage, useText } from '../../ui/text'
import { UnclaimedVerbs } from './unclaimedVerbs'
import styles from './refund.module.css'

export type UnclaimedDetail = OutputOf<typeof getUnclaimed>
type Of = { unclaimed: UnclaimedDetail }

/** What the provider says, what we know of its number, and where the money may go. */
export function UnclaimedDrawer({ id }: DrawerRow) {
  const t = useText('refund')
  const result = useEndpoint(getUnclaimed, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ channelNo }) => channelNo}
      head={({ cause, state }) => (
        <div className="tags">
          <StateCell value={cause} field={unclaimedFields.cause} t={t} />
          <StateCell value={state} field={unclaimedFields.state} t={t} />
        </div>
      )}
      actions={(unclaimed) => <UnclaimedVerbs unclaimed={unclaimed} />}
    >
      {(unclaimed) => (
        <>
          <p className={styles.why}>{t(`unclaimedCause.${unclaimed.cause}.help`)}</p>
          <Section title={t('section.unclaimed')}>
            <div className={styles.problemSides}>
              <Theirs unclaimed={unclaimed} />
              <Ours unclaimed={unclaimed} />
            </div>
          </Section>
          <Decided unclaimed={unclaimed} />
          {unclaimedState.is(unclaimed.state, 'open') && <Candidates unclaimed={unclaimed} />}
          <Words id={id} />
        </>
      )}
    </RowDrawer>
  )
}

function Theirs({ unclaimed }: Of) {
  const t = useText('refund')
  return (
    <section className={styles.problemSide}>
      <h4>{t('evidence.channel')}</h4>
      <Facts
        facts={[
          { label: t('field.unclaimedFen'), value: <Money fen={unclaimed.unclaimedFen} /> },
          { label: t('field.provider'), value: t(`method.${unclaimed.provider}`) },
          { label: t('field.attemptNo'), value: unclaimed.attemptNo || null },
          { label: t('field.paidAt'), value: <When at={unclaimed.paidAt} /> },
          { label: t('field.notedAt'), value: <When at={unclaimed.notedAt} /> },
          { label: t('field.times'), value: String(unclaimed.times) },
          { label: t('field.accountName'), value: unclaimed.accountName },
          { label: t('field.merchantName'), value: unclaimed.merchantName },
        ]}
      />
    </section>
  )
}

function Ours({ unclaimed: { attempt, difference } }: Of) {
  const t = useText('refund')
  return (
    <section className={styles.problemSide}>
      <h4>{t('unclaimed.ours')}</h4>
      {!attempt && <p className="quiet">{t('unclaimed.ours.none')}</p>}
      <Facts
        facts={[
          {
            label: t('field.orderNo'),
            value: attempt && (
              <ScreenLink screen="jygl/ddgl" search={{ orderNo: attempt.orderNo, open: String(attempt.orderId) }}>
                {attempt.orderNo}
              </ScreenLink>
            ),
          },
          { label: t('evidence.total'), value: attempt && <Money fen={attempt.amountFen} /> },
          { label: t('field.state'), value: attempt && t.any(`attempt.${attempt.state}`) },
          { label: t('field.channelNo'), value: attempt?.channelNo ?? null },
          { label: t('field.paidAt'), value: attempt?.paidAt ? <When at={attempt.paidAt} /> : null },
          { label: t('unclaimed.difference'), value: difference && <Difference difference={difference} /> },
        ]}
      />
    </section>
  )
}

function Difference({ difference: { id, day } }: { difference: NonNullable<UnclaimedDetail['difference']> }) {
  if (!can(getDifference.access)) return <Day on={day} />
  return (
    <ScreenLink screen="xtgl/rjs" search={{ part: 'differences', open: String(id) }}>
      {day}
    </ScreenLink>
  )
}

function Decided({ unclaimed }: Of) {
  const t = useText('refund')
  const language = useLanguage()
  const { decision, orderNo, askedAt, decidedAt, endedAt, detail, sentAt } = unclaimed
  if (!decision)
    return <p className="quiet">{t('unclaimed.limit', { limit: moneyText(unclaimed.limitFen, language) })}</p>
  return (
    <Section title={t('field.decision')}>
      <Facts
        facts={[
          { label: t('field.decision'), value: t(`unclaimedDecision.${decision}`) },
          {
            label: t('field.orderNo'),
            value: orderNo && (
              <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
                {orderNo}
              </ScreenLink>
            ),
          },
          { label: t('field.reason'), value: unclaimed.reason },
          { label: t('field.askedBy'), value: unclaimed.askedBy },
          { label: t('field.askedAt'), value: askedAt && <When at={askedAt} /> },
          { label: t('field.decidedBy'), value: unclaimed.decidedBy },
          { label: t('field.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
          { label: t('field.refundNo'), value: unclaimed.refundNo },
          { label: t('field.channelRefundNo'), value: unclaimed.channelRefundNo },
          { label: t('field.sentAt'), value: sentAt && <When at={sentAt} /> },
          { label: t('field.detail'), value: detail },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
        ]}
      />
    </Section>
  )
}

function Candidates({ unclaimed: { candidates } }: Of) {
  const t = useText('refund')
  return (
    <Section title={t('section.candidates')}>
      {candidates.length === 0 && <p className="quiet">{t('section.candidates.empty')}</p>}
      <ul className={styles.problemLines}>
        {candidates.map(({ orderNo, occurredAt, machineCode, productNames }) => (
          <li key={orderNo}>
            <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
              {orderNo}
            </ScreenLink>
            <span>{productNames}</span>
            <span className="quiet">
              {machineCode} · <Ago at={occurredAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Words({ id }: { id: number }) {
  const t = useText('refund')
  const mayRead = can(getUnclaimedExchanges.access)
  const { data } = useEndpoint(getUnclaimedExchanges, { id }, { errors: 'silent', enabled: mayRead })
  if (!mayRead || !data) return null
  return (
    <Section title={t('section.channel')}>
      <Exchanges exchanges={data.exchanges} empty={t('section.channel.empty')} />
    </Section>
  )
}
