import { useNavigate, useSearch } from '@tanstack/react-router'
import { screenOf } from '@aisle/contract/screens'
import { Tabs } from '../../../ui/control/tabs'
import { useText } from '../../../ui/text'
import styles from '../account.module.css'
import { DevicesPanel } from '../devicesPanel'
import { FactorPanel } from '../factor/factorPanel'
import { usePasswordPolicy } from './mustChange'
import { PasswordChange } from './passwordChange'

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
    <div className={styles.account}>
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
    <section className={styles.panel}>
      <p className={styles.lead}>{t('password.lead')}</p>
      <div className={styles.form}>
        <PasswordChange policy={policy} />
      </div>
    </section>
  )
}
