import type { Season } from '../data/catalog.types'
import type { PointKind } from '../data/cities'
import { dailyOrders, holiday, months, weekdays } from '../data/demand'
import type { DemoMachine } from './network'

/** Near the tropics the year is flatter. */
export function seasonFactor(season: Season, month: number, latitude: number): number {
  const strength = latitude < 24 ? 0.45 : latitude < 28 ? 0.75 : 1
  return 1 + ((months[season][month - 1] ?? 1) - 1) * strength
}

/** Of one machine on an average day, history and today alike; medicine sells less than drinks do. */
export const sellsADay = ({ point, pull, category }: Pick<DemoMachine, 'point' | 'pull' | 'category'>): number =>
  Math.round(dailyOrders[point.kind] * pull * (category === 'medicine' ? 0.72 : 1))

/** @param day YYYY-MM-DD */
export function dayFactor(kind: PointKind, day: string): number {
  const monthDay = day.slice(5)
  const isHoliday =
    (monthDay >= '10-01' && monthDay <= '10-07') || (monthDay >= '05-01' && monthDay <= '05-03') || monthDay === '01-01'
  if (isHoliday) return holiday[kind]
  return weekdays[kind][new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 1
}
