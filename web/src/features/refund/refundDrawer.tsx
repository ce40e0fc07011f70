import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getRefund, refundFields } from '@aisle/contract/refund/refund'
import { orderFields } from '@aisle/contract/trade/order'
import { Entries } from '../../shelf/entries'
import { Exchanges } from '../../shelf/exchanges'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { Scans } from '../../shelf/scansInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { type Text, useText } from '../../ui/text'
import { Timeline } from '../../ui/chart/timeline'
import type { Tone } from '../../ui/tag'
import { ItemEvidence } from './refundEvidence'
import { RefundVerbs } from './refundVerbs'
import styles from './refund.module.css'

export type RefundDetail = OutputOf<typeof getRefund>

/** Why the money goes back, what the machine and the channel say of it, and who decided. */
export function RefundDrawer({ id }: DrawerRow) {
  const t = useText('refund')
  const trade = useText('trade')
  const result = useEndpoint(getRefund, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ refundNo }) => refundNo}
      head={({ state, order }) => (
        <div className="tags">
          <StateCell value={state} field={refundFields.state} t={t} />
          <StateCell value={order.paymentState} field={orderFields.paymentState} t={trade} />
          <StateCell value={order.shipState} field={orderFields.shipState} t={trade} />
          {order.problem && <StateCell value={order.problem} field={orderFields.problem} t={trade} />}
        </div>
      )}
      actions={(refund) => <RefundVerbs refund={refund} />}
    >
      {(refund) => (
        <>
          {refund.detail && <p className={styles.why}>{detailText(refund.detail, t)}</p>}
          <RefundFacts refund={refund} />
          {refund.payBack && <PayBack refund={refund} payBack={refund.payBack} />}
          <Section title={t('section.items')}>
            <ItemEvidence refund={refund} />
          </Section>
          <Section title={t('section.channel')}>
            <Exchanges exchanges={refund.exchanges} empty={t('section.channel.empty')} />
          </Section>
          <Section title={t('section.ledger')}>
            {refund.entries.length === 0 && <p className="quiet">{t('section.ledger.empty')}</p>}
            <Entries entries={refund.entries} />
          </Section>
          <Section title={t('section.story')}>
            <Story refund={refund} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** A word of ours, else the channel's own code as it came. */
export const detailText = (detail: string, t: Text<'refund'>): string =>
  t.has(`detail.${detail}`) ? t.any(`detail.${detail}`) : detail

function RefundFacts({ refund }: { refund: RefundDetail }) {
  const t = useText('refund')
  const { order } = refund
  const when = (at: string | null) => at && <When at={at} />
  return (
    <Section title={t('section.facts')}>
      <Facts
        facts={[
          { label: t('field.amountFen'), value: <Money fen={refund.amountFen} /> },
          { label: t('field.paidFen'), value: <Money fen={refund.paidFen} /> },
          { label: t('field.refundedFen'), value: order.refundedFen > 0 ? <Money fen={order.refundedFen} /> : null },
          { label: t('field.cause'), value: t(`cause.${refund.cause}`) },
          { label: t('field.reason'), value: refund.reason },
          { label: t('field.method'), value: t(`method.${refund.method}`) },
          {
            label: t('field.orderNo'),
            value: (
              <ScreenLink screen="jygl/ddgl" search={{ orderNo: refund.orderNo, open: String(refund.orderId) }}>
                {refund.orderNo}
              </ScreenLink>
            ),
          },
          {
            label: t('field.machineCode'),
            value: (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: refund.machineCode }}>
                  {refund.machineCode}
                </ScreenLink>{' '}
                {refund.machineName}
              </>
            ),
          },
          { label: t('field.merchantName'), value: refund.merchantName },
          { label: t('field.thirdPartyNo'), value: order.thirdPartyNo },
          { label: t('field.channelRefundNo'), value: refund.channelRefundNo },
          { label: t('field.requestedAt'), value: when(refund.requestedAt) },
          { label: t('field.requestedBy'), value: refund.requestedBy ?? t('event.rule') },
          { label: t('field.decidedBy'), value: refund.decidedBy },
          { label: t('field.decidedAt'), value: when(refund.decidedAt) },
          { label: t('field.tries'), value: refund.tries > 0 ? String(refund.tries) : null },
          { label: t('field.sentAt'), value: when(refund.sentAt) },
          { label: t('field.nextAt'), value: when(refund.nextAt) },
          { label: t('field.endedAt'), value: when(refund.endedAt) },
        ]}
      />
    </Section>
  )
}

type PaidBack = NonNullable<RefundDetail['payBack']>

function PayBack({ refund, payBack }: { refund: RefundDetail; payBack: PaidBack }) {
  const t = useText('refund')
  const { by, agreedBy, way, note, proof, at } = payBack
  const who = by ?? ''
  return (
    <Section title={t('section.payBack')}>
      <p className={agreedBy ? 'quiet' : styles.why}>
        {agreedBy ? t('payBack.agreed', { who, other: agreedBy }) : t('payBack.waits', { who })}
      </p>
      <Facts
        facts={[
          { label: t('field.way'), value: t(`payBackWay.${way}`) },
          { label: t('field.amountFen'), value: <Money fen={refund.amountFen} /> },
          { label: t('field.note'), value: note },
          { label: t('field.requestedAt'), value: <When at={at} /> },
          { label: t('field.proof'), value: <Scans pictures={proof} label={t('field.proof')} /> },
        ]}
      />
    </Section>
  )
}

const tones: Record<string, Tone> = {
  confirm: 'good',
  agreePayBack: 'good',
  reject: 'idle',
  redelivered: 'idle',
  failed: 'bad',
  needs_handling: 'bad',
  paidToo: 'bad',
  unknown: 'warn',
}

function Story({ refund: { story } }: { refund: RefundDetail }) {
  const t = useText('refund')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`event.${verb}`, { who: who ?? t('event.rule') }),
        detail: noteText(note, t),
        when: <Ago at={at} />,
      }))}
    />
  )
}

const noteText = (note: string, t: Text<'refund'>): string =>
  t.has(`note.${note}`) ? t.any(`note.${note}`) : detailText(note, t)
