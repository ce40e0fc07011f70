import type { Screen } from '@aisle/contract/kernel/screen'
import { Link } from '@tanstack/react-router'
import { useSession } from '../live/session'
import { useText } from '../ui/text'
import styles from './pages.module.css'

/** Says which right is missing and who can give it; the server refuses the page's calls all the same. */
export function Forbidden({ screen }: { screen: Screen }) {
  const t = useText('system')
  const title = useText('screens').any(screen.key)
  const rights = useText('rights')
  const verb = `action.${screen.access.split('.')[1]}`
  const roles = useSession()?.info?.roles ?? []
  return (
    <div className={styles.pageNotice}>
      <p className={styles.pageNoticeCode} aria-hidden="true">
        403
      </p>
      <h1>{t('forbidden.title', { title })}</h1>
      <p>{t('forbidden.body', { permission: rights.has(verb) ? `${title} · ${rights.any(verb)}` : title })}</p>
      {roles.length > 0 && <p>{t('forbidden.roles', { roles: roles.join(', ') })}</p>}
      <Link className="btn btn-main" to="/dashboard">
        {t('notFound.home')}
      </Link>
    </div>
  )
}
