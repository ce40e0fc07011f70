import type { ReactNode } from 'react'
import { LanguageMenu, ThemeMenu } from '../../../ui/control/choosers'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import { BrandPanel } from './brandPanel'
import styles from './login.module.css'
import { classes } from '../../../ui/classes'

/** What stands around everything that happens before a session. */
export function Entrance(props: { isPartner?: boolean; foot?: ReactNode; children: ReactNode }) {
  const { isPartner = false, foot, children } = props
  const t = useText('identity')
  return (
    <div className={isPartner ? classes(styles.login, styles.partner) : styles.login}>
      <BrandPanel isPartner={isPartner} />
      <div className={styles.side}>
        <header className={styles.top}>
          <ThemeMenu />
          <LanguageMenu />
        </header>
        <main className={styles.main}>
          {!isSecureContext && (
            <p className={styles.banner} role="note">
              <Icon name="alert" /> {t('login.insecure')}
            </p>
          )}
          {children}
        </main>
        {foot && <footer className={styles.foot}>{foot}</footer>}
      </div>
    </div>
  )
}
