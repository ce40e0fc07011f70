import { lazy, Suspense, useEffect, useState } from 'react'
import type { LoginPath } from '../../live/session'
import { toast } from '../../ui/notice'
import { usePageTitle } from '../../ui/page-title'
import { useText } from '../../ui/text'
import type { SecondFactorAsked } from './enter'
import { Entrance } from './entrance'
import './login-about.css'
import { AboutApp, AboutHelper } from './login-about'
import { LoginForm } from './login-form'
import { addressWith, LoginLinks } from './login-links'
import { LoginSso } from './login-sso'
import { wasPasswordChanged } from './remember'
import { SingleSignOn } from './single-sign-on'

type Props = { path: LoginPath; onTry: () => void; onSignedIn: (path: string) => void }

// Few need them, so the page that everybody waits for comes without.
const SecondFactorStep = lazy(async () => ({ default: (await import('./second-factor-step')).SecondFactorStep }))
const Forgotten = lazy(async () => ({ default: (await import('./forgotten')).Forgotten }))

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
      <h1 className="login-title">{isPartner ? t('login.partner.title') : t('login.welcome')}</h1>
      <p className="login-subtitle">{isPartner ? t('login.partner.hint') : t('login.hint')}</p>
    </>
  )
}
