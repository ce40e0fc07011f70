import { useEffect, useState } from 'react'
import { createFirstAdmin, getFirstAdminParam } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { CallFailure } from '../../../live/failure'
import { Icon } from '../../../ui/icons'
import { toast } from '../../../ui/feedback/notice'
import { usePageTitle } from '../../../ui/pageTitle'
import { currentLanguage, useText } from '../../../ui/text'
import { Entrance } from './entrance'
import type { Entered } from './firstAdmin.rules'
import { FirstAdminForm } from './firstAdminForm'
import styles from './loginAbout.module.css'
import { makeVerifier } from './prove'

/** The account whose owner comes to the landing page (specification 2.2). */
const SUGGESTED = 'admin'
const LINK_INVALID = 'firstAdmin.linkInvalid'

/** The one-time address that a first start prints. Its token stands behind the `#`, so no server's log holds it. */
export function FirstAdminPage({ onMade }: { onMade: () => void }) {
  const t = useText('identity')
  const [token] = useState(() => location.hash.slice(1))
  const [refusal, setRefusal] = useState<string | null>(null)
  usePageTitle(t('firstAdmin.title'))
  useEffect(() => {
    if (!token) return
    askParam(token, SUGGESTED).catch((failure: unknown) => setRefusal(refusalIn(failure)))
  }, [token])

  const make = async (entered: Entered) => {
    try {
      await makeAdmin(token, entered)
    } catch (failure) {
      const said = refusalIn(failure)
      if (said === null) throw failure
      return setRefusal(said)
    }
    toast('good', t('firstAdmin.done'))
    onMade()
  }
  const closed = token ? refusal : t('firstAdmin.noToken')
  return (
    <Entrance>
      {closed === null ? <FirstAdminForm suggested={SUGGESTED} onSend={make} /> : <Closed why={closed} />}
    </Entrance>
  )
}

const askParam = (token: string, account: string) => call(getFirstAdminParam, { token, account }, { errors: 'throw' })

async function makeAdmin(token: string, { account, displayName, platformName, password }: Entered): Promise<void> {
  const { salt, kdf } = await askParam(token, account)
  const verifier = await makeVerifier({ password, salt, kdf })
  const admin = { token, account, displayName, platformName, verifier, language: currentLanguage() }
  await call(createFirstAdmin, admin, { errors: 'throw' })
}

/** The words for a link that was used, is too old, or was never printed; null for any other failure. */
const refusalIn = (failure: unknown): string | null =>
  failure instanceof CallFailure && failure.code === LINK_INVALID ? failure.message : null

function Closed({ why }: { why: string }) {
  const t = useText('identity')
  return (
    <div className={styles.loginState} role="alert">
      <Icon name="lock" size={28} />
      <h1>{t('firstAdmin.closed')}</h1>
      <p>{why}</p>
      <a className="btn btn-main" href="/login">
        {t('firstAdmin.toLogin')}
      </a>
    </div>
  )
}
