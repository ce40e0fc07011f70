import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf } from './bill.rules'
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
  expect(() => toYuan(0.5)).toThrow(RangeError)
  expect(() => toYuan(-1)).toThrow(RangeError)
})

test('times of the providers stand in China, and are read in each of their forms', () => {
  const at = new Date('2026-12-31T16:30:05Z')
  expect([chinaStamp(at), chinaDigits(at), chinaIso(at)]).toEqual([
    '2027-01-01 00:30:05',
    '20270101003005',
    '2027-01-01T00:30:05+08:00',
  ])
  for (const text of ['2027-01-01 00:30:05', '`2027-01-01 00:30:05', '20270101003005', '2027-01-01T00:30:05+08:00']) {
    expect(fromChina(text)).toEqual(at)
  }
  for (const text of ['', '2027-01-01', '20271301003005', 'yesterday']) expect(fromChina(text)).toBe(null)
})

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
