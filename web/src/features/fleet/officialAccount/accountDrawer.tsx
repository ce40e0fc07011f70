import {
  editOfficialAccount,
  getOfficialAccount,
  listOfficialAccounts,
  makeAccountToken,
  type OfficialAccountDetail,
  officialAccountFields,
  officialAccountState,
  removeOfficialAccount,
  resumeOfficialAccount,
  stopOfficialAccount,
  whySilent,
} from '@aisle/contract/fleet/officialAccount'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { countText } from '../../../admin/fields/number'
import { StateCell } from '../../../admin/fields/state'
import { RemoveButton } from '../../../admin/removeButton'
import { type DrawerRow, RowDrawer } from '../../../admin/rowDrawer'
import { useEndpoint } from '../../../live/query'
import { CopyButton } from '../../../ui/control/copy'
import { Facts } from '../../../ui/facts'
import { SecretOnce } from '../../../ui/feedback/secretOnce'
import { Tabs } from '../../../ui/control/tabs'
import { Tag } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import { AccountMachines } from './accountMachines'

export const accountNames = [
  'name',
  'link',
  'secret',
  'mustFollow',
  'paidTemplate',
  'shippedTemplate',
  'refundedTemplate',
  'pickupCodeTemplate',
] as const
const shown = [listOfficialAccounts, getOfficialAccount] as const

/** Where customers are led, what they are told, and on which machines. */
export function OfficialAccountDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getOfficialAccount, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state, platform }) => (
        <div className="tags">
          <StateCell value={state} field={officialAccountFields.state} t={t} />
          <Tag tone="idle" word={t(`accountPlatform.${platform}`)} />
        </div>
      )}
      actions={(account) => <Verbs account={account} />}
    >
      {(account) => (
        <div>
          <Tabs
            label={account.name}
            current={tab}
            onPick={pickTab}
            tabs={[
              {
                key: 'machines',
                label: t('point.tab.machines'),
                panel: <AccountMachines account={account} />,
              },
              { key: 'facts', label: t('hospital.tab.facts'), panel: <Overview account={account} /> },
            ]}
          />
        </div>
      )}
    </RowDrawer>
  )
}

function Overview({ account }: { account: OfficialAccountDetail }) {
  const t = useText('fleet')
  const { platform, appId, hasSecret, hasToken, mustFollow, link, merchantName, followers, failed } = account
  const silent = whySilent(account)
  const template = (id: string) => id || t('account.template.none')
  return (
    <Facts
      facts={[
        { label: t('field.merchantName'), value: merchantName },
        { label: t('account.telling'), value: t(silent ? `account.silent.${silent}` : 'account.telling.sends') },
        { label: t('account.failed'), value: failed > 0 ? <FailedLink count={failed} /> : null },
        { label: t('field.appId'), value: appId },
        { label: t('field.secret'), value: t(hasSecret ? 'account.secret.kept' : 'account.secret.none') },
        { label: t('field.link'), value: link },
        { label: t('field.mustFollow'), value: t(mustFollow ? 'account.follow.asked' : 'no') },
        { label: t('account.callback'), value: platform === 'wechat_account' ? <Callback account={account} /> : null },
        { label: t('account.followers'), value: hasToken ? countText(followers) : null },
        { label: t('field.paidTemplate'), value: template(account.paidTemplate) },
        { label: t('field.shippedTemplate'), value: template(account.shippedTemplate) },
        { label: t('field.refundedTemplate'), value: template(account.refundedTemplate) },
        { label: t('field.pickupCodeTemplate'), value: t('account.template.pickupCode') },
      ]}
    />
  )
}

/** What is entered at WeChat, so that it tells us who follows. */
function Callback({ account: { callbackAddress, hasToken } }: { account: OfficialAccountDetail }) {
  const t = useText('fleet')
  return (
    <>
      {callbackAddress ? (
        <>
          <code>{callbackAddress}</code> <CopyButton text={callbackAddress} />
        </>
      ) : (
        t('account.callback.noSite')
      )}
      <p className="quiet">{t(hasToken ? 'account.callback.signed' : 'account.callback.none')}</p>
    </>
  )
}

const FailedLink = ({ count }: { count: number }) => (
  <Link to={screenOf('xtgl/xxts').path} search={{ channel: 'wechat', state: 'failed' }}>
    {countText(count)}
  </Link>
)

function Verbs({ account }: { account: OfficialAccountDetail }) {
  const t = useText('fleet')
  const { id, version, name, state, machineCount: machines } = account
  const [made, setMade] = useState<{ token: string } | null>(null)
  const common = { t, target: { id }, vars: { name, machineCount: machines }, changes: shown }
  const initial = Object.fromEntries(
    accountNames
      .filter((each) => each !== 'secret')
      .map((each) => [each, account[each as keyof OfficialAccountDetail]]),
  )
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editOfficialAccount}
        verb="editOfficialAccount"
        target={{ id, version }}
        fields={officialAccountFields}
        names={accountNames}
        initial={initial}
      />
      <CommandButton
        {...common}
        endpoint={stopOfficialAccount}
        verb="stopOfficialAccount"
        tone="danger"
        isEnabled={officialAccountState.can(state, 'stop')}
      />
      <CommandButton
        {...common}
        endpoint={resumeOfficialAccount}
        verb="resumeOfficialAccount"
        tone="main"
        isEnabled={officialAccountState.can(state, 'resume')}
      />
      {account.platform === 'wechat_account' && (
        <CommandButton {...common} endpoint={makeAccountToken} verb="makeAccountToken" tone="danger" onDone={setMade} />
      )}
      {made && (
        <SecretOnce
          title={t('secret.title', { code: name })}
          about={t('account.token.once')}
          secret={made.token}
          onClose={() => setMade(null)}
        />
      )}
      <RemoveButton
        {...common}
        endpoint={removeOfficialAccount}
        verb="removeOfficialAccount"
        isEnabled={machines === 0}
        changes={[listOfficialAccounts]}
      />
    </>
  )
}
