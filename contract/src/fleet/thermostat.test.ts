import { expect, test } from 'vitest'
import { thermostat } from './thermostat'

const period = (text: string) => {
  const [from = '', to = ''] = text.split('-')
  return { from, to }
}

test.each([
  ['08:00-12:00 12:00-20:00', true],
  ['08:00-12:01 12:00-20:00', false],
  ['22:00-06:00 06:00-08:00', true],
  ['22:00-06:00 05:00-08:00', false],
  ['22:00-06:00 23:00-23:30', false],
  ['09:00-10:00 09:00-10:00', false],
  ['20:00-08:00 08:00-20:00', true],
])('working periods %s are apart: %s', (text, are) => {
  const periods = text.split(' ').map(period)
  expect(thermostat.safeParse({ mode: 'cooling', workingC: 4, periods }).success).toBe(are)
})
