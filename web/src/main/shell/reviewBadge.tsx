import { getPendingReviews } from '@aisle/contract/notice/bell'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Icon } from '../../ui/icons'
import { MenuButton } from '../../ui/control/menuButton'
import { useText } from '../../ui/text'
import styles from './bell.module.css'
import { classes } from '../../ui/classes'

/** What people's work and machines' mishaps make wait, and what ends it. */
const reviewed = [
  'refund',
  'problem',
  'unclaimedPayment',
  'settlementDifference',
  'settlementRun',
  'bankAccount',
  'prizeClaim',
  'prescription',
  'batch',
  'careRecord',
  'writeOff',
  'stockCount',
  'feedback',
] as const

/** How much waits for the person's decision, and where; nobody who may decide nothing sees it. */
export function ReviewBadge() {
  const t = useText('notice')
  const navigate = useNavigate()
  const { data } = useEndpoint(getPendingReviews, {}, { errors: 'silent' })
  useLive({ kinds: [...reviewed], also: [] }, [getPendingReviews])
  if (!data || data.items.length === 0) return null
  const { total, items } = data
  return (
    <MenuButton
      label={t('review.label', { total })}
      className={classes('icon-btn', styles.bell)}
      face={
        <>
          <Icon name="review" />
          {total > 0 && (
            <span key={total} className={styles.count} aria-hidden="true">
              {total}
            </span>
          )}
        </>
      }
      entries={items.map(({ kind, count, screen, query }) => ({
        key: kind,
        label: t.any(`review.${kind}`),
        note: String(count),
        onPick: () => void navigate({ to: screenOf(screen).path, search: query }),
      }))}
    />
  )
}
