import { expect, test } from 'vitest'
import { expired, isDue, nameAt } from './backup.rules'

/** By the platform's clock, which is eight hours ahead. */
const at = (day: string, time: string) => new Date(`2026-11-${day}T${time}:00+08:00`)
const good = (day: string, time: string) => ({ beganAt: at(day, time), isGood: true })
const bad = (day: string, time: string) => ({ beganAt: at(day, time), isGood: false })

test.each([
  ['nothing was ever backed up', at('20', '02:07'), [], true],
  ['today’s hour has come', at('20', '03:07'), [good('19', '03:07')], true],
  ['today’s is made', at('20', '04:07'), [good('20', '03:07')], false],
  ['today’s hour is to come and yesterday’s was made', at('20', '02:59'), [good('19', '03:07')], false],
  ['yesterday’s hour was slept through', at('20', '01:07'), [good('18', '03:07')], true],
  ['a person made one since', at('20', '12:07'), [good('20', '09:30')], false],
  ['it failed an hour ago', at('20', '04:07'), [good('19', '03:07'), bad('20', '03:07')], true],
  ['it failed three times', at('20', '06:07'), [bad('20', '03:07'), bad('20', '04:07'), bad('20', '05:07')], false],
  ['the next day after three failures', at('21', '03:07'), [bad('20', '03:07'), bad('20', '04:07')], true],
  ['one is under way', at('20', '04:07'), [{ beganAt: at('20', '03:07'), isGood: null }], true],
])('%s', (_, now, runs, isWanted) => {
  expect(isDue(now, 3, runs)).toBe(isWanted)
})

test('midnight is an hour like others', () => {
  expect(isDue(at('20', '00:07'), 0, [good('19', '00:07')])).toBe(true)
  expect(isDue(at('20', '00:59'), 0, [good('20', '00:07')])).toBe(false)
  expect(isDue(at('20', '22:59'), 23, [good('19', '23:07')])).toBe(false)
})

const days = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ beganAt: at(String(from + i).padStart(2, '0'), '03:07') }))
const kept = (all: { beganAt: Date }[], keep: { days: number; weeks: number }) => {
  const gone = new Set(expired(all, keep))
  return all.filter((run) => !gone.has(run)).map(({ beganAt }) => beganAt.toISOString().slice(8, 10))
}

test('of each day and of each week the newest is kept, and the newest of all whatever is wanted', () => {
  // November 2026: the 1st, 8th, 15th and 22nd are Sundays.
  const all = days(1, 25)
  expect(kept(all, { days: 3, weeks: 0 })).toEqual(['22', '23', '24'])
  // In UTC these are the evenings before.
  expect(kept(all, { days: 2, weeks: 3 })).toEqual(['14', '21', '23', '24'])
  const twice = [{ beganAt: at('20', '03:07') }, { beganAt: at('20', '15:00') }]
  expect(expired(twice, { days: 1, weeks: 0 })).toEqual([twice[0]])
  expect(expired([...twice, ...days(1, 2)], { days: 0, weeks: 0 })).not.toContain(twice[1])
})

test('names sort by time', () => {
  expect(nameAt(at('20', '03:07'))).toBe('aisle-20261120-0307.tar.gz')
})
