import { useNavigate, useSearch } from '@tanstack/react-router'
import { screenOf } from '@aisle/contract/screens'
import { Tabs } from '../../ui/tabs'
import { useText } from '../../ui/text'
import './account.css'
import { DevicesPanel } from './devices-panel'
import { FactorPanel } from './factor-panel'
import './login.css'
import { usePasswordPolicy } from './must-change'
import { PasswordChange } from './password-change'

const SCREEN = screenOf('xtgl/setpwd')

/** For everybody, a few times a year: the own password first, then what keeps others out and where one is signed in. */
export default function AccountPage() {
  const t = useText('identity')
  const titles = useText('screens')
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const tabs = [
    { key: 'password', label: t('account.tab.password'), panel: <PasswordPanel /> },
    { key: 'factor', label: t('account.tab.factor'), panel: <FactorPanel /> },
    { key: 'devices', label: t('account.tab.devices'), panel: <DevicesPanel /> },
  ]
  return (
    <div className="account">
      <h1>{titles.any(SCREEN.key)}</h1>
      <Tabs
        label={titles.any(SCREEN.key)}
        tabs={tabs}
        current={typeof search.tab === 'string' ? search.tab : null}
        onPick={(tab) => void navigate({ href: `${SCREEN.path}?tab=${tab}`, replace: true })}
      />
    </div>
  )
}

function PasswordPanel() {
  const t = useText('identity')
  const policy = usePasswordPolicy()
  return (
    <section className="account-panel">
      <p className="account-lead">{t('password.lead')}</p>
      <div className="account-form">
        <PasswordChange policy={policy} />
      </div>
    </section>
  )
}
