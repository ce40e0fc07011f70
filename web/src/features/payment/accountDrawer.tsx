import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { accountState, getPaymentAccount, paymentAccountFields } from '@aisle/contract/payment/account'
import { providerAccountFields } from '@aisle/contract/payment/provider'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { businessDay } from '../../ui/days'
import { dayText } from '../../ui/timeText'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { currentLocale, type Text, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import { AccountVerbs } from './accountVerbs'
import styles from './payment.module.css'

export type AccountDetail = OutputOf<typeof getPaymentAccount>

/** What an account collects under, whose the money is meanwhile, and what stands between it and its activation. */
export function AccountDrawer({ id }: DrawerRow) {
  const t = useText('payment')
  const result = useEndpoint(getPaymentAccount, { id }, { errors: 'throw' })
  const { state, fundsMode } = paymentAccountFields
  return (
    <RowDrawer
      result={result}
      title={({ merchantName, provider }) => `${merchantName} · ${t(`provider.${provider}`)}`}
      head={(account) => (
        <div className="tags">
          <StateCell value={account.state} field={state} t={t} />
          <StateCell value={account.fundsMode} field={fundsMode} t={t} />
        </div>
      )}
      actions={(account) => <AccountVerbs account={account} />}
    >
      {(account) => (
        <>
          <Notes account={account} />
          <Section title={t('section.account')}>
            <AccountFacts account={account} />
          </Section>
          {account.bank + account.accountName + account.receivingTail !== '' && (
            <Section title={t('section.receiving')}>
              <Facts
                facts={[
                  { label: t('field.bank'), value: account.bank },
                  { label: t('field.accountName'), value: account.accountName },
                  {
                    label: t('field.receivingNumber'),
                    value: account.receivingTail && `•••• ${account.receivingTail}`,
                  },
                ]}
              />
            </Section>
          )}
          <Section title={t('section.story')}>
            <Timeline moments={storyOf(account, t)} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function Notes({ account }: { account: AccountDetail }) {
  const t = useText('payment')
  const { hindrances, mayActivate, mayPublish, replaces, publishFault, state, keyState } = account
  const why = publishFault && t(`hindrance.${publishFault}`)
  return (
    <>
      {!accountState.is(state, 'stopped') && keyState !== 'complete' && <KeysNote account={account} />}
      {why && <p className={styles.note}>{t('account.fault', { why })}</p>}
      {!mayPublish && !accountState.is(state, 'stopped') && <p className={styles.note}>{t('account.notYours')}</p>}
      {mayPublish && !mayActivate && accountState.is(state, 'preparing') && (
        <p className={styles.note}>{t('account.platformOnly')}</p>
      )}
      {replaces !== null && <p className="quiet">{t('account.replaces', { id: replaces })}</p>}
      {hindrances.length > 0 && (
        <Section title={t('section.missing')}>
          <ul className={styles.missing}>
            {hindrances.map((each) => (
              <li key={each}>{t(`hindrance.${each}`)}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** What it collects with ends, has ended or is not all there: said before a customer finds out. */
function KeysNote({ account: { keyState, keysValidUntil, providerAccountName } }: { account: AccountDetail }) {
  const t = useText('payment')
  const day = keysValidUntil ? dayText(businessDay(Date.parse(keysValidUntil)), currentLocale()) : ''
  return (
    <p className={styles.note}>
      {keyState !== 'complete' && t(`account.keys.${keyState}`, { day })}{' '}
      <ScreenLink screen="xtgl/fwscssz" search={{ providerAccount: providerAccountName }}>
        {providerAccountName}
      </ScreenLink>
    </p>
  )
}

function AccountFacts({ account }: { account: AccountDetail }) {
  const t = useText('payment')
  const { machineCode, products, environment, state } = account
  const machine = machineCode && (
    <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
      {machineCode}
    </ScreenLink>
  )
  return (
    <Facts
      facts={[
        { label: t('field.todayFen'), value: <Money fen={account.todayFen} /> },
        { label: t('field.todayPaid'), value: countText(account.todayPaid) },
        { label: t('field.machines'), value: accountState.is(state, 'activated') ? countText(account.machines) : null },
        { label: t('field.machineCode'), value: machine ?? t('account.allMachines') },
        { label: t('field.fundsMode'), value: t(`fundsMode.${account.fundsMode}.help`) },
        { label: t('field.products'), value: products.map((each) => t(`product.${each}`)).join(' · ') },
        { label: t('field.subMerchantNo'), value: account.subMerchantNo || t('account.ownNumber') },
        { label: t('field.paymentTitle'), value: account.paymentTitle },
        { label: t('field.providerAccount'), value: account.providerAccountName },
        { label: t('field.environment'), value: t(`environment.${environment}`) },
        {
          label: t('account.keys'),
          value: <StateCell value={account.keyState} field={providerAccountFields.keyState} t={t} />,
        },
        {
          label: t('field.validUntil'),
          value: account.keysValidUntil && <When at={account.keysValidUntil} />,
        },
      ]}
    />
  )
}

function storyOf(account: AccountDetail, t: Text<'payment'>): Moment[] {
  const { copiedFrom, createdAt, publishAt, activatedAt, activatedBy, stoppedAt, stopReason, replacedBy } = account
  const moments: (Moment | false)[] = [
    {
      key: 'prepared',
      tone: 'idle',
      title: copiedFrom === null ? t('account.event.prepared') : t('account.event.copied', { id: copiedFrom }),
      when: <Ago at={createdAt} />,
    },
    publishAt !== null && {
      key: 'scheduled',
      tone: 'busy',
      title: t('account.event.scheduled'),
      detail: activatedBy,
      when: <When at={publishAt} />,
    },
    activatedAt !== null && {
      key: 'activated',
      tone: 'good',
      title: t('account.event.activated'),
      detail: activatedBy,
      when: <Ago at={activatedAt} />,
    },
    stoppedAt !== null && {
      key: 'stopped',
      tone: 'idle',
      title: replacedBy === null ? t('account.event.stopped') : t('account.event.replaced', { id: replacedBy }),
      detail: stopReason,
      when: <Ago at={stoppedAt} />,
    },
  ]
  return moments.filter((moment) => moment !== false)
}
