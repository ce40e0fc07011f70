import { expect, test } from 'vitest'
import { blankSlots, layersIn, resized, withLayers } from './template.rules'

const sizes = (slots: ReturnType<typeof blankSlots>) =>
  layersIn(slots).map((layer) => slots.filter((slot) => slot.layer === layer).length)

test('a layer grows at its first free place and shrinks from its end', () => {
  const [, , ...rest] = resized(blankSlots(), 1, 4)
  const gap = rest.filter(({ layer }) => layer === 1)
  expect(gap.map(({ position }) => position)).toEqual([3, 4])
  expect(resized(gap, 1, 4).map(({ position }) => position)).toEqual([1, 2, 3, 4])
  expect(resized(gap, 1, 1).map(({ position }) => position)).toEqual([3])
})

test('layers come with as many slots as the lowest has, and go from below', () => {
  expect(sizes(blankSlots())).toEqual([6, 6, 6, 6])
  expect(sizes(withLayers(resized(blankSlots(), 4, 2), 6))).toEqual([6, 6, 6, 2, 2, 2])
  expect(sizes(withLayers(blankSlots(), 1))).toEqual([6])
  expect(sizes(withLayers(blankSlots(), 10))).toHaveLength(10)
})
