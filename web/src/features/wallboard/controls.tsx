import { useSyncExternalStore } from 'react'
import { storedToken } from '../../live/session'
import { LanguageMenu } from '../../ui/control/choosers'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './board.module.css'

/** Whoever came from the landing page goes back there: the sign-in page would end the session (spec §2.1). */
export function Controls({ isUnattended, onReplay = null }: { isUnattended: boolean; onReplay?: (() => void) | null }) {
  return (
    <div className={styles.controls}>
      {/* First, since it goes when it is pressed: the way out must not come under the pointer then. */}
      {onReplay && <ReplayButton onReplay={onReplay} />}
      {!isUnattended && <BackLink />}
      <LanguageMenu />
      <FullScreenButton />
    </div>
  )
}

function BackLink() {
  const t = useText('wallboard')
  const isSignedIn = storedToken() !== null
  const label = t(isSignedIn ? 'back.home' : 'back.signIn')
  return (
    <a className="icon-btn" href={isSignedIn ? '/database' : '/login'} aria-label={label} title={label}>
      <Icon name="exit" />
    </a>
  )
}

function ReplayButton({ onReplay }: { onReplay: () => void }) {
  const t = useText('wallboard')
  const label = t('replay.open')
  return (
    <button type="button" className="icon-btn" aria-label={label} title={label} onClick={onReplay}>
      <Icon name="replay" />
    </button>
  )
}

function FullScreenButton() {
  const t = useText('wallboard')
  const isFull = useSyncExternalStore(subscribeFullScreen, () => document.fullscreenElement !== null)
  if (!document.fullscreenEnabled) return null
  const label = t(isFull ? 'fullscreen.leave' : 'fullscreen.enter')
  const toggle = () => (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  return (
    <button type="button" className="icon-btn" aria-label={label} title={label} onClick={() => void toggle()}>
      <Icon name={isFull ? 'shrink' : 'expand'} />
    </button>
  )
}

function subscribeFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
