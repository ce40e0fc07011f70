import fc from 'fast-check'
import { expect, test } from 'vitest'
import { objectionTo, placeholdersOf } from './languageEntry'
import { type LanguageRow, printRows, readRows } from './languageFile'

const seed = Number(process.env.SEED ?? 1)
const zText = fc
  .string({ minLength: 1, unit: fc.constantFrom(...`ab中,";'=+-@\t\r\n{}é `) })
  .filter((text) => text.trim() !== '')
const zRow = fc.record({
  namespace: fc.constantFrom('kernel', 'trade'),
  key: fc.constantFrom('a.b', 'c'),
  zh: zText,
  fr: zText,
})

test.each(['csv', 'json'] as const)('whatever a text holds, it comes back from a %s file as it went in', (format) => {
  fc.assert(
    fc.property(fc.array(zRow, { minLength: 1, maxLength: 5 }), (rows) => {
      expect(readRows(printRows(rows, format), format)).toEqual({ rows, problem: null })
    }),
    { seed },
  )
})

test('a cell that a spreadsheet program would run as a formula is kept a text', () => {
  const row: LanguageRow = { namespace: 'kernel', key: 'a', en: '=cmd()' }
  expect(printRows([row], 'csv')).toContain(`"'=cmd()"`)
})

test.each([
  ['semicolons', 'namespace;key;en\r\nkernel;a;Yes'],
  ['tabs', 'namespace\tkey\ten\nkernel\ta\tYes\n'],
  ['other columns in another order', 'en,remark,key,namespace\nYes,seen,a,kernel\n\n'],
])('%s are read too', (_, text) => {
  expect(readRows(text, 'csv').rows).toEqual([{ namespace: 'kernel', key: 'a', en: 'Yes' }])
})

test.each([
  ['csv', 'namespace,en\nkernel,Yes', 'columns'],
  ['csv', 'namespace,key,en\n', 'empty'],
  ['csv', 'namespace,key\n"open', 'format'],
  ['json', '{}', 'format'],
  ['json', 'no', 'format'],
  ['json', '[]', 'empty'],
] as const)('a %s file that is not one: %j (%s)', (format, text, problem) => {
  expect(readRows(text, format)).toEqual({ rows: [], problem })
})

test('the placeholders of a text are counted once and in order', () => {
  expect(placeholdersOf('{{b}} and {{a}}, {{b}}')).toEqual(['a', 'b'])
  expect(objectionTo('{{a}} {{b}}', '{{b}} und {{a}}')).toBe(null)
  expect(objectionTo('{{a}', '{{a}}')).toBe('placeholders')
})
