import { screenAt } from '@aisle/contract/screens'
import { useLocation, useRouter } from '@tanstack/react-router'
import { AppLink } from '../../admin/appLink'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { closeOthers, closeVisit, isPinned, useVisits, type Visit } from './visited'
import styles from './visitedTabs.module.css'
import { classes } from '../../ui/classes'

export function VisitedTabs() {
  const t = useText('system')
  const { pathname } = useLocation()
  const visits = useVisits()
  return (
    <nav className={styles.visited} aria-label={t('shell.tabs')}>
      <ul>
        {visits.map((visit) => (
          <VisitedTab key={visit.path} visit={visit} isCurrent={visit.path === pathname} />
        ))}
      </ul>
      {visits.length > 2 && (
        <button
          type="button"
          className="icon-btn"
          title={t('shell.tabsCloseOthers')}
          onClick={() => closeOthers(pathname)}
        >
          <Icon name="close" size={14} />
          <span className="hidden-text">{t('shell.tabsCloseOthers')}</span>
        </button>
      )}
    </nav>
  )
}

function VisitedTab({ visit, isCurrent }: { visit: Visit; isCurrent: boolean }) {
  const t = useText('system')
  const titles = useText('screens')
  const router = useRouter()
  const title = titles.any(screenAt(visit.path)?.key ?? visit.path)
  const close = () => {
    const next = closeVisit(visit.path)
    if (isCurrent) router.history.push(next)
  }
  return (
    <li className={isCurrent ? classes(styles.tab, styles.current) : styles.tab} ref={isCurrent ? intoView : undefined}>
      <AppLink
        path={visit.href}
        aria-current={isCurrent ? 'page' : undefined}
        onAuxClick={(event) => {
          if (event.button !== 1 || isPinned(visit)) return
          event.preventDefault()
          close()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Delete' && !isPinned(visit)) close()
        }}
      >
        {title}
      </AppLink>
      {!isPinned(visit) && (
        <button type="button" aria-label={t('shell.tabClose', { title })} onClick={close}>
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  )
}

/** With the next frame, which is laid out anyhow: at once, the page would be laid out once more. */
function intoView(tab: HTMLElement | null): () => void {
  const frame = requestAnimationFrame(() => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  return () => cancelAnimationFrame(frame)
}
