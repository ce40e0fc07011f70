import { worldMap } from 'virtual:world-map'
import { memo } from 'react'
import { patterson } from '../../../ui/chart/worldProjection'
import type { MapFrame } from './mapFrame'
import styles from './map.module.css'
import { classes } from '../../../ui/classes'

const { width, height, land, china, dashes, projection } = worldMap

/** Land without borders, and China as its own map draws it. */
const World = memo(function World() {
  return (
    <svg className={classes(styles.land, styles.landWorld)} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.worldLand} d={land} />
      <path className={styles.worldChina} d={china} />
      <path className={styles.worldChina} d={dashes} />
    </svg>
  )
})

/** Fetched when it is first asked for: most boards never show it. */
export const worldFrame: MapFrame = {
  width,
  height,
  // A machine without coordinates says 0, 0.
  spotOf: ({ lon, lat }) => (lon === 0 && lat === 0 ? null : patterson(projection, [lon, lat])),
  provinceAt: () => null,
  Land: World,
  label: 'map.worldLabel',
}
