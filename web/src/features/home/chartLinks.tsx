import { screenOf } from '@aisle/contract/screens'
import { AppLink } from '../../admin/appLink'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import styles from './home.module.css'

const charts = ['home/syzfqq', 'home/syspxlpm', 'home/syjqpm', 'home/syyyxlpm'] as const

/** From the day's sales to the charts that take them apart. */
export function ChartLinks() {
  const t = useText('screens')
  const words = useText('home')
  const open = charts.filter((key) => can(screenOf(key).access))
  if (open.length === 0) return null
  return (
    <ul className={styles.charts} aria-label={words('sales.charts')}>
      {open.map((key) => (
        <li key={key}>
          <AppLink path={screenOf(key).path}>{t(key)}</AppLink>
        </li>
      ))}
    </ul>
  )
}
