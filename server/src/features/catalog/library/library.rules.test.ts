import { isInHouse } from '@aisle/contract/catalog/barcode'
import { libraryState } from '@aisle/contract/catalog/library'
import { expect, test } from 'vitest'
import { mayJudge, merged, offeredFields } from './library.rules'

const facts = {
  name: 'Cola',
  brand: 'Fizz',
  specification: '330 ml',
  unit: 'can',
  manufacturer: '',
  category: '',
  picture: '/pictures/a.png',
  pictures: ['/pictures/b.png'],
  remark: '',
}

test.each([
  ['nothing changed', {}, {}, []],
  ['the library has another brand', { brand: 'Fizz & Co' }, {}, ['brand']],
  ['the merchant wrote the same already', { brand: 'Fizz & Co' }, { brand: 'Fizz & Co' }, []],
  ['the merchant has a word of its own', { brand: 'Fizz & Co' }, { brand: 'Mine' }, ['brand']],
  ['only the merchant changed it', {}, { brand: 'Mine' }, []],
  ['several at once', { name: 'Cola zero', pictures: [] }, {}, ['name', 'pictures']],
  ['a picture is gone', { picture: null }, {}, ['picture']],
] as const)('%s', (_, library, mine, expected) => {
  const offered = offeredFields(facts, { ...facts, ...library } as typeof facts, { ...facts, ...mine })
  expect(offered.map(({ field }) => field)).toEqual(expected)
})

test.each([
  ['what the item says stays', { brand: 'Other', unit: 'bottle' }, {}],
  [
    'what it lacks comes from the addition',
    { manufacturer: 'Works', remark: 'cold' },
    { manufacturer: 'Works', remark: 'cold' },
  ],
  ['its pictures come behind', { pictures: ['/pictures/c.png'] }, { pictures: ['/pictures/b.png', '/pictures/c.png'] }],
  [
    'also its thumbnail',
    { picture: '/pictures/d.png', pictures: [] },
    { pictures: ['/pictures/b.png', '/pictures/d.png'] },
  ],
  ['each once', { picture: '/pictures/a.png', pictures: ['/pictures/a.png', '/pictures/b.png'] }, {}],
  [
    'five at most',
    { pictures: [1, 2, 3, 4, 5, 6].map((n) => `/pictures/${n}.png`) },
    {
      pictures: ['/pictures/b.png', '/pictures/1.png', '/pictures/2.png', '/pictures/3.png', '/pictures/4.png'],
    },
  ],
])('%s', (_, addition, expected) => {
  const bare = { ...facts, brand: '', specification: '', unit: '', picture: null, pictures: [] }
  expect(merged(facts, { ...bare, ...addition })).toEqual({ ...facts, ...expected })
})

test('an item without a thumbnail takes the addition’s', () => {
  expect(merged({ ...facts, picture: null }, { ...facts, picture: '/pictures/z.png' }).picture).toBe('/pictures/z.png')
})

test.each([
  ['2012345678900', true],
  ['2912345678900', true],
  ['22345674', true],
  ['12012345678907', true],
  ['6901028075763', false],
  ['96385074', false],
  ['036000291452', false],
])('%s is an in-house number: %s', (code, is) => expect(isInHouse(code)).toBe(is))

test.each([
  ['platform_admin', 1, 1, true],
  ['merchant_admin', 2, 2, false],
  ['ordinary', 2, 2, false],
  ['merchant_admin', 2, 3, true],
])('a %s of merchant %s may judge what merchant %s offers: %s', (kind, merchantId, of, may) => {
  expect(mayJudge({ kind, merchantId }, of)).toBe(may)
})

test('every state can be reached', () => expect(libraryState.unreachable()).toEqual([]))
