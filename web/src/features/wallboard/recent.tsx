import { memo } from 'react'
import { useLanguage, useText } from '../../ui/text'
import { amountParts, timeText } from './format'
import { GoodsPicture } from './goods-picture'
import type { Sale } from './sale.rules'

/** The map's points in words, by the same numbers: what a pointer finds on the map, everybody finds here. */
export const Recent = memo(function Recent(props: { sales: readonly Sale[]; onPoint: (sale: Sale | null) => void }) {
  const { sales, onPoint } = props
  const t = useText('wallboard')
  return (
    <section className="panel recent" aria-labelledby="recent-title">
      <h2 id="recent-title">{t('recent.title')}</h2>
      {sales.length === 0 && <p className="panel-empty">{t('recent.empty')}</p>}
      {sales.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable with the keyboard
        <ol tabIndex={0} aria-labelledby="recent-title">
          {sales.map((sale) => (
            <Row key={sale.key} sale={sale} onPoint={onPoint} />
          ))}
        </ol>
      )}
    </section>
  )
})

const Row = memo(function Row({ sale, onPoint }: { sale: Sale; onPoint: (sale: Sale | null) => void }) {
  const language = useLanguage()
  const soldAtMs = Date.parse(sale.at)
  const where = [sale.place, Number.isNaN(soldAtMs) ? '' : timeText(soldAtMs, language)]
  return (
    <li onPointerEnter={() => onPoint(sale)} onPointerLeave={() => onPoint(null)}>
      <GoodsPicture address={sale.picture} />
      <span className="recent-name">{sale.productName}</span>
      <SaleAmount amountFen={sale.amountFen} />
      <span className="recent-where">{where.filter(Boolean).join(' · ')}</span>
    </li>
  )
})

export function SaleAmount({ amountFen }: { amountFen: number | null }) {
  const language = useLanguage()
  if (amountFen === null) return null
  const { whole, decimals } = amountParts(amountFen, language)
  return (
    <span className="sale-amount">
      ¥{whole}
      {decimals}
    </span>
  )
}
