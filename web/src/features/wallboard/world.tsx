import { worldMap } from 'virtual:world-map'
import { memo } from 'react'
import { patterson } from '../../ui/world-projection'
import type { MapFrame } from './map-frame'

const { width, height, land, china, dashes, projection } = worldMap

/** Land without borders, and China as its own map draws it. */
const World = memo(function World() {
  return (
    <svg className="land land-world" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="world-land" d={land} />
      <path className="world-china" d={china} />
      <path className="world-china" d={dashes} />
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
