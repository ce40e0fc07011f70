import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getProviderAccount, providerAccountFields } from '@aisle/contract/payment/provider'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { CopyButton } from '../../ui/control/copy'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { ProviderVerbs, SetKey } from './providerVerbs'
import styles from './payment.module.css'

export type ProviderDetail = OutputOf<typeof getProviderAccount>

/** Numbers and addresses to compare with the provider's own page, and which keys are in force since when. */
export function ProviderDrawer({ id }: DrawerRow) {
  const t = useText('payment')
  const result = useEndpoint(getProviderAccount, { id }, { errors: 'throw' })
  const { keyState, environment } = providerAccountFields
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={(account) => (
        <div className="tags">
          <StateCell value={account.keyState} field={keyState} t={t} />
          <StateCell value={account.environment} field={environment} t={t} />
        </div>
      )}
      actions={(account) => <ProviderVerbs account={account} />}
    >
      {(account) => (
        <>
          <Section title={t('section.test')}>
            <TestResult account={account} />
          </Section>
          <Section title={t('section.keys')}>
            <Keys account={account} />
          </Section>
          <Section title={t('section.parameters')}>
            <Parameters account={account} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function TestResult({ account }: { account: ProviderDetail }) {
  const t = useText('payment')
  const { testOutcome, testedAt, testAskedAt, testSaid } = account
  if (testOutcome === null || testedAt === null) {
    return <p className="quiet">{t(testAskedAt ? 'test.asked' : 'test.never')}</p>
  }
  return (
    <Facts
      facts={[
        {
          label: t('field.testOutcome'),
          value: <StateCell value={testOutcome} field={providerAccountFields.testOutcome} t={t} />,
        },
        { label: t('field.note'), value: t(`testOutcome.${testOutcome}.help`) },
        { label: t('field.testSaid'), value: testSaid },
        { label: t('field.testedAt'), value: <Ago at={testedAt} /> },
      ]}
    />
  )
}

function Keys({ account }: { account: ProviderDetail }) {
  const t = useText('payment')
  return (
    <ul className={styles.keys}>
      {account.keys.map((key) => (
        <li key={key.kind}>
          <div className={styles.line}>
            <strong data-hint={t(`keyKind.${key.kind}.help`)}>{t(`keyKind.${key.kind}`)}</strong>
            {key.fingerprint === null ? (
              <Tag tone="warn" word={t('key.unset')} hint={t(`keyKind.${key.kind}.help`)} />
            ) : (
              <StateCell value={key.state} field={providerAccountFields.keyState} t={t} />
            )}
          </div>
          {key.fingerprint !== null && <code>{t('key.fingerprint', { print: key.fingerprint })}</code>}
          {key.serial && <code>{t('key.serial', { serial: key.serial })}</code>}
          {key.subject && <span className="quiet">{key.subject}</span>}
          {key.validUntil && (
            <span>
              {t('field.validUntil')} <When at={key.validUntil} />
            </span>
          )}
          {key.setAt && (
            <small className="quiet">
              {t('field.setAt')} <Ago at={key.setAt} />
              {key.setBy && ` · ${key.setBy}`}
            </small>
          )}
          <SetKey account={account} kind={key.kind} />
        </li>
      ))}
    </ul>
  )
}

function Parameters({ account }: { account: ProviderDetail }) {
  const t = useText('payment')
  const { callbackAddress } = account
  const callback = callbackAddress ? (
    <span className={styles.address}>
      <code>{callbackAddress}</code>
      <CopyButton text={callbackAddress} />
    </span>
  ) : (
    <ScreenLink screen="xtgl/sz" search={{}}>
      {t('callback.unset')}
    </ScreenLink>
  )
  return (
    <Facts
      facts={[
        { label: t('field.provider'), value: t(`provider.${account.provider}`) },
        { label: t('field.acquirer'), value: account.acquirer },
        { label: t('field.merchantName'), value: account.merchantName },
        { label: t('field.appId'), value: account.appId },
        { label: t('field.providerNo'), value: account.providerNo },
        { label: t('field.gateway'), value: account.gateway || t('gateway.shipped') },
        { label: t('field.callbackAddress'), value: callback },
        { label: t('field.accounts'), value: countText(account.accounts) },
        { label: t('field.createdAt'), value: <Ago at={account.createdAt} /> },
      ]}
    />
  )
}
