import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  bankAccountFields,
  bankAccountState,
  comparedFields,
  getBankAccount,
} from '@aisle/contract/merchant/bankAccount'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { type Text, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import { AccountVerbs } from './accountVerbs'
import { Scans } from '../../shelf/scansInput'
import styles from './paperwork.module.css'

export type AccountDetail = OutputOf<typeof getBankAccount>

/** For whoever reviews: what would change comes before what is the same. */
export function AccountDrawer({ id }: DrawerRow) {
  const t = useText('merchant')
  const result = useEndpoint(getBankAccount, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ merchantName }) => merchantName}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={bankAccountFields.state} t={t} />
        </div>
      )}
      actions={(account) => <AccountVerbs account={account} />}
    >
      {(account) => (
        <>
          {bankAccountState.is(account.state, 'rejected') && <p className={styles.warning}>{account.reason}</p>}
          {bankAccountState.is(account.state, 'pending') && account.isOwn && (
            <p className={styles.note}>{t('bankAccount.waits')}</p>
          )}
          <Section title={t('bankAccount.section.changes')}>
            <Changes account={account} />
          </Section>
          <Section title={t('bankAccount.section.facts')}>
            <AccountFacts account={account} />
          </Section>
          <Section title={t('bankAccount.section.story')}>
            <Timeline moments={storyOf(account, t)} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

type Change = AccountDetail['changes'][number]

function Changes({ account: { changes } }: { account: AccountDetail }) {
  const t = useText('merchant')
  if (changes.length === 0) return <p className="quiet">{t('bankAccount.change.none')}</p>
  if (changes.every(({ before }) => before === null)) return <p className="quiet">{t('bankAccount.change.first')}</p>
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('bankAccount.change.field')}</th>
          <th scope="col">{t('bankAccount.change.before')}</th>
          <th scope="col">{t('bankAccount.change.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{t(`field.${change.field}`)}</th>
            <td className={styles.before}>{wordOf(change.field, change.before, t)}</td>
            <td className={styles.after}>
              {wordOf(change.field, change.after, t)}
              {change.before === change.after && <small> {t('bankAccount.change.sameTail')}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function wordOf(field: Change['field'], value: string | null, t: Text<'merchant'>): string {
  if (!value) return '–'
  if (field === 'holderKind') return t.any(`holderKind.${value}`)
  return field === 'documentKind' ? t.any(`documentKind.${value}`) : value
}

function AccountFacts({ account }: { account: AccountDetail }) {
  const t = useText('merchant')
  const { pictures } = account
  const scans = pictures.length > 0 ? <Scans pictures={pictures} label={t('field.pictures')} /> : null
  return (
    <Facts
      facts={[
        ...comparedFields.map((field) => ({ label: t(`field.${field}`), value: wordOf(field, account[field], t) })),
        { label: t('field.pictures'), value: scans },
      ]}
    />
  )
}

function storyOf(account: AccountDetail, t: Text<'merchant'>): Moment[] {
  const { state, authors, createdAt, requestedBy, requestedAt, reviewedBy, reviewedAt, endedAt, reason } = account
  const isGood = !bankAccountState.is(state, 'rejected')
  const moments: (Moment | false)[] = [
    {
      key: 'written',
      tone: 'idle',
      title: t('bankAccount.event.written', { who: authors.join(', ') }),
      when: <Ago at={createdAt} />,
    },
    requestedAt !== null && {
      key: 'asked',
      tone: 'busy',
      title: t('bankAccount.event.asked', { who: requestedBy ?? '–' }),
      when: <Ago at={requestedAt} />,
    },
    reviewedAt !== null && {
      key: 'reviewed',
      tone: isGood ? 'good' : 'bad',
      title: t(isGood ? 'bankAccount.event.approved' : 'bankAccount.event.rejected', { who: reviewedBy ?? '–' }),
      detail: reason,
      when: <Ago at={reviewedAt} />,
    },
    endedAt !== null && {
      key: 'ended',
      tone: 'idle',
      title: t('bankAccount.event.ended'),
      when: <Ago at={endedAt} />,
    },
  ]
  return moments.filter((moment) => moment !== false)
}
