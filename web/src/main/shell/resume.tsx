import { screenAt } from '@aisle/contract/screens'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetWantedPath, wantedPath } from '../../live/session'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './shell.module.css'

/** A link was opened without a session; the sign-in led to the home page, and the link is one click away. */
export function Resume() {
  const t = useText('system')
  const titles = useText('screens')
  const close = useText('kernel')('action.close')
  const router = useRouter()
  const [wanted, setWanted] = useState(wantedPath)
  const screen = wanted ? screenAt(wanted.split('?')[0] ?? '') : undefined
  if (!wanted || !screen) return null
  const forget = () => {
    forgetWantedPath()
    setWanted(null)
  }
  return (
    <section className={styles.resume} aria-label={t('shell.resumeGo')}>
      <p>{t('shell.resume', { title: titles.any(screen.key) })}</p>
      <button
        type="button"
        className="btn"
        onClick={() => {
          forget()
          router.history.push(wanted)
        }}
      >
        {t('shell.resumeGo')}
      </button>
      <button type="button" className="icon-btn" aria-label={close} onClick={forget}>
        <Icon name="close" size={14} />
      </button>
    </section>
  )
}
