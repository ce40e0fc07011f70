import { expect, test } from 'vitest'
import { type Place, project, unproject } from '../src/ui/chart/projection'
import { chinaMap } from './chinaMap'

const map = chinaMap()

const cities: [city: string, province: string, place: Place][] = [
  ['Beijing', '110000', [116.4, 39.9]],
  ['Shanghai', '310000', [121.47, 31.23]],
  ['Guangzhou', '440000', [113.26, 23.13]],
  ['Ürümqi', '650000', [87.62, 43.82]],
  ['Lhasa', '540000', [91.11, 29.65]],
  ['Harbin', '230000', [126.64, 45.76]],
  ['Kunming', '530000', [102.83, 24.88]],
  ['Haikou', '460000', [110.35, 20.02]],
  ['Taipei', '710000', [121.56, 25.04]],
  ['Diaoyu Dao', '710000', [123.47, 25.74]],
  ['Chiwei Yu', '710000', [124.7, 25.95]],
  ['Hong Kong', '810000', [114.17, 22.28]],
]

test('the map has all 34 provincial units, Taiwan, Hong Kong and Macau among them', () => {
  expect(new Set(map.provinces.map(({ code }) => code)).size).toBe(34)
  for (const code of ['710000', '810000', '820000']) expect(map.provinces.map((unit) => unit.code)).toContain(code)
})

test('the South China Sea has its framed inset with nine dashes, clear of Taiwan', () => {
  const taiwan = boundsOf('710000')
  const main = taiwan.rings.reduce((largest, ring) => (area(ring) > area(largest) ? ring : largest))
  expect(map.inset.dashes.match(/M/g)).toHaveLength(9)
  expect(map.inset.land.match(/M/g)).toHaveLength(2)
  expect(main.east).toBeLessThan(map.inset.x)
  expect(map.inset.x + map.inset.width).toBeLessThan(map.width)
  expect(map.inset.y + map.inset.height).toBeLessThan(map.height)
})

const southern: [string, string, Place][] = [['Yongxing Dao', '460000', [112.34, 16.83]]]

test.each([...cities, ...southern])('a press on %s finds its place again', (_, _code, [lon, lat]) => {
  const [foundLon, foundLat] = unproject(map.projection, project(map.projection, [lon, lat]))
  expect([foundLon, foundLat]).toEqual([expect.closeTo(lon, 6), expect.closeTo(lat, 6)])
})

test.each(cities)('%s lies within its own province', (_, code, place) => {
  const [x, y] = project(map.projection, place)
  expect(boundsOf(code).rings.some((ring) => isInside(ring, x, y))).toBe(true)
})

test('a sale on an island of the South China Sea lies in the inset', () => {
  const [x, y] = project(map.projection, [112.34, 16.83])
  expect(isInside(frame(), x, y)).toBe(true)
})

test('no unit lies outside the drawing', () => {
  for (const { code } of map.provinces) {
    for (const ring of boundsOf(code).rings) {
      expect(Math.min(ring.west, ring.north)).toBeGreaterThanOrEqual(0)
      expect(ring.east).toBeLessThanOrEqual(map.width)
      expect(ring.south).toBeLessThanOrEqual(map.height)
    }
  }
})

type Bounds = { west: number; east: number; north: number; south: number }

function boundsOf(code: string): { rings: Bounds[] } {
  const path = map.provinces.find((province) => province.code === code)?.path ?? ''
  return { rings: path.split('M').filter(Boolean).map(ringBounds) }
}

/** Follows `x y l dx dy …`, or the dot of an island smaller than a unit. */
function ringBounds(ring: string): Bounds {
  const [head = '', tail = ''] = ring.split(/[lh]/)
  let [x = 0, y = 0] = numbersIn(head)
  const steps = ring.includes('l') ? numbersIn(tail) : [2, 2]
  const bounds = { west: x, east: x, north: y, south: y }
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i] ?? 0
    y += steps[i + 1] ?? 0
    bounds.west = Math.min(bounds.west, x)
    bounds.east = Math.max(bounds.east, x)
    bounds.north = Math.min(bounds.north, y)
    bounds.south = Math.max(bounds.south, y)
  }
  return bounds
}

const numbersIn = (text: string) => (text.match(/-?\d+/g) ?? []).map(Number)
const area = (bounds: Bounds) => (bounds.east - bounds.west) * (bounds.south - bounds.north)
const isInside = (bounds: Bounds, x: number, y: number) =>
  x >= bounds.west && x <= bounds.east && y >= bounds.north && y <= bounds.south
const frame = (): Bounds => ({
  west: map.inset.x,
  east: map.inset.x + map.inset.width,
  north: map.inset.y,
  south: map.inset.y + map.inset.height,
})
