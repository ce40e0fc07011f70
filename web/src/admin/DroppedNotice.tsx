import { Icon } from '../ui/icons'
import { useText } from '../ui/text'
import type { ListAddress } from './useAddress'
import './list.css'

/** A link that holds more than the list understands says so, instead of quietly showing something else. */
export function DroppedNotice({ address }: { address: ListAddress }) {
  const t = useText('admin')
  const kernel = useText('kernel')
  if (address.dropped.length === 0) return null
  return (
    <p className="list-notice" role="status">
      <Icon name="info" />
      <span>{t('filter.dropped', { names: address.dropped.join(', ') })}</span>
      <button type="button" className="icon-btn" aria-label={kernel('action.close')} onClick={address.clean}>
        <Icon name="close" size={14} />
      </button>
    </p>
  )
}
