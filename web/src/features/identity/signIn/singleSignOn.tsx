import { useEffect, useEffectEvent, useState } from 'react'
import { onLoginSSO, startSSO } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { CallFailure } from '../../../live/failure'
import { randomId } from '../../../live/id'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import { enterWith, halfwayOf, type SecondFactorAsked, type SignedInAnswer } from './enter'
import styles from './loginAbout.module.css'

const CUSTOM_DATA = 'aisle.customData'
/** What this browser named itself when it left for the provider; nobody else's return is taken. */
const BROWSER_KEY = 'aisle.ssoKey'

type Props = {
  isSilent: boolean
  onSecondFactor: (asked: SecondFactorAsked) => void
  onSignedIn: (path: string) => void
}

/** /ssologin goes to the provider and comes back; /loginSilent takes a ticket. Either says so when it is refused. */
export function SingleSignOn({ isSilent, onSecondFactor, onSignedIn }: Props) {
  const t = useText('identity')
  const [fault, setFault] = useState<string | null>(null)
  const enter = useEffectEvent((answer: SignedInAnswer) => {
    if (answer.secondFactor) onSecondFactor(answer.secondFactor)
    else onSignedIn(enterWith(answer))
  })
  const fail = useEffectEvent((failure: unknown) => {
    if (failure instanceof CallFailure) return setFault(failure.message)
    setFault(failure instanceof Stopped ? t(`sso.${failure.reason}`) : t('sso.failed'))
  })
  useEffect(() => {
    const query = new URLSearchParams(location.search)
    const isLeaving = !isSilent && !query.has('code') && !query.has('error')
    if (isLeaving) leave().catch(fail)
    else handOver(query, isSilent).then(enter, fail)
  }, [isSilent])

  if (fault === null) {
    return (
      <div className={styles.loginState} role="status">
        <span className={styles.loginSpinner} aria-hidden="true" />
        <h1>{isSilent ? t('sso.silentTitle') : t('sso.title')}</h1>
        <p>{t('sso.busy')}</p>
      </div>
    )
  }
  return (
    <div className={styles.loginState} role="alert">
      <Icon name="lock" size={28} />
      <h1>{t('sso.failed')}</h1>
      <p>{fault}</p>
      <a className="btn btn-main" href="/login">
        {t('sso.back')}
      </a>
    </div>
  )
}

/** No call is worth making: the provider said no, or the address has nothing to hand over. */
class Stopped extends Error {
  readonly reason: 'refused' | 'noTicket'

  constructor(reason: 'refused' | 'noTicket') {
    super(reason)
    this.name = 'Stopped'
    this.reason = reason
  }
}

async function leave(): Promise<void> {
  const browserKey = randomId()
  sessionStorage.setItem(BROWSER_KEY, browserKey)
  const { address } = await call(startSSO, { browserKey }, { errors: 'throw' })
  location.assign(address)
}

async function handOver(query: URLSearchParams, isSilent: boolean): Promise<SignedInAnswer> {
  const said = (name: string) => {
    const value = query.get(name)
    return value ? { [name]: value } : {}
  }
  if (isSilent && !query.has('ticket')) throw new Stopped('noTicket')
  if (query.has('error')) throw new Stopped('refused')
  const browserKey = sessionStorage.getItem(BROWSER_KEY)
  const returned = { ...said('code'), ...said('state'), ...said('iss'), ...(browserKey ? { browserKey } : {}) }
  const input = isSilent ? said('ticket') : returned
  const answer = await call(onLoginSSO, input, { errors: 'throw' }).catch(halfwayOf)
  sessionStorage.removeItem(BROWSER_KEY)
  const customData = 'customData' in answer ? answer.customData : {}
  sessionStorage.setItem(CUSTOM_DATA, JSON.stringify(customData ?? {}))
  return answer
}
