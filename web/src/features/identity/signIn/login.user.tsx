import { lazy, Suspense, useEffect, useState } from 'react'
import type { LoginPath } from '../../../live/session'
import { toast } from '../../../ui/feedback/notice'
import { usePageTitle } from '../../../ui/pageTitle'
import { useText } from '../../../ui/text'
import type { SecondFactorAsked } from './enter'
import { Entrance } from './entrance'
import { AboutApp, AboutHelper } from './loginAbout'
import { LoginForm } from './loginForm'
import { addressWith, LoginLinks } from './loginLinks'
import { LoginSso } from './loginSso'
import { wasPasswordChanged } from './remember'
import { SingleSignOn } from './singleSignOn'
import styles from './login.module.css'

type Props = { path: LoginPath; onTry: () => void; onSignedIn: (path: string) => void }

// Few need them, so the page that everybody waits for comes without.
const SecondFactorStep = lazy(async () => ({ default: (await import('../factor/secondFactorStep')).SecondFactorStep }))
const Forgotten = lazy(async () => ({ default: (await import('../password/forgotten')).Forgotten }))

/** All login-type paths of specification 2.1. Without kit and router: it is the page that everybody waits for. */
export default function LoginPage({ path, onTry, onSignedIn }: Props) {
  const t = useText('identity')
  usePageTitle(t('login.title'))
  useEffect(() => {
    if (wasPasswordChanged()) toast('good', t('password.done'))
  }, [t])
  const isPartner = path === '/loginSrx'
  return (
    <Entrance isPartner={isPartner} foot={<LoginLinks />}>
      <Suspense>
        <Content path={path} onTry={onTry} onSignedIn={onSignedIn} />
      </Suspense>
    </Entrance>
  )
}

function Content({ path, onTry, onSignedIn }: Props) {
  const [about, setAbout] = useState(() => new URLSearchParams(location.search).get('about'))
  const [asked, setAsked] = useState<SecondFactorAsked | null>(null)
  const back = addressWith(null)
  const leaveAbout = () => {
    history.replaceState(null, '', back)
    setAbout(null)
  }
  if (asked) return <SecondFactorStep asked={asked} onBack={() => setAsked(null)} onSignedIn={onSignedIn} />
  if (about === 'app') return <AboutApp back={back} />
  if (about === 'helper') return <AboutHelper back={back} />
  if (about === 'forgot') return <Forgotten back={back} onDone={leaveAbout} />
  if (path === '/ssologin' || path === '/loginSilent') {
    return <SingleSignOn isSilent={path === '/loginSilent'} onSecondFactor={setAsked} onSignedIn={onSignedIn} />
  }
  return (
    <>
      <Welcome isPartner={path === '/loginSrx'} />
      <LoginForm onTry={onTry} onSecondFactor={setAsked} onSignedIn={onSignedIn} />
      <LoginSso />
    </>
  )
}

function Welcome({ isPartner }: { isPartner: boolean }) {
  const t = useText('identity')
  return (
    <>
      <h1 className={styles.title}>{isPartner ? t('login.partner.title') : t('login.welcome')}</h1>
      <p className={styles.subtitle}>{isPartner ? t('login.partner.hint') : t('login.hint')}</p>
    </>
  )
}
