import { expect, test } from 'vitest'
import { barcodesIn, barcodesText, prefixesIn, prefixesText, wordsIn, wordsText } from './listed.rules'

const levels = new Map([
  ['小包装', 'pack'],
  ['大包装', 'case'],
])

test.each([
  ['ibuprofen, caffeine', ['ibuprofen', 'caffeine']],
  ['布洛芬，咖啡因、 布洛芬', ['布洛芬', '咖啡因']],
  [' ', []],
])('%j are the words %j', (text, words) => expect(wordsIn(text)).toEqual(words))

test.each([
  ['6901234567892', [{ code: '6901234567892', packUnits: 1 }]],
  [
    '6901234567892 10\n\n6901234567908',
    [
      { code: '6901234567892', packUnits: 10 },
      { code: '6901234567908', packUnits: 1 },
    ],
  ],
  ['6901234567892 ten', [{ code: '6901234567892', packUnits: Number.NaN }]],
])('%j are the barcodes %j', (text, barcodes) => expect(barcodesIn(text)).toEqual(barcodes))

test.each([
  ['8123456', [{ level: 'pack', prefix: '8123456' }]],
  [
    '小包装 8123456\n大包装 8123457',
    [
      { level: 'pack', prefix: '8123456' },
      { level: 'case', prefix: '8123457' },
    ],
  ],
  ['pallet 812', [{ level: 'pallet', prefix: '812' }]],
])('%j are the prefixes %j', (text, prefixes) => expect(prefixesIn(text, levels)).toEqual(prefixes))

test('what was read is written as it is typed', () => {
  expect(wordsText(['a', 'b'])).toBe('a, b')
  expect(
    barcodesText([
      { code: '1', packUnits: 1 },
      { code: '2', packUnits: 6 },
    ]),
  ).toBe('1\n2 6')
  expect(prefixesText([{ level: 'pack', prefix: '81' }], () => '小包装')).toBe('小包装 81')
})
