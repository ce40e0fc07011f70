import { stopViewing } from '@aisle/contract/rights/acting'
import { useCommand } from '../../live/query'
import { useSession } from '../../live/session'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { followRights } from './followRights'
import styles from './viewingBanner.module.css'

/** Over everything while an administrator sees the application as a role: what one sees is not one's own. */
export function ViewingBanner() {
  const t = useText('rights')
  const role = useSession()?.info?.viewedRole
  const stopping = useCommand(stopViewing, { onSuccess: followRights })
  if (!role) return null
  return (
    <div className={styles.viewing} role="status">
      <Icon name="eye" />
      {/* First, where no drawer covers it. */}
      <button type="button" className="btn" disabled={stopping.isPending} onClick={() => stopping.mutate({})}>
        {t('viewing.stop')}
      </button>
      <p>{t('viewing.banner', { name: role.name })}</p>
    </div>
  )
}
