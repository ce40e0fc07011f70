import { useEffect, useRef } from 'react'
import { useAwaySince } from '../../live/reach'
import { Icon } from '../../ui/icons'
import { clockTime } from '../../ui/timeText'
import { currentLocale, useText } from '../../ui/text'
import { useUnsavedNames } from '../../ui/feedback/unsaved'
import styles from './awayBar.module.css'

/** Over every page and dialog while the server can't be reached: since when, and what is not saved. */
export function AwayBar() {
  const t = useText('system')
  const sinceMs = useAwaySince()
  const names = useUnsavedNames()
  const bar = useRef<HTMLElement>(null)
  const isAway = sinceMs !== null
  useEffect(() => {
    if (isAway) return keepOnTop(bar.current)
  }, [isAway])
  if (!isAway) return null
  return (
    <section ref={bar} popover="manual" className={styles.away} role="alert">
      <Icon name="alert" />
      <p>
        <strong>{t('away.title', { time: clockTime(new Date(sinceMs).toISOString(), currentLocale()) })}</strong>{' '}
        {t('away.body')} {names.length > 0 && t('away.unsaved', { names: names.join(', ') })}
      </p>
    </section>
  )
}

/** What was shown last is the highest of the browser's top layer: a dialog that opens later would lie above. */
function keepOnTop(bar: HTMLElement | null): () => void {
  const show = () => {
    if (bar?.matches(':popover-open')) bar.hidePopover()
    bar?.showPopover()
  }
  show()
  const size = new ResizeObserver(() => {
    document.documentElement.style.setProperty('--away', `${bar?.offsetHeight ?? 0}px`)
  })
  if (bar) size.observe(bar)
  const dialogs = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof HTMLDialogElement && target.open)) show()
  })
  dialogs.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['open'] })
  return () => {
    dialogs.disconnect()
    size.disconnect()
  }
}
