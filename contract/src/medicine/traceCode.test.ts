import { expect, test } from 'vitest'
import { linesIn, readSoldTrace, readTrace } from './traceCode'

const GS = String.fromCharCode(29)

test.each([
  ['81234560000000000001', 'cn20', '81234560000000000001', '8123456', null],
  [' 8123456000000000000a ', 'cn20', '8123456000000000000A', '8123456', null],
  ['(01)06901028075763(21)AB12', 'gs1', '(01)06901028075763(21)AB12', '06901028075763', null],
  ['(01)06901028075763(17)271231(10)L-7(21)AB12', 'gs1', '(01)06901028075763(21)AB12', '06901028075763', 'L-7'],
  ['(21)AB12(01)06901028075763', 'gs1', '(01)06901028075763(21)AB12', '06901028075763', null],
  ['010690102807576321AB12', 'gs1', '(01)06901028075763(21)AB12', '06901028075763', null],
  [`]d201069010280757631727123110L-7${GS}21AB12`, 'gs1', '(01)06901028075763(21)AB12', '06901028075763', 'L-7'],
  [`${GS}010690102807576321AB12${GS}1727123110L-7`, 'gs1', '(01)06901028075763(21)AB12', '06901028075763', 'L-7'],
  ['010690102807576321AB12^]10L-7', 'gs1', '(01)06901028075763(21)AB12', '06901028075763', 'L-7'],
  [
    'https://id.gs1.org/01/06901028075763/10/L%2F7/21/AB12?x=1',
    'gs1',
    '(01)06901028075763(21)AB12',
    '06901028075763',
    'L/7',
  ],
  ['https://a.example/p/01/06901028075763/21/A%zz', 'gs1', '(01)06901028075763(21)A%zz', '06901028075763', null],
  ['MAKER-77', 'other', 'MAKER-77', null, null],
  ['8123456', 'other', '8123456', null, null],
  ['812345600000000000012', 'other', '812345600000000000012', null, null],
] as const)('%s is a code of scheme %s', (typed, scheme, code, identifier, batch) => {
  expect(readTrace(typed)).toEqual({ scheme, code, identifier, batch })
})

test.each([
  ['nothing', ''],
  ['too short', 'A12'],
  ['too long', 'A'.repeat(61)],
  ['a blank inside', 'AB 12'],
  ['a letter of another alphabet', '追溯码1234'],
  ['a GTIN with a wrong check digit', '(01)06901028075764(21)AB12'],
  ['a GTIN without a serial', '(01)06901028075763'],
  ['a serial of 21 characters', `(01)06901028075763(21)${'A'.repeat(21)}`],
  ['a field twice', '(01)06901028075763(21)AB12(21)AB13'],
  ['bare with a field that nobody knows', '010690102807576399AB12'],
])('%s is no code', (_, typed) => expect(readTrace(typed)).toBeNull())

test('what was sold is kept whatever it is, but nothing is nothing', () => {
  expect(readSoldTrace(' A 1 ')).toMatchObject({ code: 'A 1', scheme: 'other' })
  expect(readSoldTrace('  ')).toBeNull()
})

test('a list has a code a line, as scanners, sheets and files part them', () => {
  expect(linesIn('A1\r\nB2\tmilk\n\n "C3" \rD4')).toEqual(['A1', 'B2', 'C3', 'D4'])
  expect(linesIn(' \n')).toEqual([])
})
