import { expect, test } from 'vitest'
import { patterson } from '../src/ui/chart/worldProjection'
import { worldMap } from './worldMap'

const map = worldMap()

test('the whole world lies within the drawing, from Kiribati to Greenland', () => {
  for (const place of [
    [-157.4, 1.9],
    [-51.7, 64.2],
    [2.35, 48.86],
    [127, 37.5],
    [-70.9, -53.2],
  ] as const) {
    const [x, y] = patterson(map.projection, place)
    expect([x >= 0 && x <= map.width, y >= 0 && y <= map.height]).toEqual([true, true])
  }
})

test('China stands left of America and right of Europe, as on maps that hang in China', () => {
  const [paris, beijing, newYork] = [
    patterson(map.projection, [2.35, 48.86]),
    patterson(map.projection, [116.4, 39.9]),
    patterson(map.projection, [-74, 40.7]),
  ]
  expect(paris[0]).toBeLessThan(beijing[0])
  expect(beijing[0]).toBeLessThan(newYork[0])
})

test('China keeps its islands and its nine dashes on the map of the world', () => {
  expect(map.dashes.match(/M/g)).toHaveLength(9)
  const [taipeiX, taipeiY] = patterson(map.projection, [121, 23.7])
  const starts = [...map.china.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  expect(starts.some(([x, y]) => Math.hypot(x - taipeiX, y - taipeiY) < 15)).toBe(true)
})

test('no line of the land jumps across the drawing', () => {
  const steps = [...map.land.matchAll(/l([^z]*)z/g)].flatMap(([, text]) => text?.match(/-?\d+/g)?.map(Number) ?? [])
  expect(steps.length).toBeGreaterThan(1_000)
  expect(Math.max(...steps.map(Math.abs))).toBeLessThan(map.width / 2)
})
