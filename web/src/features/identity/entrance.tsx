import type { ReactNode } from 'react'
import { LanguageMenu, ThemeMenu } from '../../ui/choosers'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { BrandPanel } from './brand-panel'
import './login.css'

/** What stands around everything that happens before a session. */
export function Entrance(props: { isPartner?: boolean; foot?: ReactNode; children: ReactNode }) {
  const { isPartner = false, foot, children } = props
  const t = useText('identity')
  return (
    <div className={isPartner ? 'login login-partner' : 'login'}>
      <BrandPanel isPartner={isPartner} />
      <div className="login-side">
        <header className="login-top">
          <ThemeMenu />
          <LanguageMenu />
        </header>
        <main className="login-main">
          {!isSecureContext && (
            <p className="login-banner" role="note">
              <Icon name="alert" /> {t('login.insecure')}
            </p>
          )}
          {children}
        </main>
        {foot && <footer className="login-foot">{foot}</footer>}
      </div>
    </div>
  )
}
