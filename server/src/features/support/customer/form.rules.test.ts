import { expect, test } from 'vitest'
import { fenIn, instantIn, readComplaint, wallClock } from './form.rules'

const NOON = new Date('2026-11-20T04:00:00Z')
const SHANGHAI = 'Asia/Shanghai'
const typed = { kind: 'nothing', amount: '5.50', at: '2026-11-20T11:58' }

test('what is needed is three answers', () => {
  expect(readComplaint(typed, NOON, SHANGHAI)).toEqual({
    said: {
      kind: 'nothing',
      amountFen: 550,
      happenedAt: new Date('2026-11-20T03:58:00Z'),
      goods: '',
      body: '',
      phone: '',
    },
    problems: null,
  })
})

test.each([
  ['no kind', { kind: '' }, { kind: 'kind' }],
  ['a kind of its own', { kind: 'constructor' }, { kind: 'kind' }],
  ['an amount of nothing', { amount: '0' }, { amount: 'amount' }],
  ['an amount below nothing', { amount: '-5' }, { amount: 'amount' }],
  ['no amount', { amount: 'five' }, { amount: 'amount' }],
  ['more than a machine takes', { amount: '1000.01' }, { amount: 'amountMost' }],
  ['a time to come', { at: '2026-11-20T12:11' }, { at: 'atFuture' }],
  ['thirty days and more ago', { at: '2026-10-21T11:59' }, { at: 'atOld' }],
  ['no time', { at: 'noon' }, { at: 'at' }],
  ['a day that is none', { at: '2026-13-41T99:00' }, { at: 'at' }],
  ['10,000 characters', { body: 'x'.repeat(10_000) }, { body: 'body' }],
  ['goods in a novel', { goods: 'x'.repeat(61) }, { goods: 'goods' }],
  ['a phone that is none', { phone: 'call me' }, { phone: 'phone' }],
])('%s is refused beside its field', (_, part, problems) => {
  expect(readComplaint({ ...typed, ...part }, NOON, SHANGHAI)).toEqual({ said: null, problems })
})

test.each([
  ['5', 500],
  [' 5,5 ', 550],
  ['¥12.34', 1234],
  ['5.555', null],
  ['1e3', null],
  ['', null],
])('%s is so many fen', (text, fen) => expect(fenIn(text)).toBe(fen))

test.each(['Asia/Shanghai', 'Europe/Paris', 'America/New_York'])('a wall clock in %s goes there and back', (zone) => {
  // Through both changes of the clocks of a year; the hour that is there twice is the only one in doubt.
  for (let hour = 0; hour < 365 * 24; hour += 7) {
    const at = new Date(Date.parse('2026-01-01T00:30:00Z') + hour * 3600_000)
    const wall = wallClock(at, zone)
    expect(wallClock(instantIn(wall, zone) ?? new Date(0), zone)).toBe(wall)
  }
})
