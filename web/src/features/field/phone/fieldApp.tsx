import { useEffect, useState, useSyncExternalStore } from 'react'
import { signOut } from '../../../live/session.calls'
import { codeReader } from '../../../ui/control/codeReader'
import { useText } from '../../../ui/text'
import { install, keepFiles } from './install'
import { flush, startOutbox, usePhone } from './outbox'
import styles from './phone.module.css'
import { isOf, unsentOf } from './phone.rules'
import { PickList } from './pickList'
import { Reviews } from './reviews'
import { StopList } from './stopList'
import { VisitPage } from './visitPage'

const tabs = ['visits', 'picks', 'reviews'] as const

/** Of who fills machines: all of the day on the phone, told to the server whenever it can be reached. */
export function FieldApp({ onSignIn }: { onSignIn: () => void }) {
  const phone = usePhone()
  const { day } = phone
  const [tab, setTab] = useState<(typeof tabs)[number]>('visits')
  const address = useHash()
  const t = useText('field')
  useEffect(() => {
    void install()
    const begun = startOutbox()
    return () => void begun.then((stop) => stop())
  }, [])
  useEffect(() => {
    if (!day) return
    // The reader first: it is among the files that stay for the cellar.
    void codeReader()
      .catch(() => undefined)
      .then(() => keepFiles(day))
  }, [day])
  const [orderId, machineId] = address.split('/').map(Number)
  const stop = day?.stops.find((each) => isOf({ orderId: orderId ?? 0, machineId: machineId ?? 0 }, each))
  return (
    <div className={styles.page}>
      <Status onSignIn={onSignIn} />
      {day && stop && <VisitPage key={address} day={day} stop={stop} />}
      {day && !stop && (
        <main className={styles.main}>
          <div className={styles.tabs} role="tablist">
            {tabs.map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                aria-selected={each === tab}
                className={styles.tab}
                onClick={() => setTab(each)}
              >
                {t(`phone.tab.${each}`)}
                {each === 'reviews' && day.reviews.length > 0 && ` (${day.reviews.length})`}
              </button>
            ))}
          </div>
          {tab === 'visits' && <StopList day={day} />}
          {tab === 'picks' && <PickList day={day} />}
          {tab === 'reviews' && <Reviews reviews={day.reviews} onDecided={flush} />}
        </main>
      )}
      {phone.isRead && !day && <p className={styles.note}>{t('phone.noDay')}</p>}
    </div>
  )
}

function Status({ onSignIn }: { onSignIn: () => void }) {
  const t = useText('field')
  const { day, steps, isSending, trouble } = usePhone()
  const unsent = unsentOf(steps).length
  const word = trouble === null ? '' : typeof trouble === 'object' ? trouble.message : t(`phone.trouble.${trouble}`)
  const leave = () => void signOut().finally(onSignIn)
  return (
    <header className={styles.head}>
      <div className={styles.headRow}>
        <strong>{day?.displayName ?? t('phone.title')}</strong>
        <span role="status" className={unsent > 0 ? styles.unsent : styles.sent}>
          {unsent > 0 ? t('phone.unsent', { count: String(unsent) }) : t('phone.allSent')}
        </span>
      </div>
      {word !== '' && <p className={styles.trouble}>{word}</p>}
      <div className={styles.headRow}>
        {trouble === 'signIn' ? (
          <button type="button" className={styles.first} onClick={onSignIn}>
            {t('phone.signIn')}
          </button>
        ) : (
          <button type="button" className={styles.second} disabled={isSending} onClick={() => void flush()}>
            {t(isSending ? 'phone.sending' : 'phone.send')}
          </button>
        )}
        {trouble !== 'signIn' && (
          <button
            type="button"
            className={styles.second}
            disabled={unsent > 0}
            title={unsent > 0 ? t('phone.notYet') : undefined}
            onClick={leave}
          >
            {t('phone.signOut')}
          </button>
        )}
      </div>
    </header>
  )
}

const hash = () => location.hash.slice(1)
function useHash(): string {
  return useSyncExternalStore((listener) => {
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }, hash)
}
