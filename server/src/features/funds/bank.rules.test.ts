import { expect, test } from 'vitest'
import { readAnswer, readStatement } from './bank.rules'

const said = (more: Record<string, unknown>) => JSON.stringify({ reference: 'W1', state: 'paid', ...more })

test.each([
  ['', 'unknown', 'unreadable'],
  ['{', 'unknown', 'unreadable'],
  [said({ reference: 'W2' }), 'unknown', 'unreadable'],
  [said({ state: 'sent' }), 'unknown', 'unreadable'],
  [said({ bankNo: 'B'.repeat(61) }), 'unknown', 'unreadable'],
  [said({ amountFen: 1.5 }), 'unknown', 'unreadable'],
  [said({ state: 'failed', reason: 'no such account' }), 'failed', 'no such account'],
  [said({ state: 'failed', reason: 'no\0 account' }), 'failed', 'no account'],
  [said({ state: 'failed', reason: 'x'.repeat(200) }), 'failed', 'x'.repeat(120)],
  [said({}), 'paid', null],
  [said({ state: 'accepted' }), 'accepted', null],
  [said({ state: 'returned' }), 'returned', null],
  [said({ state: 'notFound' }), 'notFound', null],
])('the answer %s is read as %s, %s', (text, outcome, code) => {
  expect(readAnswer(text, 'W1')).toMatchObject({ outcome, code })
})

test('amount and number of the bank are read where they stand, and are nothing elsewhere', () => {
  const bankNo = 'B'.repeat(60)
  expect(readAnswer(said({ amountFen: 500, bankNo }), 'W1')).toEqual({
    outcome: 'paid',
    amountFen: 500,
    bankNo,
    code: null,
  })
  expect(readAnswer(said({}), 'W1')).toEqual({ outcome: 'paid', amountFen: null, bankNo: null, code: null })
})

const line = { kind: 'paid', reference: 'W1', bankNo: 'B1', amountFen: 500 }
const statement = (more: Record<string, unknown>) =>
  JSON.stringify({ reference: '2026-11-20', isLast: true, lines: [line], ...more })

test('a statement is read whole, its words without the blanks around them', () => {
  const other = { kind: 'returned', reference: ' W2 ', bankNo: ' B2', amountFen: 1 }
  expect(readStatement(statement({ lines: [line, other], isLast: false }), '2026-11-20')).toEqual({
    lines: [line, { kind: 'returned', reference: 'W2', bankNo: 'B2', amountFen: 1 }],
    isLast: false,
  })
  expect(readStatement(statement({ lines: [] }), '2026-11-20')).toEqual({ lines: [], isLast: true })
})

test.each([
  ['is none', ''],
  ['is of another day', statement({ reference: '2026-11-19' })],
  ['does not say whether it ends', statement({ isLast: undefined })],
  ['has no lines', statement({ lines: undefined })],
  ['has a line of another kind', statement({ lines: [{ ...line, kind: 'fee' }] })],
  ['has a line without a number', statement({ lines: [{ ...line, bankNo: ' ' }] })],
  ['has a line with an endless number', statement({ lines: [{ ...line, reference: 'W'.repeat(61) }] })],
  ['has a line of nothing', statement({ lines: [{ ...line, amountFen: 0 }] })],
  ['has a line of parts of a fen', statement({ lines: [{ ...line, amountFen: 0.5 }] })],
  ['has what the database can’t keep', statement({ lines: [{ ...line, bankNo: 'B\0' }] })],
])('of a statement that %s no line is taken', (_, text) => expect(readStatement(text, '2026-11-20')).toBeNull())
