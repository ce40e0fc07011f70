import type { CityStatus } from '@aisle/contract/fleet/machineStatus'
import type { Tone } from '../../../ui/tag'

type Counts = Omit<CityStatus, 'province' | 'city' | 'longitude' | 'latitude'>
export type Placed = Counts & { province: string; city: string; x: number; y: number }
export type Cluster = Counts & { key: string; x: number; y: number; radius: number; cities: readonly Placed[] }

const countNames = [
  'total',
  'online',
  'offline',
  'unknown',
  'fault',
  'temperature',
  'lowStock',
  'stopped',
  'stopWanted',
] as const

/** The size of the number decides the area, within what can be hit and what hides its neighbours. */
export const radiusOf = (total: number, scale: number): number =>
  Math.min(64, Math.max(22, 16 + 3 * Math.sqrt(total))) * scale

/**
 * Cities whose circles would overlap are one circle, in their middle; the biggest gathers first.
 * @param scale units of the drawing a unit on the screen is, against the whole country: below 1 when looking closer
 */
export function clustered(cities: readonly Placed[], scale: number): Cluster[] {
  let clusters = [...cities].sort((a, b) => b.total - a.total).map((city) => clusterOf([city], scale))
  for (let merged = true; merged; ) {
    merged = false
    const next: Cluster[] = []
    for (const cluster of clusters) {
      const at = next.findIndex((other) => touch(other, cluster))
      const other = next[at]
      if (other) {
        next[at] = clusterOf([...other.cities, ...cluster.cities], scale)
        merged = true
      } else next.push(cluster)
    }
    clusters = next
  }
  return clusters
}

const touch = (a: Cluster, b: Cluster): boolean => Math.hypot(a.x - b.x, a.y - b.y) < (a.radius + b.radius) * 0.9

function clusterOf(cities: readonly Placed[], scale: number): Cluster {
  const sum = (of: (city: Placed) => number) => cities.reduce((all, city) => all + of(city), 0)
  const total = Math.max(
    1,
    sum((city) => city.total),
  )
  const counts = Object.fromEntries(countNames.map((name) => [name, sum((city) => city[name])])) as Counts
  return {
    ...counts,
    key: cities.map(({ province, city }) => `${province}/${city}`).join(' '),
    x: sum((city) => city.x * city.total) / total,
    y: sum((city) => city.y * city.total) / total,
    radius: radiusOf(total, scale),
    cities,
  }
}

/** Broken or warm before silent before short of goods; silence is never fine. */
export function toneOf({ fault, temperature, offline, unknown, lowStock }: Counts): Tone {
  if (fault + temperature > 0) return 'bad'
  if (offline + unknown > 0) return 'warn'
  return lowStock > 0 ? 'idle' : 'good'
}
