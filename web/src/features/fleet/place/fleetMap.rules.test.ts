import { expect, test } from 'vitest'
import { clustered, type Placed, toneOf } from './fleetMap.rules'

const city = (name: string, x: number, y: number, more: Partial<Placed> = {}): Placed => ({
  province: 'P',
  city: name,
  x,
  y,
  total: 10,
  online: 10,
  offline: 0,
  unknown: 0,
  fault: 0,
  temperature: 0,
  lowStock: 0,
  stopped: 0,
  stopWanted: 0,
  ...more,
})

test('cities that would overlap are one circle with all their machines; far ones stay apart', () => {
  const found = clustered([city('a', 0, 0, { total: 30 }), city('b', 20, 0, { fault: 2 }), city('c', 500, 0)], 1)
  expect(found.map(({ cities, total, fault }) => [cities.map((each) => each.city).join(), total, fault])).toEqual([
    ['a,b', 40, 2],
    ['c', 10, 0],
  ])
  expect(found[0]?.x).toBe(5)
})

test('who looks closer sees them apart', () => {
  expect(clustered([city('a', 0, 0), city('b', 20, 0)], 0.2)).toHaveLength(2)
})

test('no machine is lost or counted twice, however they lie', () => {
  const many = Array.from({ length: 200 }, (_, i) => city(String(i), (i * 37) % 700, (i * 91) % 500, { total: i % 9 }))
  const sum = (all: readonly { total: number }[]) => all.reduce((total, each) => total + each.total, 0)
  expect(sum(clustered(many, 1))).toBe(sum(many))
})

test('a silent machine keeps its city from being fine', () => {
  const toneAt = (more: Partial<Placed>) => toneOf(city('a', 0, 0, more))
  expect([
    toneAt({}),
    toneAt({ lowStock: 1 }),
    toneAt({ unknown: 1 }),
    toneAt({ offline: 1 }),
    toneAt({ temperature: 1, offline: 9 }),
  ]).toEqual(['good', 'idle', 'warn', 'warn', 'bad'])
})
