import { useEffect, useState } from 'react'
import { now } from '../../../live/clock'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import { isLocalAddress } from './loginLinks'
import { QrCode } from '../../../ui/qrCode'
import styles from './loginAbout.module.css'
import { classes } from '../../../ui/classes'

/** What the two links of the footer open while no address of another program has been configured. */
export function AboutApp({ back }: { back: string }) {
  const t = useText('identity')
  const address = `${location.origin}/`
  return (
    <div className={styles.loginAbout}>
      <h1>{t('about.app.title')}</h1>
      <p>{t('about.app.body')}</p>
      <div className={styles.address}>
        <QrCode text={address} label={t('login.appQr')} />
        <a href={address}>{address}</a>
      </div>
      {isLocalAddress() && <p className={styles.loginNote}>{t('about.app.local')}</p>}
      <p className={styles.loginNote}>{t('about.app.native')}</p>
      <BackLink back={back} />
    </div>
  )
}

export function AboutHelper({ back }: { back: string }) {
  const t = useText('identity')
  const server = useServerCheck()
  const link = isLocalAddress() ? 'local' : location.protocol === 'https:' ? 'good' : 'bad'
  return (
    <div className={styles.loginAbout}>
      <h1>{t('about.helper.title')}</h1>
      <p>{t('about.helper.body')}</p>
      <dl className={styles.loginChecks}>
        <Check
          label={t('about.helper.server')}
          state={server.state}
          word={t(`about.helper.server.${server.state}`, server)}
        />
        <Check
          label={t('about.helper.link')}
          state={link === 'bad' ? 'bad' : 'good'}
          word={t(`about.helper.link.${link}`)}
        />
      </dl>
      <p className={styles.loginNote}>
        <strong>{t('about.helper.password')}</strong> {t('login.forgotHint')}
      </p>
      <p className={styles.loginNote}>{t('about.helper.native')}</p>
      <BackLink back={back} />
    </div>
  )
}

type State = 'good' | 'bad' | 'busy'

function Check({ label, state, word }: { label: string; state: State; word: string }) {
  return (
    <div className={classes(styles.loginChecked, styles[`login-checked-${state}`])}>
      <dt>{label}</dt>
      <dd>
        <Icon name={state === 'good' ? 'check' : state === 'bad' ? 'alert' : 'refresh'} size={14} /> {word}
      </dd>
    </div>
  )
}

function useServerCheck(): { state: State; ms: number } {
  const [seen, setSeen] = useState<{ state: State; ms: number }>({ state: 'busy', ms: 0 })
  useEffect(() => {
    const startedAt = now()
    fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).then(
      (response) => setSeen({ state: response.ok ? 'good' : 'bad', ms: now() - startedAt }),
      () => setSeen({ state: 'bad', ms: 0 }),
    )
  }, [])
  return seen
}

function BackLink({ back }: { back: string }) {
  const t = useText('identity')
  return (
    <a className="btn" href={back}>
      <Icon name="back" /> {t('about.back')}
    </a>
  )
}
