import { Icon } from './icons'
import styles from './news.module.css'
import { useText } from './text'

/** How many rows, at least that many where more may follow; 0 where only rows that are shown have changed. */
type Waiting = { count: number; isMore: boolean }

/** Above a list that holds still: what waits, and a way to take it in. It lies over the list, which must not move. */
export function News({ held: { news, take } }: { held: { news: Waiting | null; take: () => void } }) {
  const t = useText('admin')
  const count = news?.isMore ? `${news.count}+` : `${news?.count}`
  return (
    <div className={styles.news} role="status">
      {news && (
        <button type="button" className="btn btn-main" onClick={take}>
          <Icon name="refresh" size={14} /> {news.count > 0 ? t('list.new', { count }) : t('list.changed')}
        </button>
      )}
    </div>
  )
}
