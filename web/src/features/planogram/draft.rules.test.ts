import { expect, test } from 'vitest'
import { common, drafted, emptying, nothingPicked, pick, pickAll, recommendedFirst, withChange } from './draft.rules'

const slot = (code: string, more: Record<string, unknown> = {}) => ({
  code,
  productId: 1 as number | null,
  productCode: 'P1' as string | null,
  productName: 'Water' as string | null,
  picture: null,
  medicineClass: null,
  priceFen: 500 as number | null,
  capacity: 8,
  alarmThreshold: 1,
  choice: 'none' as const,
  isLocked: false,
  ...more,
})
const order = ['A01', 'A02', 'A03', 'B01']

test('a draft holds what differs: a wish taken back leaves nothing behind', () => {
  const [a, b] = [slot('A01'), slot('A02')]
  const raised = withChange(new Map(), [a, b], { priceFen: 600 })
  expect([...raised.keys()]).toEqual(['A01', 'A02'])
  expect(drafted(a, raised).priceFen).toBe(600)
  expect(withChange(raised, [a, b], { priceFen: 500 }).size).toBe(0)
  expect(drafted(b, withChange(raised, [b], emptying))).toMatchObject({ productId: null, priceFen: null, capacity: 8 })
})

test('a press picks one, Ctrl one more or less, Shift all between', () => {
  const one = pick(nothingPicked, order, 'A02', { isMore: false, isRange: false })
  expect([...one.codes]).toEqual(['A02'])
  expect([...pick(one, order, 'B01', { isMore: false, isRange: true }).codes]).toEqual(['A02', 'A03', 'B01'])
  expect([...pick(one, order, 'A01', { isMore: false, isRange: true }).codes]).toEqual(['A01', 'A02'])
  const two = pick(one, order, 'A01', { isMore: true, isRange: false })
  expect([...two.codes]).toEqual(['A02', 'A01'])
  expect([...pick(two, order, 'A02', { isMore: true, isRange: false }).codes]).toEqual(['A01'])
})

test('a layer is picked whole, and let go whole', () => {
  const layer = pickAll(nothingPicked, ['A01', 'A02'])
  expect([...layer.codes]).toEqual(['A01', 'A02'])
  expect(pickAll(layer, ['A01', 'A02']).codes.size).toBe(0)
})

test('what several slots have in common is said, what they do not is left open', () => {
  expect(common([slot('A01'), slot('A02')], 'priceFen')).toBe(500)
  expect(common([slot('A01'), slot('A02', { priceFen: 1 })], 'priceFen')).toBeUndefined()
  expect(common([], 'code')).toBeUndefined()
})

test('what is recommended for a picked slot comes first, the rest stays in its order', () => {
  const products = [
    { id: 1, recommendedFor: ['B01'] },
    { id: 2, recommendedFor: [] },
    { id: 3, recommendedFor: ['A01', 'A02'] },
  ]
  const idsFor = (picked: string[]) => recommendedFirst(products, picked).map(({ id }) => id)
  expect(idsFor([])).toEqual([1, 2, 3])
  expect(idsFor(['A02'])).toEqual([3, 1, 2])
})
