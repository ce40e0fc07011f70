import { expect, test } from 'vitest'
import { detailOf } from './alarm.words'

test.each([
  ['what a machine said of itself with a figure', { code: 'FAN_SLOW', value: 590 }, 'FAN_SLOW 590'],
  ['a part that a self-check found, without one', { code: 'light_curtain' }, 'Light curtain'],
  ['several parts', { code: 'light_curtain, door_sensor' }, 'Light curtain, Door sensor'],
  ['a code that is no part of ours', { code: 'X-9', value: '' }, 'X-9'],
])('%s is said in words', (_, facts, said) => expect(detailOf('en', 'device', facts)).toBe(said))
