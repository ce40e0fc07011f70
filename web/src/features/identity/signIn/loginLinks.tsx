import { useEffect, useState } from 'react'
import { getEntranceSettings } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { Icon, type IconName } from '../../../ui/icons'
import { QrCode } from '../../../ui/qrCode'
import { useText } from '../../../ui/text'
import styles from './login.module.css'

export type About = 'app' | 'helper' | 'forgot'

const hosts = ['localhost', '127.0.0.1', '[::1]']
export const isLocalAddress = (): boolean => hosts.includes(location.hostname)

/** The address of this entrance with another `about`; all else in the query (`display`) stays. */
export function addressWith(about: About | null): string {
  const query = new URLSearchParams(location.search)
  query.delete('about')
  if (about) query.set('about', about)
  const text = query.toString()
  return `${location.pathname}${text ? `?${text}` : ''}`
}

/** Links to the mobile app and the operations helper; `display=0` hides their pictures (spec §2.2). */
export function LoginLinks() {
  const t = useText('identity')
  const isPictured = new URLSearchParams(location.search).get('display') !== '0'
  const configured = useConfigured()
  const links = [
    { about: 'app', icon: 'phone', title: t('login.app'), note: t('login.appNote'), qr: t('login.appQr'), own: '/' },
    {
      about: 'helper',
      icon: 'wrench',
      title: t('login.helper'),
      note: t('login.helperNote'),
      qr: t('login.helperQr'),
      own: '/login?about=helper',
    },
  ] as const satisfies readonly { about: About; icon: IconName; title: string; note: string; qr: string; own: string }[]
  return (
    <div className={styles.links}>
      {links.map(({ about, icon, title, note, qr, own }) => (
        <a key={about} className={styles.link} href={configured[about] ?? addressWith(about)}>
          {isPictured ? (
            <QrCode text={configured[about] ?? location.origin + own} className={styles.qr} label={qr} />
          ) : (
            <Icon name={icon} size={20} />
          )}
          <span>
            {title}
            <small>{isPictured ? note : null}</small>
          </span>
        </a>
      ))}
    </div>
  )
}

type Configured = { app: string | null; helper: string | null }

/** Addresses that an administrator gave; until they have come, and without them, our own pages stand in. */
function useConfigured(): Configured {
  const [configured, setConfigured] = useState<Configured>({ app: null, helper: null })
  useEffect(() => {
    call(getEntranceSettings, {}, { errors: 'silent' }).then(
      ({ helperLink, mobileAppLink }) => setConfigured({ app: mobileAppLink, helper: helperLink }),
      () => undefined,
    )
  }, [])
  return configured
}
