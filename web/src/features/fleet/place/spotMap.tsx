import { chinaMap } from 'virtual:china-map'
import { isOnMap, project } from '../../../ui/chart/projection'
import { useText } from '../../../ui/text'
import { ChinaOutline } from './chinaOutline'
import styles from './fleetMap.module.css'

/** Where in the country a machine stands; a place that is not on the map is said, not drawn somewhere. */
export function SpotMap(props: { longitude: number; latitude: number; label: string }) {
  const { longitude, latitude, label } = props
  const t = useText('fleet')
  const place = [longitude, latitude] as const
  if (!isOnMap(place)) return <p className="quiet">{t('place.offMap')}</p>
  const [x, y] = project(chinaMap.projection, place)
  return (
    <svg className={styles.fleetMap} viewBox={`0 0 ${chinaMap.width} ${chinaMap.height}`} role="img" aria-label={label}>
      <ChinaOutline />
      <circle className={styles.here} cx={x} cy={y} r={22} />
    </svg>
  )
}
