import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getWithdrawal, withdrawalFields } from '@aisle/contract/funds/withdrawal'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Entries } from '../../shelf/entries'
import { Timeline } from '../../ui/chart/timeline'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import type { Tone } from '../../ui/tag'
import { type Text, useText } from '../../ui/text'
import styles from './funds.module.css'
import { WithdrawalVerbs } from './withdrawalVerbs'

export type WithdrawalDetail = OutputOf<typeof getWithdrawal>

/** Where the money is, who let it go, what the bank said, and what was booked. */
export function WithdrawalDrawer({ id }: DrawerRow) {
  const t = useText('funds')
  const result = useEndpoint(getWithdrawal, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no }) => no}
      head={({ state, amountFen }) => (
        <div className="tags">
          <strong>
            <Money fen={amountFen} />
          </strong>
          <StateCell value={state} field={withdrawalFields.state} t={t} />
        </div>
      )}
      actions={(withdrawal) => <WithdrawalVerbs withdrawal={withdrawal} />}
    >
      {(withdrawal) => (
        <>
          {withdrawal.heldBack && <p className={styles.fundsWhy}>{t(`heldBack.${withdrawal.heldBack}`)}</p>}
          {withdrawal.detail && <p className={styles.fundsWhy}>{said(withdrawal.detail, t)}</p>}
          <WithdrawalFacts withdrawal={withdrawal} />
          <Section title={t('section.ledger')}>
            <Entries entries={withdrawal.entries} />
          </Section>
          <Section title={t('section.story')}>
            <Story withdrawal={withdrawal} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** A word of ours, else the bank's own as it came. */
const said = (detail: string, t: Text<'funds'>): string =>
  t.has(`detail.${detail}`) ? t.any(`detail.${detail}`) : detail

function WithdrawalFacts({ withdrawal }: { withdrawal: WithdrawalDetail }) {
  const t = useText('funds')
  const { feeFen, paidAt, finalOn, nextAt, tries, amountFen, limitFen } = withdrawal
  return (
    <Section title={t('section.facts')}>
      <Facts
        facts={[
          { label: t('field.merchantName'), value: withdrawal.merchantName },
          { label: t('field.amountFen'), value: <Money fen={amountFen} /> },
          { label: t('field.feeFen'), value: <Money fen={feeFen} /> },
          { label: t('field.totalFen'), value: feeFen > 0 && <Money fen={withdrawal.totalFen} /> },
          { label: t('field.bank'), value: withdrawal.bank },
          { label: t('field.account'), value: withdrawal.account },
          { label: t('field.accountHolder'), value: withdrawal.accountHolder },
          { label: t('field.holder'), value: withdrawal.holder },
          { label: t('field.fundsMode'), value: t(`fundsMode.${withdrawal.fundsMode}`) },
          { label: t('field.requestedBy'), value: withdrawal.requestedBy },
          { label: t('field.requestedAt'), value: <When at={withdrawal.requestedAt} /> },
          { label: t('field.dueOn'), value: <Day on={withdrawal.dueOn} /> },
          { label: t('field.limitFen'), value: amountFen > limitFen && <Money fen={limitFen} /> },
          { label: t('field.checkedBy'), value: withdrawal.checkedBy },
          { label: t('field.approvedBy'), value: withdrawal.approvedBy },
          { label: t('field.reason'), value: withdrawal.reason },
          { label: t('field.tries'), value: tries > 1 && String(tries) },
          { label: t('field.bankNo'), value: withdrawal.bankNo },
          { label: t('field.paidAt'), value: paidAt && <When at={paidAt} /> },
          { label: t('field.finalOn'), value: finalOn && <Day on={finalOn} /> },
          { label: t('field.nextAt'), value: tries > 0 && nextAt && <When at={nextAt} /> },
        ]}
      />
    </Section>
  )
}

const tones: Record<string, Tone> = {
  confirm: 'good',
  confirmLate: 'warn',
  lose: 'warn',
  fail: 'bad',
  giveBack: 'bad',
  reject: 'idle',
  cancel: 'idle',
}

function Story({ withdrawal: { story } }: { withdrawal: WithdrawalDetail }) {
  const t = useText('funds')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`event.${verb}`, { who: who ?? t('event.system') }),
        detail: said(note, t),
        when: <Ago at={at} />,
      }))}
    />
  )
}
