import { expect, test } from 'vitest'
import { keysOf } from './search'

test.each([
  ['可乐', ['可乐']],
  ['乐', ['乐']],
  ['k', []],
  ['', []],
  ['KL', ['kl']],
  ['kele', ['kel', 'ele']],
  ['可口可乐可口可乐', ['可口可', '口可乐', '可乐可', '乐可口']],
  ['𠮷野家', ['𠮷野家']],
  ['é', ['é']],
] as const)('%s is looked for by %j', (typed, keys) => expect(keysOf(typed)).toEqual(keys))
