import type { Step } from '@aisle/contract/field/visit'
import { expect, test } from 'vitest'
import { differencesOf, type FillFacts, hear, inTurn, runsOf, twinOf, verbsOf } from './visit.rules'

const step = (seq: number, id = `s${seq}`): Step => ({ id, seq, kind: 'open', occurredAt: '2026-11-20T04:00:00Z' })
const applied = { answer: 'applied' as const, reason: null, differs: [] }

test.each<[string, Step[], number, string[], string[]]>([
  ['the first steps', [step(1), step(2)], 0, ['s1', 's2'], []],
  ['steps in another order', [step(2), step(1)], 0, ['s1', 's2'], []],
  ['one twice in one call', [step(1), step(1)], 0, ['s1'], []],
  ['what was heard before', [step(1), step(2)], 1, ['s2'], ['s1 duplicate']],
  ['what has a gap before it', [step(1), step(3)], 0, ['s1'], ['s3 refused']],
  ['another step under a number that is taken', [step(1, 'x')], 1, [], ['x refused']],
  ['a step of another visit', [step(1, 'foreign')], 0, [], ['foreign refused']],
])('of %s', (_, steps, lastSeq, fresh, answers) => {
  const known = new Map(Array.from({ length: lastSeq }, (__, at) => [`s${at + 1}`, applied] as const))
  const heard = hear({ steps: known, foreign: new Set(['foreign']), lastSeq }, steps)
  expect(heard.fresh.map(({ id }) => id)).toEqual(fresh)
  expect(heard.answers.map(({ id, answer }) => `${id} ${answer}`)).toEqual(answers)
})

test.each([
  ['in their order', [1, 5, 9], [1, 5, 9]],
  ['at one moment', [5, 5, 5], [5, 6, 7]],
  ['by a clock that went back', [9, 3], [9, 10]],
  ['all later than now', [30, 30, 30], [18, 19, 20]],
])('steps %s are done one after the other, before now', (_, said, done) => {
  const moments = said.map((ms) => new Date(ms))
  expect(inTurn(moments, new Date(20)).map((moment) => moment.getTime())).toEqual(done)
})

test('steps of one kind that follow each other are done together', () => {
  const runs = runsOf(['open', 'fill', 'fill', 'count', 'fill'].map((kind) => ({ kind })))
  expect(runs.map((run) => run.map(({ kind }) => kind).join())).toEqual(['open', 'fill,fill', 'count', 'fill'])
})

const facts: FillFacts = {
  said: { productCode: 'A', batch: '', pieces: 5, plannedCode: 'A', priceFen: 500 },
  slot: { wantedCode: 'A', priceFen: 500 },
  batch: null,
  day: '2026-11-20',
  outside: 0,
  others: null,
}
const batch = (state: 'available' | 'recalled', expiresOn: string) => ({ batch: { facts: { state, expiresOn } } })
const said = (more: Partial<FillFacts['said']>) => ({ said: { ...facts.said, ...more } })

test.each<[string, Partial<FillFacts>, string[]]>([
  ['as it was planned', {}, []],
  ['a phone that knew no plan', said({ plannedCode: '', priceFen: null }), []],
  ['a slot that has another product by now', { slot: { wantedCode: 'B', priceFen: 900 } }, ['slotChanged A/B']],
  ['another product than both know', said({ productCode: 'C' }), ['otherProduct C/A']],
  ['another price', said({ priceFen: 400 }), ['priceChanged 400/500']],
  ['a good batch', batch('available', '2027-01-01'), []],
  ['its last day', batch('available', '2026-11-20'), []],
  ['an expired batch', batch('available', '2026-11-19'), ['batchExpired /2026-11-19']],
  ['a recalled batch', batch('recalled', '2027-01-01'), ['batchStopped /recalled']],
  ['a batch that nobody knows', { batch: { facts: null } }, ['batchUnknown /']],
  ['too few in the bag', { outside: 2 }, ['bagShort 5/3']],
  ['somebody else’s goods', { others: { who: 'Li', pieces: 3 } }, ['otherFilled 5/Li 3']],
])('%s', (_, more, expected) => {
  const differs = differencesOf({ ...facts, ...more })
  expect(differs.map(({ kind, said: mine, books }) => `${kind} ${mine}/${books}`)).toEqual(expected)
})

test('goods are the same when kind, slot, product and batch are', () => {
  const told = { kind: 'fill', slotCode: 'A1', productCode: 'A', batch: 'B1', who: 'Li', pieces: 3 }
  expect(twinOf(told, [told])).toBe(told)
  for (const other of [{ kind: 'takeOut' }, { slotCode: 'A2' }, { productCode: 'B' }, { batch: '' }]) {
    expect(twinOf({ ...told, ...other }, [told])).toBeUndefined()
  }
})

test.each([
  ['applied', true, ''],
  ['needsReview', true, 'keep'],
  ['needsReview', false, 'book,drop'],
  ['refused', false, 'drop'],
])('about a step that is %s (booked: %s) may be decided: %s', (answer, isBooked, verbs) => {
  expect(verbsOf({ answer, isBooked }).join()).toBe(verbs)
})
