import { permissions } from '@aisle/contract/permissions'
import { expect, test } from 'vitest'
import { calendar } from '../calendar'
import { catalogue } from './catalogue'
import { users } from '../data/people'
import { machineDay, openingStock, type Selling } from '../life/machineDay'
import { highGoMachines } from './planned'
import { type DemoMachine, planAbroad, planMachines } from './network'
import { permissionsOf } from '../people/people'
import { drawPicture } from '../shapes/picture'
import { planSlots } from './planogram'

const days = calendar(new Date('2026-11-20T06:30:00.000Z'), 28)
const sellingOf = (machine: DemoMachine): Selling => ({
  machine,
  slots: planSlots(machine),
  held: { codes: [], cards: [], prescriptions: [], vouchers: [] },
  isPlaying: false,
  collectsPayment: false,
})

test('a larger network keeps the machines of a smaller one, each with a code and a name of its own', () => {
  const many = planMachines(1_000)
  expect(new Set(many.map(({ code }) => code)).size).toBe(1_000)
  expect(new Set(many.map(({ name }) => name)).size).toBe(1_000)
  expect(many.every(({ code }) => /^[A-Z]{2,3}\d{4}$/.test(code))).toBe(true)
  expect(planMachines(24)).toEqual(many.slice(0, 24))
})

test('two hundred machines reach every region and stand in China', () => {
  const machines = planMachines(200)
  expect(new Set(machines.map(({ point }) => point.province)).size).toBeGreaterThanOrEqual(25)
  expect(new Set(machines.map(({ merchant }) => merchant)).size).toBe(12)
  for (const { point } of machines) {
    expect(point.longitude).toBeGreaterThan(87)
    expect(point.longitude).toBeLessThan(127)
    expect(point.latitude).toBeGreaterThan(19.9)
    expect(point.latitude).toBeLessThan(46)
  }
})

test('machines on which two months of plays were made stood there all the while', () => {
  const machines = [...planMachines(200), ...planAbroad(200)]
  const playing = machines.filter(({ code }) => highGoMachines(machines).has(code))
  expect(playing).toHaveLength(8)
  expect(playing.filter(({ deployedDaysAgo }) => deployedDaysAgo <= 60)).toEqual([])
})

test('codes of products are unique, prices cover costs, and each is drawn as one picture', () => {
  expect(new Set(catalogue.map(({ code }) => code)).size).toBe(catalogue.length)
  for (const product of catalogue) {
    expect([product.name, product.priceFen > product.costFen]).toEqual([product.name, true])
    const picture = drawPicture(product.shape, product.paint)
    expect(picture).not.toMatch(/undefined|NaN|null/)
    expect(picture.match(/<svg/g)).toHaveLength(1)
  }
})

test('a day repeats to the letter, and what comes in is what went out, within what the slots hold', () => {
  const [machine] = planMachines(1)
  if (!machine) throw new Error('no machine')
  const selling = sellingOf(machine)
  const opening = openingStock(selling)
  const numbers = days.flatMap((day) => {
    const told = machineDay(selling, opening, day)
    expect(machineDay(selling, opening, day)).toEqual(told)
    const left = [...opening]
    const moves = [
      ...told.fills.map(({ slot, quantity, atMs }) => ({ slot, change: quantity, atMs })),
      ...told.sales.flatMap(({ items, occurredMs: atMs, isSilent, method }) =>
        (isSilent === 'never' && method !== 'cash' ? [] : items).flatMap(({ slot, isJammed }) =>
          isJammed ? [] : [{ slot, change: -1, atMs }],
        ),
      ),
    ].sort((a, b) => a.atMs - b.atMs)
    for (const { slot, change } of moves) {
      left[slot] = (left[slot] ?? 0) + change
      expect(left[slot]).toBeGreaterThanOrEqual(0)
      expect(left[slot]).toBeLessThanOrEqual(selling.slots[slot]?.capacity ?? 0)
    }
    expect(left).toEqual(opening)
    return told.sales.map(({ orderNo }) => orderNo)
  })
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.length / days.length).toBeGreaterThan(30)
  expect(numbers.length / days.length).toBeLessThan(70)
})

test('hospitals and offices rest at the weekend, shops do not', () => {
  const sold = (kind: string, weekdays: readonly number[]) => {
    const machines = planMachines(200).filter(({ point, category }) => point.kind === kind && category !== 'medicine')
    const asked = days.filter(({ day }) => weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay()))
    return machines
      .map(sellingOf)
      .flatMap((each) => asked.flatMap((day) => machineDay(each, openingStock(each), day).sales)).length
  }
  expect(sold('office', [0, 6])).toBeLessThan(sold('office', [1, 2]) / 2)
  expect(sold('hospital', [0, 6])).toBeLessThan(sold('hospital', [1, 2]))
  expect(sold('store', [0, 6])).toBeGreaterThan(sold('store', [1, 2]))
})

test('roles grant only nouns that screens or endpoints know', () => {
  const known = new Set(permissions.map(({ noun }) => noun))
  for (const { role } of users) {
    const nouns = permissionsOf(role).map((permission) => permission.split('.')[0] ?? '')
    expect(nouns.filter((noun) => noun !== '*' && !known.has(noun))).toEqual([])
  }
})
