import { expect, test } from 'vitest'
import { z } from 'zod'
import { fenOf, numberOf, yuanText } from '../../ui/amount'
import { choicesIn, hasOwnRule, longest, mayBeEmpty, payloadOf, problemsOf } from './schema'

const schema = z.strictObject({
  name: z.string().trim().min(1).max(20),
  note: z.string().max(200).nullable(),
  remark: z.string().max(60),
  search: z.string().min(1).optional(),
  priceFen: z.coerce.number().int().nonnegative(),
  limit: z.coerce.number().int().nullable(),
  type: z.enum(['a', 'b']),
  tags: z.array(z.enum(['x', 'y'])).min(1),
  language: z.enum(['zh', 'en']).default('zh'),
})
const names = Object.keys(schema.shape)
const filled = { name: 'Ada', priceFen: 0, type: 'a', tags: ['x'] }

test('an empty field is sent as null, as an empty text or not at all, as its schema likes', () => {
  const payload = payloadOf(schema.shape, names, { ...filled, note: ' ', remark: '', search: '', limit: '' })
  expect(payload).toEqual({ ...filled, note: null, remark: '', limit: null })
  expect(schema.safeParse(payload).success).toBe(true)
})

test('zero and false are values', () => {
  expect(payloadOf({}, ['a', 'b', 'c'], { a: 0, b: false, c: null })).toEqual({ a: 0, b: false })
})

test.each([
  ['name', '', 'required'],
  ['name', 'x'.repeat(21), 'tooLong'],
  ['priceFen', undefined, 'required'],
  ['priceFen', 'twelve', 'wrongType'],
  ['priceFen', -1, 'tooSmall'],
  ['type', undefined, 'required'],
  ['tags', [], 'tooFew'],
])('%s as %j is %s', (name, value, reason) => {
  const payload = payloadOf(schema.shape, names, { ...filled, [name]: value })
  expect([...problemsOf(schema, payload)].map(([at, problem]) => [at, problem.reason])).toEqual([[name, reason]])
})

test('what may stay empty, how much fits and what can be chosen follow from the schema', () => {
  const { shape } = schema
  expect(names.filter((name) => mayBeEmpty(schema.shape[name as keyof typeof shape]))).toEqual([
    'note',
    'remark',
    'search',
    'limit',
  ])
  expect(longest(shape.note)).toBe(200)
  expect(choicesIn(shape.tags)).toEqual(['x', 'y'])
})

test('only a rule beyond being filled in needs words before typing', () => {
  const { shape } = schema
  const phone = z.string().regex(/^[0-9-]+$/)
  const reason = z.string().trim().min(2).max(200)
  expect([shape.name, shape.note, shape.type, z.iso.date()].map(hasOwnRule)).toEqual([false, false, false, false])
  expect([shape.priceFen, phone, phone.nullable().default(null), reason].map(hasOwnRule)).toEqual(Array(4).fill(true))
})

test.each([
  ['12', 1200],
  ['12.5', 1250],
  [' ¥1,234.50 ', 123450],
  ['0.07', 7],
  ['-3.10', -310],
  ['12.', 1200],
  ['1.234', null],
  ['.5', null],
  ['1e3', null],
  ['', null],
])('%j yuan are %j fen', (typed, fen) => {
  expect(fenOf(typed)).toBe(fen)
})

test('fen are written with two decimals', () => {
  expect([0, 7, 1250, -310, 123450].map(yuanText)).toEqual(['0.00', '0.07', '12.50', '-3.10', '1234.50'])
})

test('a number may have its digits grouped', () => {
  expect(['1,200', '12.5', '%5', 'x', ''].map(numberOf)).toEqual([1200, 12.5, 5, null, null])
})
