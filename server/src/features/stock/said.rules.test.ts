import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newlySaid, type Witness } from './said.rules'

test.each<[string, [Witness, number][], number[]]>([
  [
    'a machine alone',
    [
      ['machine', 4],
      ['machine', 3],
    ],
    [4, 3],
  ],
  [
    'a phone alone',
    [
      ['phone', 4],
      ['phone', 3],
    ],
    [4, 3],
  ],
  [
    'both of the same',
    [
      ['phone', 8],
      ['machine', 8],
    ],
    [8, 0],
  ],
  [
    'the machine first, and it missed two',
    [
      ['machine', 6],
      ['phone', 8],
    ],
    [6, 2],
  ],
  [
    'in parts',
    [
      ['machine', 3],
      ['phone', 8],
      ['machine', 5],
    ],
    [3, 5, 0],
  ],
])('of what %s tells, only what is new is booked', (_, told, booked) => {
  const said = { machine: 0, phone: 0 }
  expect(told.map(([witness, quantity]) => newlySaid(said, witness, quantity))).toEqual(booked)
})

test('in whatever order it is heard, what is booked comes to the larger of the two sums', () => {
  const told = fc.array(fc.tuple(fc.constantFrom<Witness[]>('machine', 'phone'), fc.integer({ min: 1, max: 9 })))
  fc.assert(
    fc.property(told, (all) => {
      const said = { machine: 0, phone: 0 }
      const booked = all.reduce((sum, [witness, quantity]) => sum + newlySaid(said, witness, quantity), 0)
      expect(booked).toBe(Math.max(said.machine, said.phone))
    }),
  )
})
