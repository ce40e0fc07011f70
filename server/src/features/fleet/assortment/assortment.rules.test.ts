import { expect, test } from 'vitest'
import { mayPlace } from './assortment.rules'

test.each([
  ['no assortment allows everything', undefined, 7, true],
  ['what one names may stand', new Set([7, 8]), 7, true],
  ['what none names may not', new Set([7, 8]), 9, false],
  ['one that names nothing else allows nothing else', new Set<number>(), 7, false],
])('%s', (_, allowed, productId, wanted) => {
  expect(mayPlace(allowed, productId)).toBe(wanted)
})
