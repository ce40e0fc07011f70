import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getTransaction, transactionFields } from '@aisle/contract/settlement/transaction'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Entries } from '../../shelf/entries'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

/** What became of one payment: its sum, the settlements that it is in, and each posting. */
export function TransactionDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getTransaction, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ orderNo }) => orderNo}
      head={({ settled, paidFen }) => (
        <div className="tags">
          <strong>
            <Money fen={paidFen} />
          </strong>
          <StateCell value={settled} field={transactionFields.settled} t={t} />
        </div>
      )}
    >
      {(one) => (
        <>
          <Section title={t('transaction.sum')} note={t('batch.items.help')}>
            <Facts
              facts={[
                { label: t('field.totalFen'), value: <Money fen={one.totalFen} /> },
                { label: t('field.discountFen'), value: one.discountFen > 0 && <Money fen={-one.discountFen} /> },
                { label: t('field.paidFen'), value: <Money fen={one.paidFen} /> },
                { label: t('field.refundedFen'), value: one.refundedFen > 0 && <Money fen={-one.refundedFen} /> },
                {
                  label: t('field.channelFeeFen'),
                  value: one.channelFeeFen !== null && <Money fen={-one.channelFeeFen} />,
                },
                {
                  label: t('field.functionFeeFen'),
                  value: one.functionFeeFen !== null && <Money fen={-one.functionFeeFen} />,
                },
                { label: t('field.taxFen'), value: one.taxFen !== null && <Money fen={-one.taxFen} /> },
                { label: t('field.splitFen'), value: one.splitFen !== null && <Money fen={-one.splitFen} /> },
                { label: t('field.netFen'), value: one.netFen !== null && <Money fen={one.netFen} /> },
                {
                  label: t('transaction.order'),
                  value: (
                    <ScreenLink screen="jygl/ddgl" search={{ orderNo: one.orderNo }}>
                      {one.orderNo}
                    </ScreenLink>
                  ),
                },
              ]}
            />
          </Section>
          <Batches one={one} />
          <Section title={t('section.entries')}>
            <Entries entries={one.entries} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** Each time that something of it was settled. */
function Batches({ one }: { one: OutputOf<typeof getTransaction> }) {
  const t = useText('settlement')
  return (
    <Section title={t('part.batches')}>
      {one.batches.length === 0 && <p className="quiet">{t(`settledState.${one.settled}.help`)}</p>}
      <ul className={styles.bookLines}>
        {one.batches.map(({ id: lineId, settlementId, businessDay, refundNo, amountFen, runId, settledAt }) => (
          <li key={lineId}>
            <ScreenLink screen="cwgl/cwjs" search={{ open: String(settlementId) }}>
              {businessDay}
            </ScreenLink>
            {refundNo && <span>{`${t('batch.refund')} ${refundNo}`}</span>}
            <Money fen={amountFen} />
            <small>
              <When at={settledAt} />
            </small>
            {runId !== null && (
              <ScreenLink screen="xtgl/rjs" search={{ open: String(runId) }}>
                {t('batch.run')}
              </ScreenLink>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
