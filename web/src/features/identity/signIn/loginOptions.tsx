import { useState } from 'react'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import { addressWith } from './loginLinks'
import { rememberedAccount } from './remember'
import styles from './login.module.css'

/** Remember-password, and what to do when it was forgotten. */
export function LoginOptions() {
  const t = useText('identity')
  const [isForgotten, setForgotten] = useState(false)
  return (
    <>
      <div className={styles.options}>
        <label className={styles.check} title={t('login.rememberHelp')}>
          <input type="checkbox" name="remember" defaultChecked={rememberedAccount() !== ''} />
          {t('login.remember')}
        </label>
        <button
          type="button"
          className={styles.forgot}
          aria-expanded={isForgotten}
          aria-controls="forgot-hint"
          onClick={() => setForgotten(!isForgotten)}
        >
          {t('login.forgot')}
        </button>
      </div>
      <p id="forgot-hint" className={styles.hint} hidden={!isForgotten}>
        <Icon name="info" />
        <span>
          {t('login.forgotHint')} <a href={addressWith('forgot')}>{t('login.forgotByPhone')}</a>
        </span>
      </p>
    </>
  )
}
