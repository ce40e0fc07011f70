import { expect, test } from 'vitest'
import { type Bound, judgeLines } from './traceDesk.rules'

const DRUG = '81234560000000000001'
const OTHER = '87654320000000000001'
const IMPORT = '(01)06901028075763(21)A1'
const bound = (change: Partial<Bound> = {}): Bound => ({
  level: 'pack',
  batch: 'B',
  prefixes: [],
  gtins: [],
  ...change,
})
const prefixes = [
  { level: 'pack', prefix: '8123456' },
  { level: 'case', prefix: '8123457' },
]

test.each([
  [[DRUG], bound(), [null]],
  [[DRUG, ` ${DRUG}`], bound(), [null, 'doubled']],
  [['', 'A 1', 'OWN-1'], bound(), ['unreadable', 'unreadable', null]],
  [[DRUG, OTHER, 'OWN-1'], bound({ prefixes }), [null, 'otherProduct', null]],
  [[DRUG], bound({ prefixes: [{ level: 'pack', prefix: '8765432' }, ...prefixes] }), [null]],
  // The prefix of a pack does not stand on a case, and where none is entered for a level nothing is asked.
  [[DRUG], bound({ prefixes, level: 'case' }), ['otherProduct']],
  [[OTHER], bound({ prefixes, level: 'middle' }), [null]],
  [[IMPORT], bound({ gtins: ['06901028075763'] }), [null]],
  [[IMPORT], bound({ gtins: ['06901028075770'] }), ['otherProduct']],
  [[IMPORT], bound({ gtins: ['06901028075770'], level: 'case' }), [null]],
  [['(01)06901028075763(10)B(21)A1'], bound(), [null]],
  [['(01)06901028075763(10)C(21)A1'], bound(), ['otherBatch']],
] as const)('%j bound to %j comes to %j', (typed, to, faults) => {
  expect(judgeLines(typed, to).map(({ fault }) => fault)).toEqual(faults)
  expect(judgeLines(typed, to).map(({ line }) => line)).toEqual(typed.map((_, at) => at + 1))
})
