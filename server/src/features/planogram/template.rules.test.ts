import { expect, test } from 'vitest'
import { changedSettings, diffTemplate, type Line, outcomeOf, type Standing, wrongRange } from './template.rules'

const line = (position: number, more: Partial<Line> = {}): Line => ({
  layer: 1,
  position,
  productId: 1,
  medicineClass: null,
  priceFen: 500,
  capacity: 8,
  alarmThreshold: 2,
  ...more,
})
const slot = (position: number, more: Partial<Standing> = {}): Standing => {
  const { medicineClass: _class, ...same } = line(position)
  return { ...same, id: position, code: `A0${position}`, held: 0, isHeld: false, isAwaited: false, ...more }
}
const facts = {
  licenceMode: 'none',
  isRetired: false,
  maySellAll: true,
  settings: [],
  hasWrongRange: false,
} as const

test('slots are matched by where they are: the missing are added, the rest compared or gone', () => {
  const lines = [line(1), line(2, { priceFen: 600 }), line(3, { productId: 2 }), line(4), line(5, { capacity: 9 })]
  const diff = diffTemplate(lines, [slot(1, { code: 'left' }), slot(2), slot(3), slot(5), slot(9)])
  expect(diff.added).toEqual([line(4)])
  expect(diff.removed.map(({ code }) => code)).toEqual(['A09'])
  expect(diff.changed.map(({ slot: { code }, isReplaced }) => [code, isReplaced])).toEqual([
    ['A02', false],
    ['A03', true],
    ['A05', false],
  ])
  expect(diff.prices).toBe(1)
})

test.each([
  ['nothing to do', {}, [line(1)], [slot(1)], false, 'same', []],
  ['a setting alone', { settings: ['humidity'] }, [line(1)], [slot(1)], false, 'changes', []],
  ['one slot in the place of another', {}, [line(2)], [slot(1)], false, 'changes', []],
  ['another product in an empty slot', {}, [line(1, { productId: 2 })], [slot(1)], false, 'changes', []],
  ['another product over stock', {}, [line(1, { productId: 2 })], [slot(1, { held: 3 })], false, 'holdsStock', ['A01']],
  ['the stock is taken out', {}, [line(1, { productId: 2 })], [slot(1, { held: 3 })], true, 'changes', []],
  [
    'warm stock is not',
    {},
    [line(1, { productId: 2 })],
    [slot(1, { held: 3, isHeld: true })],
    true,
    'holdsStock',
    ['A01'],
  ],
  ['stock in a slot that stays', {}, [line(1, { priceFen: 1 })], [slot(1, { held: 3 })], false, 'changes', []],
  ['a slot goes with its stock', {}, [line(1)], [slot(1), slot(2, { held: 1 })], false, 'holdsStock', ['A02']],
  ['a customer waits', {}, [line(1)], [slot(1), slot(2, { isAwaited: true })], true, 'waitsForOrder', ['A02']],
  ['medicine where none may be', {}, [line(1, { medicineClass: 'otc_b' })], [slot(1)], true, 'unlawful', [1]],
  ['medicine for hospitals', { licenceMode: 'retail' }, [line(1, { medicineClass: 'rx' })], [], true, 'unlawful', [1]],
  ['the same in a hospital', { licenceMode: 'hospital' }, [line(1, { medicineClass: 'rx' })], [], true, 'changes', []],
  ['a product of others', { maySellAll: false }, [line(1)], [slot(1)], false, 'foreignProduct', []],
  ['limits that cross the machine’s own', { hasWrongRange: true }, [line(1)], [], false, 'wrongRange', []],
  ['a retired machine', { isRetired: true, maySellAll: false }, [line(1)], [], false, 'retired', []],
] as const)('%s', (_, more, lines, slots, removeContents, outcome, refused) => {
  const found = outcomeOf({ ...facts, ...more }, lines, diffTemplate(lines, slots), removeContents)
  expect(found.outcome).toBe(outcome)
  expect(found.refused.map((each) => ('code' in each ? each.code : each.position))).toEqual(refused)
})

const open = { flowAlarmMb: null, temperatureMinC: null, temperatureMaxC: null, humidityMin: null, humidityMax: null }
const cooling = { mode: 'cooling', workingC: 5, periods: [{ from: '08:00', to: '20:00' }] }

test('only settings that the template says are compared, whatever the order of their keys', () => {
  const machine = { ...open, flowAlarmMb: 0, temperatureMinC: 2, temperatureMaxC: 8, thermostat: cooling }
  const stored = { periods: [{ to: '20:00', from: '08:00' }], workingC: 5, mode: 'cooling' }
  expect(changedSettings({ ...open, thermostat: null }, machine)).toEqual([])
  expect(changedSettings({ ...open, thermostat: stored }, machine)).toEqual([])
  expect(changedSettings({ ...open, temperatureMaxC: 10, flowAlarmMb: 0, thermostat: null }, machine)).toEqual([
    'temperature',
  ])
  expect(changedSettings({ ...open, flowAlarmMb: 500, thermostat: { ...cooling, workingC: 6 } }, machine)).toEqual([
    'flowAlarmMb',
    'thermostat',
  ])
})

test('of a range either end is compared, and a thermostat as deep as it goes', () => {
  const machine = { ...open, flowAlarmMb: 0, temperatureMinC: 2, temperatureMaxC: 8, thermostat: cooling }
  const changed = (template: object, of: object = machine) =>
    changedSettings({ ...open, thermostat: null, ...template }, { ...machine, ...of })
  expect(changed({ temperatureMinC: 3 })).toEqual(['temperature'])
  expect(changed({ humidityMin: 30 })).toEqual(['humidity'])
  expect(changed({ humidityMax: 70 })).toEqual(['humidity'])
  expect(changed({ thermostat: cooling }, { thermostat: null })).toEqual(['thermostat'])
  for (const periods of ['all day', null, [null]]) {
    expect(changed({ thermostat: { ...cooling, periods } })).toEqual(['thermostat'])
    expect(changed({ thermostat: cooling }, { thermostat: { ...cooling, periods } })).toEqual(['thermostat'])
  }
})

test('one end of a range that a template sets has to fit the end that the machine keeps', () => {
  const machine = { ...open, flowAlarmMb: 0, temperatureMinC: 2, temperatureMaxC: 8, humidityMax: 75, thermostat: null }
  const crosses = (template: Partial<typeof machine>) => wrongRange({ ...open, thermostat: null, ...template }, machine)
  expect(crosses({})).toBe(false)
  expect(crosses({ temperatureMinC: 8 })).toBe(true)
  expect(crosses({ temperatureMinC: 10, temperatureMaxC: 25 })).toBe(false)
  expect(crosses({ temperatureMaxC: 1 })).toBe(true)
  expect(crosses({ humidityMin: 80 } as never)).toBe(true)
  // Where a machine keeps no other end, nothing is crossed.
  const free = { ...open, thermostat: null }
  expect(wrongRange({ ...free, temperatureMaxC: -5 }, free)).toBe(false)
  expect(wrongRange({ ...free, temperatureMinC: 5 }, free)).toBe(false)
})
