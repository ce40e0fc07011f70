import { expect, test } from 'vitest'
import { layersOf, missingPieces, stockByProduct, stockTone, worthFen } from './planogram.rules'

const slot = (layer: number, position: number) => ({ layer, position })

test('shelves stand from the top and slots from the left, whatever order they come in', () => {
  const layers = layersOf([slot(2, 2), slot(1, 1), slot(2, 1), slot(10, 1)])
  expect(layers.map(({ layer }) => layer)).toEqual([1, 2, 10])
  expect(layers[1]?.slots.map(({ position }) => position)).toEqual([1, 2])
})

test('what is missing counts from zero and never below it', () => {
  const counted = [
    { productId: 1, stock: 3, capacity: 10, alarmThreshold: 2 },
    { productId: 1, stock: -2, capacity: 5, alarmThreshold: 2 },
    { productId: 1, stock: 12, capacity: 10, alarmThreshold: 2 },
  ]
  expect(missingPieces(counted)).toBe(7 + 5)
})

test('goods are worth their price, and a slot without a price or below zero is worth nothing', () => {
  const slots = [
    { stock: 2, priceFen: 350 },
    { stock: 4, priceFen: null },
    { stock: -1, priceFen: 100 },
  ]
  expect(worthFen(slots)).toBe(700)
})

test('at its threshold a slot is low, at zero it is empty', () => {
  const at = (stock: number) => stockTone({ stock, capacity: 10, alarmThreshold: 2 })
  expect([at(-1), at(0), at(1), at(2), at(3)]).toEqual(['bad', 'bad', 'warn', 'warn', 'good'])
})

test('a product in several slots is counted once, and the emptiest stands first', () => {
  const goods = (code: string, productCode: string | null, stock: number) => ({
    code,
    productCode,
    productName: productCode,
    picture: null,
    stock,
    capacity: 10,
  })
  const stocked = stockByProduct([
    goods('A1', 'tea', 9),
    goods('A2', 'cola', 2),
    goods('A3', 'cola', -1),
    goods('A4', null, 0),
  ])
  expect(stocked.map(({ code, stock, capacity, slots }) => [code, stock, capacity, slots.join(' ')])).toEqual([
    ['cola', 2, 20, 'A2 A3'],
    ['tea', 9, 10, 'A1'],
  ])
})
