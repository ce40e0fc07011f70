import { Link, useLocation } from '@tanstack/react-router'
import { usePageTitle } from '../ui/pageTitle'
import { useText } from '../ui/text'
import styles from './pages.module.css'

export function NotFound() {
  const t = useText('system')
  const { pathname } = useLocation()
  usePageTitle(t('notFound.title'))
  return (
    <div className={styles.pageNotice}>
      <p className={styles.pageNoticeCode} aria-hidden="true">
        404
      </p>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.body', { path: pathname })}</p>
      <Link className="btn btn-main" to="/dashboard">
        {t('notFound.home')}
      </Link>
    </div>
  )
}
