import { type CityStatus, mapMachines } from '@aisle/contract/fleet/machineStatus'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { chinaMap } from 'virtual:china-map'
import { conditionsOf } from '../../../admin/address'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import type { ListAddress } from '../../../admin/useAddress'
import { useEndpoint } from '../../../live/query'
import { isOnMap, project } from '../../../ui/chart/projection'
import { useText } from '../../../ui/text'
import { ChinaOutline } from './chinaOutline'
import { type Cluster, clustered, type Placed, toneOf } from './fleetMap.rules'
import styles from './fleetMap.module.css'
import { classes } from '../../../ui/classes'

const { width, height, projection } = chinaMap
type Box = { x: number; y: number; size: number }
const whole: Box = { x: 0, y: 0, size: 1 }
/** Closer than this the outline has nothing more to show. */
const CLOSEST = 0.12

/** The same machines as the list below, where they stand; a circle is a filter, or a closer look. */
export function FleetMap({ address }: { address: ListAddress }) {
  const t = useText('fleet')
  const [box, setBox] = useState<Box>(whole)
  const query = conditionsOf(address.query) as CallOf<typeof mapMachines>
  const { data, error, refetch } = useEndpoint(mapMachines, query, { errors: 'throw', placeholderData: (old) => old })
  const placed = useMemo(() => placedOf(data?.items ?? []), [data])
  const clusters = useMemo(() => clustered(placed, box.size), [placed, box.size])
  if (error) return <Failure failure={error} retry={() => void refetch()} />
  const show = (city: { province: string; city: string }) =>
    address.change({ province: city.province, city: city.city })
  const open = (cluster: Cluster) => {
    const [only] = cluster.cities
    if (cluster.cities.length === 1 && only) return show(only)
    const size = Math.max(CLOSEST, box.size / 2.5)
    const provinces = new Set(cluster.cities.map(({ province }) => province))
    const [province] = provinces
    if (size === box.size && province) return address.change({ province })
    setBox({ x: cluster.x - (width * size) / 2, y: cluster.y - (height * size) / 2, size })
  }
  return (
    <section className="list-card" aria-label={t('fleetMap')}>
      <p className={styles.legend}>
        {(['bad', 'warn', 'idle', 'good'] as const).map((tone) => (
          <span key={tone} className={classes(styles.key, styles[`map-key-${tone}`])}>
            {t(`fleetMap.${tone}`)}
          </span>
        ))}
        {box.size < 1 && (
          <button type="button" className="btn-plain" onClick={() => setBox(whole)}>
            {t('map.whole')}
          </button>
        )}
      </p>
      <div className={styles.board}>
        <svg
          className={styles.fleetMap}
          role="group"
          aria-label={t('fleetMap.label', { count: placed.length })}
          viewBox={`${box.x} ${box.y} ${width * box.size} ${height * box.size}`}
        >
          <ChinaOutline />
          {clusters.map((cluster) => (
            <CityCircle key={cluster.key} cluster={cluster} scale={box.size} onOpen={() => open(cluster)} />
          ))}
        </svg>
        <CityList cities={data?.items ?? []} onPick={show} />
      </div>
    </section>
  )
}

const placedOf = (cities: readonly CityStatus[]): Placed[] =>
  cities.flatMap(({ longitude, latitude, ...city }) => {
    const place = [longitude, latitude] as const
    if (!isOnMap(place)) return []
    const [x, y] = project(projection, place)
    return [{ ...city, x, y }]
  })

function CityCircle({ cluster, scale, onOpen }: { cluster: Cluster; scale: number; onOpen: () => void }) {
  const { x, y, radius, total, cities } = cluster
  const words = useCounts()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onOpen()
  }
  const names = cities.map(({ city }) => city)
  const label = [names.slice(0, 3).join(' · ') + (names.length > 3 ? ' …' : ''), words(cluster)].join(': ')
  return (
    <g
      className={classes(styles.city, styles[toneOf(cluster)])}
      role="button"
      tabIndex={0}
      aria-label={label}
      data-hint={label}
      onClick={onOpen}
      onKeyDown={onKey}
    >
      <circle cx={x} cy={y} r={radius} />
      <text x={x} y={y} fontSize={Math.max(22, radius / scale / 1.6) * scale}>
        {countText(total)}
      </text>
    </g>
  )
}

/** Worst first, and for who reads no map. */
function CityList(props: { cities: readonly CityStatus[]; onPick: (city: CityStatus) => void }) {
  const words = useCounts()
  const ranks = { bad: 0, warn: 1, busy: 2, idle: 2, good: 3 }
  const cities = [...props.cities].sort((a, b) => ranks[toneOf(a)] - ranks[toneOf(b)] || b.total - a.total)
  return (
    <ul className={styles.list}>
      {cities.map((each) => (
        <li key={`${each.province}/${each.city}`}>
          <button type="button" onClick={() => props.onPick(each)}>
            <b>{[...new Set([each.province, each.city])].join(' ')}</b>
            <span>{countText(each.total)}</span>
            <small>{words(each)}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

function useCounts() {
  const t = useText('fleet')
  const names = ['fault', 'temperature', 'offline', 'unknown', 'lowStock', 'stopWanted', 'stopped', 'online'] as const
  return (counts: Pick<CityStatus, (typeof names)[number]>): string =>
    names
      .filter((name) => counts[name] > 0)
      .map((name) => `${t(`summary.${name}`)} ${countText(counts[name])}`)
      .join(' · ')
}
