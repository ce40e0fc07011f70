import { TOOLTIP_HIDE_MS } from '@aisle/contract/wallboard/board'
import { useEffect, useState } from 'react'
import { GoodsPicture } from '../panels/goodsPicture'
import type { MapFrame } from './mapFrame'
import type { Spot } from '../../../ui/chart/projection'
import { SaleAmount } from '../panels/recent'
import type { Sale } from '../panels/sale.rules'
import styles from './map.module.css'
import panelsStyles from '../panels/panels.module.css'
import { classes } from '../../../ui/classes'

/**
 * What was sold at a point, for five seconds: the sale is its key, so another sale begins them anew. Shifted by the
 * same share that it stands from the left, so that it never leaves the map. Hidden from screen readers, which have the
 * list beside it and would be told every few seconds.
 */
export function MapTip(props: { frame: MapFrame; sale: Sale; number: number; spot: Spot }) {
  const { frame, sale, number, spot } = props
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHidden(true), TOOLTIP_HIDE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (isHidden) return null
  const [left, top] = [(100 * spot[0]) / frame.width, (100 * spot[1]) / frame.height]
  const isAbove = top > 24
  return (
    <div
      data-part="map-tip"
      className={isAbove ? classes(styles.tip, styles.tipAbove) : styles.tip}
      style={{ left: `${left}%`, top: `${top}%`, translate: `-${left.toFixed(1)}% ${isAbove ? '-100%' : '0'}` }}
      aria-hidden="true"
    >
      <GoodsPicture address={sale.picture} />
      <div>
        <b>
          <span data-part="rank" className={panelsStyles.rank}>
            {number}
          </span>{' '}
          {sale.productName}
        </b>
        <span className={styles.tipPlace}>{sale.place}</span>
      </div>
      <SaleAmount amountFen={sale.amountFen} />
    </div>
  )
}
