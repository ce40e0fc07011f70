import { getPrescriptionSales } from '@aisle/contract/pharmacy/sales'
import { countText } from '../../admin/fields/number'
import { dayText } from '../../ui/timeText'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { currentLocale, useText } from '../../ui/text'
import styles from './sales.module.css'
import { classes } from '../../ui/classes'

/** The whole of the period, day by day, and whether all of it is there. */
export function SalesSummary({ address: { query } }: { address: ListAddress }) {
  const t = useText('pharmacy')
  const { from, to, merchantId } = query
  const asked = { ...(from ? { from } : {}), ...(to ? { to } : {}), ...(merchantId ? { merchantId } : {}) }
  const { data } = useEndpoint(getPrescriptionSales, asked, { errors: 'silent' })
  if (!data) return <div className={classes('bone', styles.bone)} />
  const isWhole = data.doubtful === 0 && data.unbound === 0 && data.unlawful === 0
  const vars = {
    from: dayText(data.from, currentLocale()),
    to: dayText(data.to, currentLocale()),
  }
  const open = {
    ...vars,
    doubtful: countText(data.doubtful),
    unbound: countText(data.unbound),
    unlawful: countText(data.unlawful),
  }
  return (
    <section data-part="sales" className={styles.sales} aria-label={t('sales.total')}>
      <Figures
        facts={[
          { label: t('sales.total'), value: <Money fen={data.soldFen} /> },
          { label: t('sales.orders'), value: countText(data.orders) },
          { label: t('sales.packs'), value: countText(data.packs) },
          { label: t('sales.prescriptions'), value: countText(data.prescriptions) },
          { label: t('sales.doctors'), value: countText(data.doctors) },
        ]}
      />
      <Bars days={data.days} from={data.from} to={data.to} />
      <p className={isWhole ? 'quiet' : styles.open}>{isWhole ? t('sales.whole', vars) : t('sales.open', open)}</p>
    </section>
  )
}

type Day = { day: string; soldFen: number; packs: number }
const DAY_MS = 86_400_000

/** A day without sales is a gap, not left out. */
function Bars({ days, from, to }: { days: readonly Day[]; from: string; to: string }) {
  const t = useText('pharmacy')
  const first = Date.parse(from)
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1
  const most = Math.max(1, ...days.map(({ soldFen }) => soldFen))
  const width = 720 / count
  return (
    <svg
      className={styles.bars}
      viewBox="0 0 720 90"
      preserveAspectRatio="none"
      role="img"
      aria-label={t('sales.chart')}
    >
      {days.map(({ day, soldFen }) => {
        const height = Math.max(1, (soldFen / most) * 88)
        const x = ((Date.parse(day) - first) / DAY_MS) * width
        return (
          <rect key={day} x={x} y={90 - height} width={Math.max(0.8, width * 0.8)} height={height}>
            <title>{`${dayText(day, currentLocale())} · ${(soldFen / 100).toFixed(2)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
