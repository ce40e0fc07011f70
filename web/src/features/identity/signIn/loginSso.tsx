import { useEffect, useState } from 'react'
import { getEntrance } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import styles from './login.module.css'
import { classes } from '../../../ui/classes'

/** A way in beside the password, where the platform has one. */
export function LoginSso() {
  const t = useText('identity')
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    call(getEntrance, {}, { errors: 'silent' }).then(
      ({ ssoName }) => setName(ssoName),
      // Without an answer the password is the way in, and the form says what is wrong.
      () => undefined,
    )
  }, [])
  if (name === null) return null
  return (
    <a className={classes('btn', styles.sso)} href="/ssologin">
      <Icon name="user" /> {t('sso.with', { name })}
    </a>
  )
}
