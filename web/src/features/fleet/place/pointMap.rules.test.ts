import { expect, test } from 'vitest'
import { following, MOST_ZOOM, stepped, viewBox, zoomed } from './pointMap.rules'

const size = { width: 2000, height: 1600 }

test('the whole drawing is shown at first, and nothing beyond it at the edge', () => {
  expect(viewBox(size, { x: 1000, y: 800, zoom: 1 })).toEqual([0, 0, 2000, 1600])
  expect(viewBox(size, { x: 0, y: 1600, zoom: 4 })).toEqual([0, 1200, 500, 400])
})

test('zooming goes to the mark and stops at both ends', () => {
  const view = { x: 1000, y: 800, zoom: 2 }
  expect(zoomed(view, 2, [300, 400])).toEqual({ x: 300, y: 400, zoom: 4 })
  expect(zoomed(view, 0.1, null)).toEqual({ x: 1000, y: 800, zoom: 1 })
  expect(zoomed({ ...view, zoom: MOST_ZOOM }, 2, null).zoom).toBe(MOST_ZOOM)
})

test('arrows walk finer the nearer one looks, and the view follows what walks out of it', () => {
  const near = { x: 1000, y: 800, zoom: 100 }
  expect(stepped(size, near, [1000, 800], 'ArrowRight', false)).toEqual([1000.2, 800])
  expect(stepped(size, near, [1000, 800], 'ArrowUp', true)).toEqual([1000, 798])
  expect(stepped(size, near, [1000, 800], 'a', false)).toBeNull()
  expect(following(size, near, [1005, 800])).toEqual(near)
  expect(following(size, near, [1500, 800])).toEqual({ x: 1500, y: 800, zoom: 100 })
})
