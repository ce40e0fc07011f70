import { type BellMessage, getBell, MOST_UNREAD, readAllMessages, readMessages } from '@aisle/contract/notice/bell'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Ago } from '../../admin/fields/time'
import { call } from '../../live/call'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { useTopic } from '../../live/topics'
import { Icon } from '../../ui/icons'
import { PanelButton } from '../../ui/panel'
import { useText } from '../../ui/text'
import styles from './bell.module.css'
import { OwnPushDialog } from './ownPushDialog'
import { classes } from '../../ui/classes'

const outbox = screenOf('xtgl/xxts')

/** A person's own messages. It rings when the server pushes that there are new ones; nothing is polled. */
export function Bell() {
  const t = useText('notice')
  const { data } = useEndpoint(getBell, {}, { errors: 'silent' })
  const [isSetting, setSetting] = useState(false)
  useTopic('messages', () => void refetch(getBell))
  const unread = data?.unread ?? 0
  const count = unread > MOST_UNREAD ? `${MOST_UNREAD}+` : String(unread)
  const label = unread > 0 ? t('bell.unread', { count }) : t('bell.label')
  return (
    <>
      <PanelButton
        label={t('bell.label')}
        className={classes('icon-btn', styles.bell)}
        face={
          <>
            <Icon name="bell" />
            <span className="hidden-text">{label}</span>
            {unread > 0 && (
              <span key={unread} className={styles.count} aria-hidden="true">
                {count}
              </span>
            )}
          </>
        }
      >
        {(close) => (
          <Messages
            newest={data?.items ?? []}
            nextBefore={data?.nextBefore ?? null}
            unread={unread}
            close={close}
            onSettings={() => {
              close()
              setSetting(true)
            }}
          />
        )}
      </PanelButton>
      {isSetting && <OwnPushDialog onClose={() => setSetting(false)} />}
    </>
  )
}

type Shown = { newest: readonly BellMessage[]; nextBefore: number | null; unread: number }

function Messages(props: Shown & { close: () => void; onSettings: () => void }) {
  const { newest, nextBefore, unread, close, onSettings } = props
  const t = useText('notice')
  const [older, setOlder] = useState<{ items: readonly BellMessage[]; next: number | null } | null>(null)
  const next = older ? older.next : nextBefore
  const showOlder = async (before: number) => {
    const found = await call(getBell, { before })
    setOlder({ items: [...(older?.items ?? []), ...found.items], next: found.nextBefore })
  }
  const readAll = async () => {
    await call(readAllMessages, {})
    setOlder(null)
    await refetch(getBell)
  }
  return (
    <div data-part="bell-panel" className={styles.panel}>
      <header>
        <b>{t('bell.label')}</b>
        <button type="button" className={styles.link} disabled={unread === 0} onClick={() => void readAll()}>
          {t('bell.readAll')}
        </button>
      </header>
      {newest.length === 0 && <p className={styles.empty}>{t('bell.empty')}</p>}
      <ul>
        {[...newest, ...(older?.items ?? [])].map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ul>
      {next !== null && (
        <button type="button" className={styles.link} onClick={() => void showOlder(next)}>
          {t('bell.older')}
        </button>
      )}
      <footer>
        <button type="button" className={styles.link} onClick={onSettings}>
          {t('bell.settings')}
        </button>
        {can(outbox.access) && (
          <Link to={outbox.path} onClick={close}>
            {t('bell.outbox')}
          </Link>
        )}
      </footer>
    </div>
  )
}

/** Opening a message reads it. */
function Message({ message: { id, title, body, typeLabel, at, readAt } }: { message: BellMessage }) {
  const t = useText('notice')
  const [isRead, setRead] = useState(readAt !== null)
  const [isOpen, setOpen] = useState(false)
  const open = async () => {
    setOpen(!isOpen)
    if (isRead) return
    setRead(true)
    await call(readMessages, { ids: [id] })
    await refetch(getBell)
  }
  const isUnread = !isRead && readAt === null
  return (
    <li className={isUnread ? styles.unread : undefined}>
      <button type="button" aria-expanded={isOpen} onClick={() => void open()}>
        <b>
          {isUnread && <span className="hidden-text">{t('read.unread')} </span>}
          {title}
        </b>
        <small>
          {typeLabel} · <Ago at={at} />
        </small>
        <span className={isOpen ? styles.body : classes(styles.body, styles.short)}>{body}</span>
      </button>
    </li>
  )
}
