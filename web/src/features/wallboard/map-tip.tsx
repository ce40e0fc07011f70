import { TOOLTIP_HIDE_MS } from '@aisle/contract/wallboard/board'
import { useEffect, useState } from 'react'
import { GoodsPicture } from './goods-picture'
import type { MapFrame } from './map-frame'
import type { Spot } from '../../ui/projection'
import { SaleAmount } from './recent'
import type { Sale } from './sale.rules'

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
      className={isAbove ? 'map-tip map-tip-above' : 'map-tip'}
      style={{ left: `${left}%`, top: `${top}%`, translate: `-${left.toFixed(1)}% ${isAbove ? '-100%' : '0'}` }}
      aria-hidden="true"
    >
      <GoodsPicture address={sale.picture} />
      <div>
        <b>
          <span className="rank">{number}</span> {sale.productName}
        </b>
        <span className="map-tip-place">{sale.place}</span>
      </div>
      <SaleAmount amountFen={sale.amountFen} />
    </div>
  )
}
