import { expect, test } from 'vitest'
import { scaleOf, shownOf, within } from './crop.rules'

const frame = { width: 280, height: 400 }
const wide = { width: 1000, height: 500 }
const tall = { width: 500, height: 2000 }

test('a picture just fills the frame before anybody enlarges it', () => {
  expect(scaleOf(wide, frame, 1)).toBe(0.8)
  expect(scaleOf(tall, frame, 1)).toBe(0.56)
})

test.each([
  ['moved inside', wide, { zoom: 1, x: 100, y: 0 }, { zoom: 1, x: 100, y: 0 }],
  ['moved too far', wide, { zoom: 1, x: 900, y: 50 }, { zoom: 1, x: 260, y: 0 }],
  ['moved too far the other way', tall, { zoom: 1, x: -5, y: -900 }, { zoom: 1, x: 0, y: -360 }],
  ['smaller than the frame', wide, { zoom: 0.5, x: 0, y: 0 }, { zoom: 1, x: 0, y: 0 }],
  ['larger than helps', wide, { zoom: 9, x: 0, y: 0 }, { zoom: 4, x: 0, y: 0 }],
])('%s, it shows no edge', (_, picture, lie, held) => {
  const found = within(picture, frame, lie)
  expect([found.zoom, found.x + 0, found.y + 0]).toEqual([held.zoom, held.x, held.y])
})

test('what is cut out is what the frame showed', () => {
  expect(shownOf(wide, frame, { zoom: 1, x: 0, y: 0 })).toEqual({ x: 325, y: 0, width: 350, height: 500 })
  expect(shownOf(wide, frame, { zoom: 1, x: 260, y: 0 })).toMatchObject({ x: 0 })
  expect(shownOf(wide, frame, { zoom: 2, x: 0, y: 0 })).toEqual({ x: 412.5, y: 125, width: 175, height: 250 })
})
