import * as contract from '@aisle/contract/fleet/officialAccount'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { countText } from '../../../admin/fields/number'
import { record } from '../../../admin/record'
import type { DrawerRow } from '../../../admin/rowDrawer'
import { CopyButton } from '../../../ui/control/copy'
import { Facts } from '../../../ui/facts'
import { SecretOnce } from '../../../ui/feedback/secretOnce'
import { Tabs } from '../../../ui/control/tabs'
import { useText } from '../../../ui/text'
import { AccountMachines } from './accountMachines'

type Of = { account: contract.OfficialAccountDetail }

export const accounts = record({
  of: contract.officialAccount,
  list: contract.listOfficialAccounts,
  get: contract.getOfficialAccount,
  add: contract.addOfficialAccount,
  edit: contract.editOfficialAccount,
  moves: { stop: contract.stopOfficialAccount, resume: contract.resumeOfficialAccount },
  remove: contract.removeOfficialAccount,
  isUnused: ({ machineCount }) => machineCount === 0,
})

/** Where customers are led, what they are told, and on which machines. */
export function OfficialAccountDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  return (
    <accounts.Drawer id={id} tags={['state', 'platform']} verbs={(account) => <Token account={account} />}>
      {(account) => (
        <Tabs
          label={account.name}
          current={tab}
          onPick={pickTab}
          tabs={[
            { key: 'machines', label: t('point.tab.machines'), panel: <AccountMachines account={account} /> },
            { key: 'facts', label: t('hospital.tab.facts'), panel: <Overview account={account} /> },
          ]}
        />
      )}
    </accounts.Drawer>
  )
}

function Overview({ account }: Of) {
  const t = useText('fleet')
  const { platform, appId, hasSecret, hasToken, mustFollow, link, merchantName, followers, failed } = account
  const silent = contract.whySilent(account)
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
function Callback({ account: { callbackAddress, hasToken } }: Of) {
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

function Token({ account: { id, name, platform } }: Of) {
  const t = useText('fleet')
  const [made, setMade] = useState<{ token: string } | null>(null)
  if (platform !== 'wechat_account') return null
  return (
    <>
      <CommandButton
        t={t}
        endpoint={contract.makeAccountToken}
        verb="makeAccountToken"
        target={{ id }}
        vars={{ name }}
        changes={accounts.shown}
        tone="danger"
        onDone={setMade}
      />
      {made && (
        <SecretOnce
          title={t('secret.title', { code: name })}
          about={t('account.token.once')}
          secret={made.token}
          onClose={() => setMade(null)}
        />
      )}
    </>
  )
}
