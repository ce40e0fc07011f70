import type { ErrorComponentProps } from '@tanstack/react-router'
import { useText } from '../ui/text'
import styles from './pages.module.css'

/** A bug of ours: what was done stays done, and the words below are for the administrator. */
export function PageFailed({ error }: ErrorComponentProps) {
  const t = useText('kernel')
  return (
    <div className={styles.pageNotice} role="alert">
      <h1>{t('error.pageTitle')}</h1>
      <p>{t('error.pageBody')}</p>
      <pre>{error instanceof Error ? error.message : String(error)}</pre>
      <button type="button" className="btn btn-main" onClick={() => location.reload()}>
        {t('action.reload')}
      </button>
    </div>
  )
}
