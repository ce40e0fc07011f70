import { listProductSales } from '@aisle/contract/report/goods'
import { businessDay, dayBefore } from '../../ui/days'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { useNow } from '../../live/clock'
import { useEndpoint } from '../../live/query'
import { Figures } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './product.module.css'
import type { Product } from './productDrawer'

const MINUTE_MS = 60_000
const spans = [7, 30] as const

/** From the same figures as the report of products, to which it leads. */
export function ProductSales({ product }: { product: Product }) {
  return (
    <div className={styles.parts}>
      {spans.map((days) => (
        <Span key={days} days={days} product={product} />
      ))}
    </div>
  )
}

function Span({ days, product: { id, code } }: { days: (typeof spans)[number]; product: Product }) {
  const t = useText('catalog')
  const to = businessDay(useNow(MINUTE_MS))
  const asked = { from: dayBefore(to, days - 1), to, productCode: code }
  const { data, error, refetch } = useEndpoint(listProductSales, asked, { errors: 'throw' })
  const sold = data?.items.find((row) => row.id === id)
  return (
    <Section
      title={t('product.sold', { days })}
      note={
        <ScreenLink screen="tjfx/spjytj" search={asked}>
          {t('product.report')}
        </ScreenLink>
      }
    >
      {error && <Failure failure={error} retry={() => void refetch()} />}
      {data && (
        <Figures
          facts={[
            { label: t('product.pieces'), value: countText(sold?.quantity ?? 0) },
            { label: t('product.net'), value: <Money fen={sold?.netFen ?? 0} /> },
            { label: t('product.margin'), value: <Money fen={sold?.marginFen ?? 0} /> },
          ]}
        />
      )}
    </Section>
  )
}
