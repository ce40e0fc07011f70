import type { PasswordPolicy } from '@aisle/contract/identity/password'
import { useEffect, useState } from 'react'
import { getEntranceSettings } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { usePageTitle } from '../../../ui/pageTitle'
import { useText } from '../../../ui/text'
import { Entrance } from '../signIn/entrance'
import { shippedPolicy } from '../signIn/firstAdmin.rules'
import { PasswordChange } from './passwordChange'
import styles from '../signIn/login.module.css'

/** In the place of the whole application, until somebody who was given a password has one of their own. */
export function MustChangePage({ onLeave }: { onLeave: () => void }) {
  const t = useText('identity')
  const policy = usePasswordPolicy()
  usePageTitle(t('password.must.title'))
  return (
    <Entrance>
      <h1 className={styles.title}>{t('password.must.title')}</h1>
      <p className={styles.subtitle}>{t('password.must.hint')}</p>
      <PasswordChange policy={policy} />
      <button type="button" className={styles.forgot} onClick={onLeave}>
        {t('password.must.leave')}
      </button>
    </Entrance>
  )
}

/** The shipped one until the platform's has come. */
export function usePasswordPolicy(): PasswordPolicy {
  const [policy, setPolicy] = useState(shippedPolicy)
  useEffect(() => {
    call(getEntranceSettings, {}, { errors: 'silent' }).then(
      ({ passwordMin: min, passwordMax: max }) => setPolicy({ min, max }),
      () => undefined,
    )
  }, [])
  return policy
}
