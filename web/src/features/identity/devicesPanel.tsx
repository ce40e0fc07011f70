import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from '@aisle/contract/identity/ownSessions'
import { CommandButton } from '../../admin/commandButton'
import { momentText } from '../../ui/timeText'
import { useEndpoint } from '../../live/query'
import { Icon } from '../../ui/icons'
import { Tag } from '../../ui/tag'
import { currentLocale, type Text, useText } from '../../ui/text'
import styles from './account.module.css'

/** Where one is signed in: what is not one's own is ended here, and its browser hears it at once. */
export function DevicesPanel() {
  const t = useText('identity')
  const { data } = useEndpoint(listOwnSessions, {}, { refetchInterval: REFRESH_MS })
  if (!data) return <p role="status">{t('devices.loading')}</p>
  const others = data.items.filter(({ isThis }) => !isThis).length
  return (
    <section className={styles.panel}>
      <p className={styles.lead}>{data.isSingle ? t('devices.single') : t('devices.lead')}</p>
      <div className={styles.actions}>
        <CommandButton
          endpoint={endOtherSessions}
          verb="endOthers"
          target={{}}
          vars={{ count: others }}
          t={t}
          isEnabled={others > 0}
          changes={[listOwnSessions]}
        />
      </div>
      <ul className={styles.devices}>
        {data.items.map((session) => (
          <Device key={session.id} session={session} t={t} />
        ))}
      </ul>
    </section>
  )
}

const REFRESH_MS = 30_000

function Device({ session, t }: { session: OwnSession; t: Text<'identity'> }) {
  const device = deviceWords(session, t)
  const place = session.isSameNetwork ? t('devices.sameNetwork') : t('devices.otherNetwork')
  return (
    <li className={styles.device}>
      <Icon name={session.isMobile ? 'phone' : 'screen'} size={24} />
      <div className={styles.deviceFacts}>
        <b>{device}</b>
        {session.isThis && <Tag tone="good" word={t('devices.this')} />}
        <small>
          {session.ip} · {place}
        </small>
        <small>{t('devices.times', { since: timeText(session.signedInAt), seen: timeText(session.lastSeenAt) })}</small>
      </div>
      {!session.isThis && (
        <CommandButton
          endpoint={endOwnSession}
          verb="endSession"
          target={{ id: session.id }}
          vars={{ device }}
          t={t}
          changes={[listOwnSessions]}
        />
      )}
    </li>
  )
}

function deviceWords({ browser, version, system }: OwnSession, t: Text<'identity'>): string {
  const name = browser ? `${browser} ${version ?? ''}`.trim() : t('devices.unknown')
  return system ? `${name} · ${system}` : name
}

const timeText = (at: string): string => momentText(at, currentLocale())
