import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allOrNone, cellsOf } from '../bill/bill.rules'
import { chinaDigits, chinaIso, chinaStamp, fromChina, unionPayDay } from './chinaTime.rules'
import { fromYuan, toYuan } from './yuan.rules'

test.each([
  [0, '0.00'],
  [1, '0.01'],
  [10, '0.10'],
  [101, '1.01'],
  [123_456_789, '1234567.89'],
])('%i fen are %s yuan', (fen, yuan) => {
  expect(toYuan(fen)).toBe(yuan)
  expect(fromYuan(yuan)).toBe(fen)
})

test.each([
  ['`3.50', 350],
  [' 3.50 ', 350],
  ['3.5', 350],
  ['3', 300],
  ['-0.06', -6],
  ['+1.00', 100],
  ['0.00', 0],
  ['-0.00', 0],
  ['3.505', null],
  ['3,50', null],
  ['1e3', null],
  ['', null],
  ['.5', null],
])('%j is read as %j fen', (text, fen) => {
  expect(fromYuan(text)).toBe(fen)
})

test('every amount survives the way to yuan and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (fen) => {
      expect(fromYuan(toYuan(fen))).toBe(fen)
    }),
    { seed: Number(process.env.SEED ?? 1) },
  )
  expect(() => toYuan(0.5)).toThrow(new RangeError('not an amount of fen: 0.5'))
  expect(() => toYuan(-1)).toThrow(RangeError)
})

test('times of the providers stand in China, and are read in each of their forms', () => {
  const at = new Date('2026-12-31T16:30:05Z')
  expect([chinaStamp(at), chinaDigits(at), chinaIso(at)]).toEqual([
    '2027-01-01 00:30:05',
    '20270101003005',
    '2027-01-01T00:30:05+08:00',
  ])
})

test.each([
  '2027-01-01 00:30:05',
  '`2027-01-01 00:30:05',
  '\t2027-01-01 00:30:05 ',
  '20270101003005',
  '2027-01-01T00:30:05+08:00',
])('%j is a time of a provider', (text) => {
  expect(fromChina(text)).toEqual(new Date('2026-12-31T16:30:05Z'))
})

test.each([
  '',
  '2027-01-01',
  'yesterday',
  '20271301003005',
  // A number of something else, though it has as many digits and more.
  '120270101003005',
  '202701010030051',
  '2027-01-01`00:30:05',
  '2027-01-01+08:00 00:30:05',
])('%j is no time', (text) => expect(fromChina(text)).toBe(null))

test.each([
  ['2026-11-22T14:59:59Z', '2026-11-22'],
  ['2026-11-22T15:00:00Z', '2026-11-23'],
  ['2026-11-22T16:00:00Z', '2026-11-23'],
])('%s is of UnionPay’s day %s', (at, day) => {
  expect(unionPayDay(new Date(at))).toBe(day)
})

test('a table is read by the names of its columns, to its end', () => {
  const text = '\uFEFF#head\r\n交易时间,金额（元）\r\n`t1,`1.00\r\n`t2,`2.00\r\n总交易单数,x\r\n`2,`3.00\r\n'
  const rows = cellsOf(text, '交易时间', '总交易单数')
  expect(rows?.map((row) => [row('交易时间'), row('金额(元)'), row('missing')])).toEqual([
    ['t1', '1.00', ''],
    ['t2', '2.00', ''],
  ])
  expect(cellsOf('nothing of it', '交易时间', '总交易单数')).toBe(null)
})

test.each([
  ['its last row is the last line of the file', ['a', 'b'], ['时间,金额', 'a,1', 'b,2']],
  ['its lines end as on Unix', ['a', 'b'], ['时间,金额', 'a,1', 'b,2', '总数,2']],
  ['nothing stands before it but a mark of the byte order', ['a'], ['\uFEFF时间,金额', 'a,1']],
  ['blanks and back-ticks stand around names and cells', ['a'], [' `时间 ,`金额', ' `a ,1']],
  ['its end begins with a back-tick, too', ['a'], ['时间,金额', 'a,1', '`总数,`1', 'c,3']],
  ['a line of blanks ends it', ['a'], ['时间,金额', 'a,1', '  ', 'c,3']],
  ['it has no rows', [], ['时间,金额', '总数,0', 'c,3']],
  ['a back-tick within a cell is part of it', ['a`b'], ['时间,金额', 'a`b,1']],
  ['a back-tick within a name is part of it', ['a'], ['时间,金`额', 'a,1'], '金`额'],
])('a table is read where %s', (_, times, lines, second = '金额') => {
  const rows = cellsOf(lines.join('\n'), '时间', '总数')
  expect(rows?.map((row) => row('时间'))).toEqual(times)
  for (const row of rows ?? []) expect(row(second)).not.toBe('')
})

test('one line that cannot be read makes the whole file unbelievable', () => {
  expect(allOrNone([1, 2])).toEqual([1, 2])
  expect(allOrNone([1, null, 2])).toBe(null)
  expect(allOrNone([])).toEqual([])
})
