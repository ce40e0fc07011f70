import { getSplitReceiver, splitReceiverFields } from '@aisle/contract/settlement/splitReceiver'
import { ScreenLinks } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { SplitReceiverVerbs } from './splitReceiverVerbs'
import styles from './settlement.module.css'

/** Who it is, how the channel knows it, what it is owed and owes, and what was said to the channel about it. */
export function SplitReceiverDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getSplitReceiver, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ receiverName }) => receiverName}
      head={({ state }) => <StateCell value={state} field={splitReceiverFields.state} t={t} />}
      actions={(receiver) => <SplitReceiverVerbs receiver={receiver} />}
    >
      {(receiver) => (
        <>
          <Facts
            facts={[
              { label: t('field.kind'), value: t(`receiverKind.${receiver.kind}`) },
              { label: t('field.ofName'), value: receiver.ofName },
              { label: t('field.provider'), value: t(`method.${receiver.provider}`) },
              { label: t('field.accountType'), value: t(`receiverAccountType.${receiver.accountType}`) },
              { label: t('field.account'), value: receiver.account },
              { label: t('field.consents'), value: receiver.consents ? '✓' : null },
              { label: t('field.merchantName'), value: receiver.merchantName },
              { label: t('field.boundAt'), value: receiver.boundAt && <When at={receiver.boundAt} /> },
              { label: t('field.detail'), value: receiver.detail },
              { label: t('field.unpaidFen'), value: <Money fen={receiver.unpaidFen} /> },
              { label: t('field.claimFen'), value: <Money fen={receiver.claimFen} /> },
            ]}
          />
          <ScreenLinks
            to={[
              ['cfgl/fztj', { part: 'orders', receiverId: String(receiver.id) }],
              ['cfgl/yhfzsz', { receiverId: String(receiver.id) }],
            ]}
          />
          <Section title={t('section.exchanges')}>
            {receiver.exchanges.length === 0 && <p className="quiet">{t('section.exchanges.empty')}</p>}
            <ul className={styles.bookLines}>
              {receiver.exchanges.map(({ at, outcome, answer }) => (
                <li key={at}>
                  <When at={at} />
                  <span>{outcome}</span>
                  <small>{answer}</small>
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </RowDrawer>
  )
}
