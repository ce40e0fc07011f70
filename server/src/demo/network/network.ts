import { PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { abroad } from '../data/abroad'
import { cities, type CitySeed } from '../data/cities'
import { ownerOf, type RegionKey } from '../data/merchants'
import { models, type SeatSeed, seats, spots, wards } from '../data/places'
import { type Random, randomFrom, seedOf } from '../random'

export type DemoPoint = ReturnType<typeof pointOf>
export type DemoMachine = ReturnType<typeof planMachine>

type Site = { point: DemoPoint; letters: string; number: number; rank: number }

/** The places of a network of so many machines, and the machines in the order in which they were put up. */
export function planMachines(count: number): DemoMachine[] {
  const sites = [...rankedSites()].sort((a, b) => a.rank - b.rank)
  const machines: DemoMachine[] = []
  // Two machines a place at first, then one more everywhere until there are enough.
  for (let from = 0, to = 2; machines.length < count; from = to, to += 1) {
    for (const site of sites) {
      if (to > 2 && !hasRoom(site, from)) continue
      for (let seat = from; seat < to && machines.length < count; seat += 1) machines.push(planMachine(site, seat))
    }
  }
  return machines
}

/** A large network's first steps into other countries: put up this very morning, so that they have sold nothing yet. */
export function planAbroad(count: number): DemoMachine[] {
  if (count < LARGE_NETWORK) return []
  return abroad.flatMap(({ country, timeZone, ...city }) =>
    city.points.map((_, index) => {
      return {
        ...planMachine(siteIn(city, index, 0), 0),
        country,
        timeZone,
        operation: 'in_operation' as const,
        deployedDaysAgo: 0,
      }
    }),
  )
}

const LARGE_NETWORK = 100

/** Big hospitals fill up first; from the sixth machine on every place takes more. */
const hasRoom = (site: Site, seat: number) => seat >= 5 || seat < seats[site.point.kind].length

function* rankedSites(): Generator<Site> {
  const met: Record<RegionKey, number> = { east: 0, south: 0, north: 0, west: 0 }
  for (const city of cities) {
    const order = met[city.region]
    met[city.region] += 1
    for (const [index] of city.points.entries()) yield siteIn(city, index, order + index * 0.9)
  }
}

const siteIn = (city: CitySeed, index: number, rank: number): Site => {
  return { point: pointOf(city, index), letters: city.letters, number: index + 1, rank }
}

function pointOf(city: CitySeed, index: number) {
  const seed = city.points[index]
  if (!seed) throw new RangeError(`${city.city} has no place ${index}`)
  const [name, kind, address, longitude, latitude] = seed
  const random = randomFrom(seedOf(name))
  // A street or two beside the district's point: at most some 150 m, so that nothing lands in a river.
  const aside = () => (random.next() - 0.5) * 0.003
  return {
    merchant: ownerOf(city.region, kind === 'store' ? 'store' : 'operator'),
    name,
    kind,
    region: city.region,
    province: city.province,
    city: city.city,
    address,
    longitude: Math.round((longitude + aside()) * 1e6) / 1e6,
    latitude: Math.round((latitude + aside()) * 1e6) / 1e6,
  }
}

const otherwise: SeatSeed = { category: 'combo', trade: 'operator' }

function planMachine({ point, letters, number }: Site, seat: number) {
  const code = `${letters}${String(number).padStart(2, '0')}${String(seat + 1).padStart(2, '0')}`
  const random = randomFrom(seedOf(code))
  const row = seats[point.kind]
  const { category, trade } = row[seat % row.length] ?? otherwise
  const isMedicine = category === 'medicine'
  const { capacity, ...model } = random.pick(models[category])
  const names = spots[point.kind]
  const lap = Math.floor(seat / names.length)
  return {
    ...model,
    code,
    name: `${point.name} ${names[seat % names.length]}${lap > 0 ? ` ${lap + 1}号机` : ''}`,
    merchant: ownerOf(point.region, trade),
    point,
    site: siteOf(point, seat),
    /** Two letters, as in ISO 3166. */
    country: 'CN',
    timeZone: PLATFORM_TIME_ZONE,
    category,
    capacity,
    licenceMode: isMedicine ? licenceOf(point, seat) : ('none' as const),
    operation: random.chance(0.015) ? ('stopped' as const) : ('in_operation' as const),
    takesCash: !isMedicine && random.chance(0.6),
    temperatureMinC: isMedicine ? 10 : category === 'snack' ? null : 4,
    temperatureMaxC: isMedicine ? 25 : category === 'snack' ? null : 12,
    deployedDaysAgo: deployedDaysAgo(random, seat),
    /** How busy it is beside others of its kind. */
    pull: random.factor(0.12),
  }
}

/** Where in the place: a hospital has a point for each building and floor, its first one by the hospital's name. */
function siteOf({ name, kind }: DemoPoint, seat: number) {
  const ward = wards[seat % wards.length]
  if (kind !== 'hospital' || !ward) return { name, building: '', floor: '' }
  const { building, floor } = ward
  const isFirst = building === wards[0].building && floor === wards[0].floor
  return { name: isFirst ? name : `${name} ${building}${floor}`, building, floor }
}

/** Every second hospital dispenses for its patients; elsewhere the machine is a retail one (class B only). */
function licenceOf(point: DemoPoint, seat: number): 'retail' | 'hospital' {
  if (point.kind !== 'hospital') return 'retail'
  return (seedOf(point.name) + seat) % 2 === 0 ? 'hospital' : 'retail'
}

/** Two years, later seats later; some of the late ones came within the last quarter. */
function deployedDaysAgo(random: Random, seat: number): number {
  if (random.chance(seat >= 2 ? 0.3 : 0.03)) return random.between(12, 85)
  return random.between(Math.max(95, 400 - seat * 120), Math.max(300, 730 - seat * 110))
}
