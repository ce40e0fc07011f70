import { expect, test } from 'vitest'
import { estimate, losesTooMuch, type Seen } from './price.rules'

const at = (fen: number, pieces: number, more: Partial<Seen> = {}): Seen => ({
  fen,
  pieces,
  stockedDays: 28,
  othersPerDay: 20,
  costFen: 200,
  ...more,
})
const many = (count: number, one: Seen): Seen[] => Array.from({ length: count }, () => one)

test.each([
  ['one price', many(10, at(500, 100)), 'prices'],
  ['five machines', [...many(3, at(500, 100)), ...many(2, at(600, 90))], 'machines'],
  ['a handful of sales', [...many(5, at(500, 5)), ...many(5, at(600, 4))], 'sales'],
] as const)('%s is not enough to say anything', (_, seen, lacking) => {
  expect(estimate(seen)).toMatchObject({ verdict: 'notEnough', lacking, advisedFen: null, elasticity: null })
})

test('where dearer machines sell as much, it is to cost more, as far as one may step', () => {
  const said = estimate([...many(10, at(500, 300)), ...many(10, at(600, 300))])
  expect(said).toMatchObject({ verdict: 'raise', nowFen: 500, advisedFen: 550, lacking: null })
  expect(said.elasticity?.value).toBeGreaterThan(-0.5)
  expect(said.gainFen).toBeGreaterThan(0)
  expect(said.lowFen).toBeLessThanOrEqual(said.gainFen)
  expect(said.highFen).toBeGreaterThanOrEqual(said.gainFen)
})

test('where dearer machines sell next to nothing and the margin is large, it is to cost less', () => {
  const said = estimate([...many(10, at(500, 600)), ...many(10, at(600, 150))])
  expect(said).toMatchObject({ verdict: 'cut', advisedFen: 450 })
  expect(said.elasticity?.high).toBeLessThan(-2)
})

test('few sales are drawn to what is usual, and their interval is wide', () => {
  const few = estimate([...many(4, at(500, 10)), ...many(4, at(600, 10))]).elasticity
  const sure = estimate([...many(10, at(500, 3000)), ...many(10, at(600, 3000))]).elasticity
  expect(few?.value).toBeLessThan(-0.5)
  expect(sure?.value).toBeGreaterThan(-0.2)
  expect((few?.high ?? 0) - (few?.low ?? 0)).toBeGreaterThan((sure?.high ?? 0) - (sure?.low ?? 0))
})

test('busy machines that are dear do not make dear look good', () => {
  const said = estimate([...many(10, at(500, 300)), ...many(10, at(600, 300, { othersPerDay: 40 }))])
  expect(said.elasticity?.value).toBeLessThan(-1)
})

test('what is sold at each price is told', () => {
  const { demand } = estimate([at(600, 28), ...many(2, at(500, 56))])
  expect(demand).toEqual([
    { fen: 500, machines: 2, pieces: 112, perDay: 2 },
    { fen: 600, machines: 1, pieces: 28, perDay: 1 },
  ])
})

test.each([
  ['lost a fifth in three days', 3, 80, true],
  ['lost a fifth in two days', 2, 80, false],
  ['lost a tenth', 5, 90, false],
  ['earned more', 5, 120, false],
])('what %s is stopped or not', (_, days, during, stops) => {
  const sides = { days, with: { before: 100, during }, without: { before: 50, during: 50 } }
  expect(losesTooMuch(sides, 15)).toBe(stops)
})

test('what the others lost too is no reason to stop', () => {
  const sides = { days: 5, with: { before: 100, during: 80 }, without: { before: 100, during: 80 } }
  expect(losesTooMuch(sides, 15)).toBe(false)
})
