import type { ReactNode } from 'react'
import { orderFields } from '@aisle/contract/trade/order'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, Clock } from '../../admin/fields/time'
import { Facts } from '../../ui/facts'
import { ProductLink } from '../../shelf/productLink'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import type { ProblemDetail } from './problemDrawer'
import { codesText, itemTones } from './refundEvidence'
import styles from './refund.module.css'

type Of = { problem: ProblemDetail }

/** The three that may differ, each in its own words; where they differ is what has to be decided. */
export function Sides({ problem }: Of) {
  return (
    <div className={styles.problemSides}>
      <Ours problem={problem} />
      <Machine problem={problem} />
      <Channel problem={problem} />
    </div>
  )
}

const Side = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.problemSide}>
    <h4>{title}</h4>
    {children}
  </section>
)

const at = (moment: string | null) => moment && <Clock at={moment} />

function Ours({ problem: { ours, paidFen } }: Of) {
  const t = useText('refund')
  const trade = useText('trade')
  return (
    <Side title={t('evidence.ours')}>
      <Facts
        facts={[
          { label: t('evidence.total'), value: <Money fen={ours.totalFen - ours.discountFen} /> },
          { label: t('field.paidFen'), value: <Money fen={paidFen} /> },
          {
            label: t('evidence.payment'),
            value: <StateCell value={ours.paymentState} field={orderFields.paymentState} t={trade} />,
          },
          {
            label: t('evidence.ship'),
            value: <StateCell value={ours.shipState} field={orderFields.shipState} t={trade} />,
          },
          { label: t('evidence.ordered'), value: at(ours.occurredAt) },
          { label: t('evidence.paidAt'), value: at(ours.paidAt) },
          { label: t('evidence.shipSent'), value: at(ours.shipSentAt) },
          { label: t('evidence.finished'), value: at(ours.finishedAt) },
        ]}
      />
    </Side>
  )
}

function Machine({ problem: { machine, machineCode, machineName } }: Of) {
  const t = useText('refund')
  const trade = useText('trade')
  return (
    <Side title={t('evidence.machine')}>
      <p>
        <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
          {machineCode}
        </ScreenLink>{' '}
        {machineName}
      </p>
      <ul className={styles.problemLines}>
        {machine.items.map((item) => (
          <li key={item.index}>
            <span>
              <ProductLink id={item.productId}>{item.productName}</ProductLink> <Money fen={item.priceFen} />
            </span>
            <Tag tone={itemTones[item.state]} word={trade(`itemState.${item.state}`)} />
            <small className="quiet">
              {[t('evidence.slot', { slot: item.slotCode }), codesText(item, t)].filter(Boolean).join(' · ')}
            </small>
            {item.shippedAt && (
              <small className="quiet">
                <Clock at={item.shippedAt} />
              </small>
            )}
            {item.wrong && <small className={styles.problemWrong}>{trade(`wrongSale.${item.wrong}`)}</small>}
            {item.cameAgainAt && (
              <small>
                {t('evidence.cameAgain')} <Clock at={item.cameAgainAt} />
              </small>
            )}
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          { label: t('evidence.received'), value: at(machine.shipReceivedAt) },
          { label: t('evidence.lastSeen'), value: machine.lastSeenAt && <Ago at={machine.lastSeenAt} /> },
        ]}
      />
    </Side>
  )
}

function Channel({ problem: { channel, thirdPartyNo } }: Of) {
  const t = useText('refund')
  return (
    <Side title={t('evidence.channel')}>
      {!channel && <p className="quiet">{t('evidence.channel.none')}</p>}
      <Facts
        facts={[
          {
            label: t('evidence.channelPaid'),
            value: channel && channel.paidFen !== null ? <Money fen={channel.paidFen} /> : null,
          },
          { label: t('field.state'), value: channel && t.any(`attempt.${channel.state}`) },
          { label: t('evidence.attempt'), value: channel?.attemptNo ?? null },
          { label: t('field.thirdPartyNo'), value: channel?.channelNo ?? thirdPartyNo },
          { label: t('evidence.paidAt'), value: at(channel?.paidAt ?? null) },
        ]}
      />
    </Side>
  )
}
