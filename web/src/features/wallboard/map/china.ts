import { chinaMap } from 'virtual:china-map'
import { isOnMap, project } from '../../../ui/chart/projection'
import { Land, provinceAt } from './land'
import type { MapFrame } from './mapFrame'

const { width, height, projection } = chinaMap

export const chinaFrame: MapFrame = {
  width,
  height,
  spotOf: ({ lon, lat, isAbroad }) => (!isAbroad && isOnMap([lon, lat]) ? project(projection, [lon, lat]) : null),
  provinceAt,
  Land,
  label: 'map.label',
}
