import { expect, test } from 'vitest'
import { type ImportWorld, judgeProduct } from './import.rules'

const world: ImportWorld = {
  takenCodes: new Set(['OLD-1']),
  takenBarcodes: new Map([['96385074', 'OLD-1 Old']]),
  categories: new Map([
    ['drinks', [1]],
    ['cola', [2, 3]],
    ['drinks/cola', [2]],
  ]),
  conditions: new Map([
    ['thirst', [8]],
    ['heat', [9]],
  ]),
  tags: new Map([
    ['new', 'new'],
    ['新品', 'new'],
    ['cold', 'cold'],
  ]),
}
const seen = () => ({ codes: new Set<string>(), barcodes: new Set<string>() })
const good = { code: 'COLA-1', name: 'Cola', costFen: '2', priceFen: '3.50' }
const faultsOf = (cells: Record<string, string>) =>
  judgeProduct({ ...good, ...cells }, world, seen()).faults.map(({ column, key }) => `${column} ${key}`)

test('a row with what must be there is a product, with all else as the form leaves it', () => {
  const judged = judgeProduct(good, world, seen())
  expect(judged.faults).toEqual([])
  expect(judged.good).toMatchObject({
    code: 'COLA-1',
    costFen: 200,
    priceFen: 350,
    picture: null,
    barcodes: [],
    tags: [],
  })
})

test('all that a sheet may say is read as the form would send it', () => {
  const cells = {
    barcodes: '6901028075763, 036000291452*24',
    categoryId: 'Drinks > Cola',
    isJointVenture: '是',
    shelfLifeDays: '365',
    producedOn: '2026/5/1',
    bestBefore: '2027.05.01',
    tags: '新品、cold，new',
    conditionIds: 'Thirst;Heat',
    picture: '/pictures/a.png',
  }
  expect(judgeProduct({ ...good, ...cells }, world, seen())).toMatchObject({
    faults: [],
    good: {
      barcodes: [
        { code: '6901028075763', packUnits: 1 },
        { code: '036000291452', packUnits: 24 },
      ],
      categoryId: 2,
      isJointVenture: true,
      shelfLifeDays: 365,
      producedOn: '2026-05-01',
      bestBefore: '2027-05-01',
      tags: ['new', 'cold'],
      conditionIds: [8, 9],
      picture: '/pictures/a.png',
    },
  })
})

test.each([
  ['no code', { code: '' }, ['code field.required']],
  ['a code with a space', { code: 'A B' }, ['code rule.code']],
  ['a code of one letter', { code: 'A' }, ['code rule.code']],
  ['a code that the merchant has', { code: 'OLD-1' }, ['code import.codeTaken']],
  ['no name', { name: '' }, ['name field.required']],
  ['a name of 121 characters', { name: 'x'.repeat(121) }, ['name field.tooLong']],
  ['no price', { priceFen: '' }, ['priceFen field.required']],
  ['a price that is a word', { priceFen: 'cheap' }, ['priceFen import.money']],
  ['a price below nothing', { priceFen: '-1' }, ['priceFen import.money']],
  ['half a fen', { costFen: '1.005' }, ['costFen import.money']],
  ['a price as a power', { priceFen: '1e3' }, ['priceFen import.money']],
  ['a price beyond what is sold', { priceFen: '100000.01' }, ['priceFen import.money']],
  ['a wrong check digit', { barcodes: '6901028075764' }, ['barcodes import.barcode']],
  ['two wrong barcodes are wrong once', { barcodes: '1, 2' }, ['barcodes import.barcode']],
  ['a case of none', { barcodes: '6901028075763*0' }, ['barcodes import.barcode']],
  [
    'a barcode twice in its row',
    { barcodes: '6901028075763,6901028075763*2' },
    ['barcodes refusal.product.barcodeTwice'],
  ],
  ['a barcode of another product', { barcodes: '96385074' }, ['barcodes refusal.product.barcodeTaken']],
  ['a category that is not there', { categoryId: 'Snacks' }, ['categoryId import.categoryUnknown']],
  ['a name of two categories', { categoryId: 'cola' }, ['categoryId import.categoryTwice']],
  ['a condition that is not there', { conditionIds: 'Thirst, Cold' }, ['conditionIds import.conditionUnknown']],
  ['a tag that is not there', { tags: 'old' }, ['tags import.tagUnknown']],
  ['neither yes nor no', { isJointVenture: 'maybe' }, ['isJointVenture import.yesNo']],
  ['a shelf life in words', { shelfLifeDays: 'long' }, ['shelfLifeDays field.wrongType']],
  ['a shelf life with its unit', { shelfLifeDays: '365d' }, ['shelfLifeDays field.wrongType']],
  ['a shelf life after a word', { shelfLifeDays: 'about 365' }, ['shelfLifeDays field.wrongType']],
  ['a case with its unit', { barcodes: '6901028075763*12pc' }, ['barcodes import.barcode']],
  ['a case after a word', { barcodes: 'EAN6901028075763*12' }, ['barcodes import.barcode']],
  ['an end on the first day', { producedOn: '2026-05-02', bestBefore: '2026-05-02' }, []],
  ['a shelf life of no days', { shelfLifeDays: '0' }, ['shelfLifeDays field.tooSmall']],
  ['a day that never was', { producedOn: '2026-02-30' }, ['producedOn field.notADate']],
  [
    'an end before the beginning',
    { producedOn: '2026-05-02', bestBefore: '2026-05-01' },
    ['bestBefore refusal.product.dates'],
  ],
  ['a script for a picture', { picture: '/pictures/a.html' }, ['picture field.format']],
  ['a remark of 201 characters', { remark: 'x'.repeat(201) }, ['remark field.tooLong']],
] as const)('%s', (_, cells, faults) => {
  expect(faultsOf(cells)).toEqual(faults)
})

test('a code and a barcode stand in a sheet once, and the first of them is good', () => {
  const before = seen()
  const judge = (cells: Record<string, string>) => judgeProduct({ ...good, ...cells }, world, before).faults
  expect(judge({ barcodes: '6901028075763' })).toEqual([])
  expect(judge({ code: 'COLA-2', barcodes: '6901028075763' }).map(({ key }) => key)).toEqual(['import.barcodeTwice'])
  expect(judge({ barcodes: '' }).map(({ key }) => key)).toEqual(['import.codeTwice'])
})

test('a fault says its column, in the words of its domain, and what it is about', () => {
  const before = seen()
  const judge = (cells: Record<string, string>) => judgeProduct({ ...good, ...cells }, world, before).faults
  judge({ barcodes: '6901028075763' })
  const fault = (column: string, key: string, vars?: Record<string, string>) => {
    return { domain: 'catalog', column, key, vars }
  }
  expect(judge({ barcodes: '6901028075763' })).toEqual([
    fault('code', 'import.codeTwice'),
    fault('barcodes', 'import.barcodeTwice', { code: '6901028075763' }),
  ])
  expect(judge({ code: 'COLA-3', barcodes: '96385074', categoryId: 'Snacks', conditionIds: 'Thirst, Cold' })).toEqual([
    fault('categoryId', 'import.categoryUnknown', { name: 'Snacks' }),
    fault('conditionIds', 'import.conditionUnknown', { name: 'Cold' }),
    fault('barcodes', 'refusal.product.barcodeTaken', { code: '96385074', name: 'OLD-1 Old' }),
  ])
})

test('barcodes stand apart by spaces as well, and no joint venture is none', () => {
  const { good: read } = judgeProduct(
    { ...good, barcodes: '6901028075763  036000291452', isJointVenture: '否' },
    world,
    seen(),
  )
  expect(read).toMatchObject({ isJointVenture: false, barcodes: [{ code: '6901028075763' }, { code: '036000291452' }] })
})

test('what a spreadsheet worked out is the price that it shows', () => {
  expect(judgeProduct({ ...good, priceFen: '3.6300000000000003' }, world, seen()).good?.priceFen).toBe(363)
})
