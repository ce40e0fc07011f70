import { memo } from 'react'
import { chinaMap } from 'virtual:china-map'
import styles from './fleetMap.module.css'

const { provinces, inset } = chinaMap

/** All 34 units, and the South China Sea in its frame; drawn once. */
export const ChinaOutline = memo(function ChinaOutline() {
  return (
    <g aria-hidden="true">
      <g className={styles.land}>
        {provinces.map(({ code, path }) => (
          <path key={code} d={path} />
        ))}
      </g>
      <rect className={styles.frame} x={inset.x} y={inset.y} width={inset.width} height={inset.height} />
      <path className={styles.land} d={inset.land} />
      <path className={styles.frame} d={inset.dashes} />
    </g>
  )
})
