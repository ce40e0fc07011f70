import { screenOf } from '@aisle/contract/screens'
import { Way } from '../../admin/Way'
import { can } from '../../live/session'
import { useText } from '../../ui/text'

const charts = ['home/syzfqq', 'home/syspxlpm', 'home/syjqpm', 'home/syyyxlpm'] as const

/** From the day's sales to the charts that take them apart. */
export function ChartWays() {
  const t = useText('screens')
  const words = useText('home')
  const open = charts.filter((key) => can(screenOf(key).access))
  if (open.length === 0) return null
  return (
    <ul className="dash-charts" aria-label={words('sales.charts')}>
      {open.map((key) => (
        <li key={key}>
          <Way path={screenOf(key).path} className="dash-way">
            {t(key)}
          </Way>
        </li>
      ))}
    </ul>
  )
}
