import { memo } from 'react'
import { useNow } from '../../../live/clock'
import { useLanguage, useText } from '../../../ui/text'
import { dayOf, dayText, exactAmountText, timeText } from '../format'
import { GoodsPicture } from './goodsPicture'
import type { Sale } from './sale.rules'
import { openOrder, useMayOpenOrder } from './soldOrder'
import boardStyles from '../board.module.css'
import styles from './panels.module.css'
import { classes } from '../../../ui/classes'

const MINUTE_MS = 60_000

/**
 * The map's points in words, by the same numbers: what a pointer finds on the map, everybody finds here, and who has a
 * session its order.
 * @param props.shownMs the moment that a replay shows; null on the live board
 */
export const Recent = memo(function Recent(props: {
  sales: readonly Sale[]
  shownMs: number | null
  onPoint: (sale: Sale | null) => void
}) {
  const { sales, shownMs, onPoint } = props
  const t = useText('wallboard')
  const nowMs = useNow(MINUTE_MS)
  const mayOpen = useMayOpenOrder()
  const today = dayOf(shownMs ?? nowMs)
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.recent)} aria-labelledby="recent-title">
      <h2 id="recent-title">{t('recent.title')}</h2>
      {sales.length === 0 && <p className={boardStyles.panelEmpty}>{t('recent.empty')}</p>}
      {sales.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable with the keyboard
        <ol tabIndex={0} aria-labelledby="recent-title">
          {sales.map((sale) => (
            <Row key={sale.key} sale={sale} today={today} mayOpen={mayOpen} onPoint={onPoint} />
          ))}
        </ol>
      )}
    </section>
  )
})

const Row = memo(function Row(props: {
  sale: Sale
  today: string
  mayOpen: boolean
  onPoint: (sale: Sale | null) => void
}) {
  const { sale, today, mayOpen, onPoint } = props
  return (
    <li onPointerEnter={() => onPoint(sale)} onPointerLeave={() => onPoint(null)}>
      <GoodsPicture address={sale.picture} />
      {mayOpen ? (
        <OrderButton sale={sale} />
      ) : (
        <span data-part="recent-name" className={styles.recentName}>
          {sale.productName}
        </span>
      )}
      <SaleAmount amountFen={sale.amountFen} />
      <span className={styles.recentWhere}>{sale.place}</span>
      <SoldAt at={sale.at} today={today} />
    </li>
  )
})

function OrderButton({ sale }: { sale: Sale }) {
  const t = useText('wallboard')
  return (
    <button
      type="button"
      data-part="recent-name"
      className={classes(styles.recentName, styles.recentOpen)}
      title={t('map.toOrder')}
      onClick={() => void openOrder(sale)}
    >
      {sale.productName}
    </button>
  )
}

/** With its day where that is another one: a network may sell little. */
function SoldAt({ at, today }: { at: string; today: string }) {
  const language = useLanguage()
  const atMs = Date.parse(at)
  if (Number.isNaN(atMs)) return null
  const time = timeText(atMs, language)
  return <time className={styles.recentAt}>{dayOf(atMs) === today ? time : `${dayText(atMs, language)} ${time}`}</time>
}

export function SaleAmount({ amountFen }: { amountFen: number | null }) {
  const language = useLanguage()
  if (amountFen === null) return null
  return (
    <span data-part="sale-amount" className={styles.saleAmount}>
      {exactAmountText(amountFen, language)}
    </span>
  )
}
