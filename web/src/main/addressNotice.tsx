import { useRouter, useRouterState } from '@tanstack/react-router'
import { useNotUnderstood } from '../ui/feedback/asked'
import { Icon } from '../ui/icons'
import { useText } from '../ui/text'
import styles from './addressNotice.module.css'

/** A link that holds more than the page understands says so, instead of quietly showing something else. */
export function AddressNotice() {
  const t = useText('system')
  const kernel = useText('kernel')
  const router = useRouter()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const left = useNotUnderstood(search)
  if (left.length === 0) return null
  const clear = () => {
    const { pathname, state } = router.history.location
    const kept = new URLSearchParams(search)
    for (const [name] of left) kept.delete(name)
    router.history.replace(kept.size > 0 ? `${pathname}?${kept}` : pathname, state)
  }
  return (
    <p className={styles.notice} role="status">
      <Icon name="info" />
      <span>{t('address.notUnderstood', { parts: left.map(([name, value]) => `${name}=${value}`).join(', ') })}</span>
      <button type="button" className="icon-btn" aria-label={kernel('action.close')} onClick={clear}>
        <Icon name="close" size={14} />
      </button>
    </p>
  )
}
