import { isForbidden, mayShowAdverts, needsApproval } from '@aisle/contract/advert/law'
import { bookingState } from '@aisle/contract/advert/booking'
import { creativeState } from '@aisle/contract/advert/creative'
import { expect, test } from 'vitest'
import { type Candidate, playlistOf } from './playlist.rules'

const booking = (bookingId: number, changes: Partial<Candidate> = {}): Candidate => ({
  bookingId,
  priority: 5,
  startsOn: '2026-11-01',
  endsOn: '2026-11-30',
  fromHour: 8,
  toHour: 20,
  playsPerHour: 60,
  creatives: [{ id: bookingId * 10, seconds: 30 }],
  ...changes,
})
const half = booking
const whole = (id: number, changes: Partial<Candidate> = {}) => booking(id, { playsPerHour: 120, ...changes })

test.each<[string, Candidate[], number[], number[]]>([
  ['nothing is booked', [], [], []],
  ['an hour has room for both', [half(1), half(2)], [1, 2], []],
  ['the hour is full to the second', [half(1), half(2), half(3, { playsPerHour: 1 })], [1, 2], [3]],
  ['what matters more comes first', [whole(1), whole(2, { priority: 1 })], [2], [1]],
  ['of two that matter as much the earlier booking', [whole(2), whole(1)], [1], [2]],
  ['other hours', [whole(1, { toHour: 12 }), whole(2, { fromHour: 12 })], [1, 2], []],
  ['one hour in common', [whole(1, { toHour: 13 }), whole(2, { fromHour: 12 })], [1], [2]],
  ['other days', [whole(1, { endsOn: '2026-11-14' }), whole(2, { startsOn: '2026-11-15' })], [1, 2], []],
  ['one day in common', [whole(1, { endsOn: '2026-11-15' }), whole(2, { startsOn: '2026-11-15' })], [1], [2]],
  ['a smaller one fits behind one that does not', [half(1), whole(2), half(3)], [1, 3], [2]],
  ['none of its pictures may be played yet', [half(1, { creatives: [] }), half(2)], [2], []],
])('%s', (_, candidates, played, leftOut) => {
  const list = playlistOf('office', candidates)
  expect([...new Set(list.ads.map(({ bookingId }) => bookingId))]).toEqual(played)
  expect(list.leftOut).toEqual(leftOut.map((bookingId) => ({ bookingId, why: 'full' })))
})

test.each([
  ['school', []],
  ['kindergarten', []],
  ['campus', [1]],
  ['hospital', [1]],
  ['store', [1]],
] as const)('at a %s', (place, played) => {
  const list = playlistOf(place, [half(1)])
  expect(list.ads.map(({ bookingId }) => bookingId)).toEqual(played)
  expect(list.leftOut).toEqual(played.length === 0 ? [{ bookingId: 1, why: 'school' }] : [])
})

test.each([
  [10, [10]],
  [10, [5, 5]],
  [10, [4, 3, 3]],
  [3, [1, 1, 1]],
  // One of three is not approved: the others have all of its plays.
  [2, [1, 1]],
])('%s plays an hour are shared out as %s', (playsPerHour, shares) => {
  const creatives = shares.map((_, at) => ({ id: at + 1, seconds: 5 }))
  expect(playlistOf('office', [booking(1, { playsPerHour, creatives })]).ads.map((ad) => ad.playsPerHour)).toEqual(
    shares,
  )
})

test.each([
  ['none', false, false],
  ['goods', false, false],
  ['otc', false, true],
  ['device', false, true],
  ['health_food', false, true],
  ['rx', true, false],
  ['tobacco', true, false],
] as const)('an advert for %s', (what, forbidden, approved) => {
  expect([isForbidden(what), needsApproval(what)]).toEqual([forbidden, approved])
})

test('every state can be reached, and a university is no school', () => {
  expect([...bookingState.unreachable(), ...creativeState.unreachable()]).toEqual([])
  expect(mayShowAdverts('campus')).toBe(true)
})
