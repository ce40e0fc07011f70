import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findingsOf, type Offered, type Piece, setPriceOf } from './combination.rules'

const piece = (productId: number, more: Partial<Piece> = {}): Piece => ({
  productId,
  name: `M${productId}`,
  medicineClass: 'otc_b',
  ingredients: [],
  limitGroup: null,
  limitPacks: null,
  quantity: 1,
  ...more,
})
const aspirin = piece(1, { ingredients: ['aspirin'] })
const warfarin = piece(2, { ingredients: ['warfarin'], medicineClass: 'rx' })
const cold = piece(3, { ingredients: ['paracetamol', 'caffeine'], medicineClass: 'otc_a' })
const fever = piece(4, { ingredients: ['paracetamol'] })
const ephedrine = (quantity: number) => piece(5, { limitGroup: 'ephedrine', limitPacks: 2, quantity })

test.each<[string, Piece[], [string, string][], string[]]>([
  ['two that may meet', [aspirin, fever], [], []],
  ['two that must not', [warfarin, aspirin], [['aspirin', 'warfarin']], ['pair', 'prescription']],
  ['the other way round', [aspirin, warfarin], [['aspirin', 'warfarin']], ['pair', 'prescription']],
  ['a pair of which one is missing', [aspirin, fever], [['aspirin', 'warfarin']], []],
  ['one ingredient twice', [cold, fever], [], ['ingredientTwice', 'hospitalOnly']],
  ['the same pack twice', [piece(4, { ingredients: ['paracetamol'], quantity: 2 })], [], []],
  ['limited, within', [ephedrine(2), fever], [], ['limited']],
  ['limited, beyond', [ephedrine(3), fever], [], ['overLimit']],
  ['limited, beyond by two medicines', [ephedrine(2), { ...ephedrine(1), productId: 6 }], [], ['overLimit']],
  ['goods alone', [piece(7, { medicineClass: null })], [], []],
])('of %s is found what speaks against it', (_, pieces, pairs, kinds) => {
  expect(findingsOf(pieces, pairs).map(({ kind }) => kind)).toEqual(kinds)
})

test('worst stands first, whatever was found first', () => {
  const found = findingsOf([cold, warfarin, fever, aspirin, ephedrine(3)], [['aspirin', 'warfarin']])
  expect(found.map(({ kind }) => kind)).toEqual(['pair', 'ingredientTwice', 'overLimit', 'prescription'])
})

test('a pair needs one of it in each, in whichever order; both in one say nothing of the other', () => {
  const both = piece(8, { ingredients: ['aspirin', 'warfarin'] })
  expect(findingsOf([both, fever], [['aspirin', 'warfarin']])).toEqual([])
  expect(findingsOf([fever, both], [['aspirin', 'warfarin']])).toEqual([])
})

test('what is found names the medicines, the substances, and how many are too many', () => {
  const other = piece(6, { limitGroup: 'ephedrine', limitPacks: 2 })
  expect(findingsOf([warfarin, aspirin, cold, fever, ephedrine(2), other], [['aspirin', 'warfarin']])).toEqual([
    { kind: 'pair', facts: { name: 'M2', other: 'M1', substances: 'aspirin + warfarin' } },
    { kind: 'ingredientTwice', facts: { name: 'M3', other: 'M4', substance: 'paracetamol' } },
    { kind: 'overLimit', facts: { name: 'M5, M6', packs: '3', max: '2' } },
    { kind: 'prescription', facts: { name: 'M2' } },
  ])
  const free = piece(9, { limitGroup: 'codeine', quantity: 50 })
  expect(findingsOf([free], [])).toEqual([{ kind: 'limited', facts: { name: 'M9' } }])
  const bound = [cold, piece(10, { medicineClass: 'otc_a' })]
  expect(findingsOf(bound, [])).toEqual([{ kind: 'hospitalOnly', facts: { name: 'M3, M10' } }])
})

const set = (id: number, priceFen: number, ...products: number[]): Offered => ({
  id,
  name: `S${id}`,
  priceFen,
  items: [...new Set(products)].map((productId) => ({
    productId,
    quantity: products.filter((each) => each === productId).length,
  })),
})
const asked = (...pieces: [number, number][]) => pieces.map(([productId, askedFen]) => ({ productId, askedFen }))

test.each<[string, ReturnType<typeof asked>, Offered[], [number, number[][]] | null]>([
  [
    'all pieces are there',
    asked([1, 1000], [2, 500]),
    [set(1, 1200, 1, 2)],
    [
      1,
      [
        [0, 800],
        [1, 400],
      ],
    ],
  ],
  ['one is missing', asked([1, 1000], [3, 500]), [set(1, 1200, 1, 2)], null],
  ['two of one are wanted and one is there', asked([1, 1000], [2, 500]), [set(1, 900, 1, 1, 2)], null],
  [
    'another stands between',
    asked([1, 1000], [9, 70], [2, 500]),
    [set(1, 1200, 1, 2)],
    [
      1,
      [
        [0, 800],
        [2, 400],
      ],
    ],
  ],
  [
    'a fen is left over',
    asked([1, 333], [2, 333], [3, 334]),
    [set(1, 500, 1, 2, 3)],
    [
      1,
      [
        [0, 166],
        [1, 167],
        [2, 167],
      ],
    ],
  ],
  [
    'more of one are wanted than the set has',
    asked([1, 300], [1, 300], [2, 500]),
    [set(1, 600, 2, 1)],
    [
      1,
      [
        [0, 225],
        [2, 375],
      ],
    ],
  ],
  [
    'a cheap set saves more than a dear one',
    asked([1, 900], [2, 900], [3, 100]),
    [set(2, 950, 1, 3), set(1, 1000, 1, 2)],
    [
      1,
      [
        [0, 500],
        [1, 500],
      ],
    ],
  ],
  ['it would cost as much one by one', asked([1, 700], [2, 500]), [set(1, 1200, 1, 2)], null],
  ['it would cost less one by one', asked([1, 600], [2, 500]), [set(1, 1200, 1, 2)], null],
  [
    'the dearer set saves more',
    asked([1, 900], [2, 900], [3, 900]),
    [set(1, 1700, 1, 2), set(2, 2000, 1, 2, 3)],
    [
      2,
      [
        [0, 666],
        [1, 667],
        [2, 667],
      ],
    ],
  ],
  [
    'two save as much, the older holds',
    asked([1, 900], [2, 900]),
    [set(2, 1700, 1, 2), set(1, 1700, 1, 2)],
    [
      1,
      [
        [0, 850],
        [1, 850],
      ],
    ],
  ],
  ['nothing is offered', asked([1, 900], [2, 900]), [], null],
])('where %s', (_, wanted, offered, outcome) => {
  const found = setPriceOf(wanted, offered)
  expect(found && [found.set.id, found.pieces.map(({ at, afterFen }) => [at, afterFen])]).toEqual(outcome)
})

test('the parts of a set come to its price, and no piece gets dearer', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(prices, fc.double({ min: 0, max: 1, noNaN: true }), (fens, share) => {
      const fullFen = fens.reduce((sum, each) => sum + each, 0)
      const priceFen = Math.max(1, Math.floor(fullFen * share))
      const wanted = fens.map((askedFen, productId) => ({ productId, askedFen }))
      const found = setPriceOf(wanted, [set(1, priceFen, ...fens.keys())])
      if (priceFen >= fullFen) return found === null
      const parts = found?.pieces ?? []
      const isDearer = parts.some(({ at, afterFen }) => afterFen < 0 || afterFen > (fens[at] ?? 0))
      return !isDearer && parts.reduce((sum, { afterFen }) => sum + afterFen, 0) === priceFen
    }),
  )
})
