import { expect, test } from 'vitest'
import { isAllowed } from './layers'
import { sharedTables } from './owners'
import * as shape from './shape'
import { parseText } from './source'
import { spokenIn, unequalVariables, unknownKeys, unusedTexts } from './texts'

const parsed = (text: string, path = 'web/src/features/trade/tkgl.refunds.tsx') => parseText(path, text)

test.each([
  ['contract/src/trade/order.ts', '../kernel/money', true],
  ['contract/src/trade/order.ts', '../catalog/product', true],
  ['contract/src/catalog/product.ts', '../trade/order', false],
  ['contract/src/kernel/field.ts', '../trade/order', false],
  ['contract/src/kernel/field.ts', 'react', false],
  ['server/src/features/trade/order/order.commands.ts', '../../stock/public', true],
  ['server/src/features/trade/order/order.commands.ts', '../../stock/move.store', false],
  ['server/src/features/stock/move.store.ts', '../trade/public', false],
  ['server/src/features/stock/move.store.ts', '@aisle/contract/trade/order', true],
  ['server/src/features/stock/move.store.ts', 'fastify', false],
  ['server/src/transport/http/bind.ts', '../../features/trade/public', false],
  ['server/src/main/main.ts', '../features/trade/order/order.routes', true],
  ['server/src/main/main.ts', '../../../web/src/ui/text', false],
  ['server/src/db/open.ts', '../kernel/clock', false],
  ['web/src/ui/button.tsx', 'antd', true],
  ['web/src/features/trade/tkgl.refunds.tsx', 'antd', false],
  ['web/src/features/trade/tkgl.refunds.tsx', '../fleet/map', false],
  ['web/src/features/trade/tkgl.refunds.tsx', './timeline', true],
  ['web/src/features/trade/tkgl.refunds.tsx', '../../admin/listPage', true],
  ['web/src/features/trade/tkgl.refunds.tsx', '../../../../server/src/kernel/clock', false],
  ['web/src/ui/button.tsx', '../admin/listPage', false],
  ['web/src/shelf/machineInput.tsx', '../admin/form/refInput', true],
  ['web/src/features/trade/tkgl.refunds.tsx', '../../shelf/machineInput', true],
  ['web/src/admin/listPage.tsx', '../shelf/machineInput', false],
  ['fleet/src/main.ts', '@aisle/contract/device/topics', true],
  ['fleet/src/main.ts', '../../server/src/kernel/clock', false],
])('%s may import %s: %s', (path, specifier, expected) => {
  expect(isAllowed(path, specifier)).toBe(expected)
})

test('a long function is named by its line, a suite of tests is not one', () => {
  const body = 'step()\n'.repeat(70)
  expect(shape.longFunctions(parsed(`\nconst f = () => {\n${body}}`))).toHaveLength(1)
  expect(shape.longFunctions(parsed(`\nfunction f() {\n${body}}`))[0]).toMatch(/tsx:2: 72 lines/)
  expect(shape.longFunctions(parsed(`describe('x', () => {\n${body}})`))).toEqual([])
})

test('the clock is read by Date.now() and by a bare new Date()', () => {
  expect(shape.clockReads(parsed('Date.now(); new Date(); new Date(0)'))).toHaveLength(2)
  expect(shape.clockReads(parsed('Date.now()', 'server/src/kernel/clock.ts'))).toEqual([])
})

test('shapes that the house does without', () => {
  expect(shape.oddShapes(parsed('class A {} enum B { C } interface D {} class E extends Error {}'))).toHaveLength(3)
  expect(shape.anyTypes(parsed('const t = { any: 1 }; t.any; const x: any = 1'))).toHaveLength(1)
  expect(shape.barrels(parsed(`export * from './a'; export { b } from './b'; export const c = 1`))).toHaveLength(2)
  expect(shape.defaultExports(parsed('export default 1'))).toEqual([])
  expect(shape.defaultExports(parsed('export default 1', 'web/src/ui/button.tsx'))).toHaveLength(1)
  expect(shape.looseTodos(parsed('// TODO later\n// TODO(#12): soon'))).toHaveLength(1)
})

const catalogs = {
  trade: {
    zh: { used: '甲 {{n}}', 'used.hint': '戊', 'tab.one': '乙', lone: '丙', 'field.amount': '丁' },
    en: { used: 'a', 'used.hint': 'e', 'tab.one': 'b', lone: 'c', 'field.amount': 'd' },
  },
}

test('texts that nobody asks for, and keys that nobody wrote', () => {
  const page = parsed(
    "const t = useText('trade'); t('used'); t('typo'); t.any(`tab.${x}`); t.any(`${y}.hint`); row.amount",
  )
  const known = { states: [], refusals: [], screens: [] }
  expect(unusedTexts(catalogs, spokenIn([page]), known)).toEqual(['trade lone'])
  expect(unknownKeys(page, catalogs)).toEqual([expect.stringContaining('trade has no typo')])
  expect(unequalVariables(catalogs)).toEqual(expect.arrayContaining([expect.stringContaining('trade/en used')]))
})

test('a table that two slices write is named with both, however they write it', () => {
  const tables = new Set(['machine', 'slot', 'merchant', 'hospital'])
  const parsedIn = (slice: string, text: string) => parseText(`server/src/features/${slice}/x.store.ts`, text)
  const written = (...texts: [slice: string, text: string][]) =>
    sharedTables(
      texts.map((each) => parsedIn(...each)),
      tables,
    ).map((line) => line.split(':')[0])
  const fleet = ['fleet', 'sql`with gone as (delete from\n slot returning id) update machine set x = 1`'] as [
    string,
    string,
  ]
  expect(written(fleet, ['stock', 'sql`select 1 from slot for update of slot`; // update machine'])).toEqual([])
  expect(written(fleet, ['stock', 'sql`update  slot set x = 1`'])).toEqual(['slot'])
  expect(written(fleet, ['stock', "for (const t of ['slot']) sql`delete from ${sql.table(t)}`"])).toEqual(['slot'])
  expect(written(fleet, ['stock', "stateful('machine', 'state', x)"])).toEqual(['machine'])
  expect(written(fleet, ['stock', "db.updateTable('machine').set(x)"])).toEqual(['machine'])
  expect(written(['fleet', "kept(hospital, { table: 'hospital' })"], ['stock', 'sql`insert into hospital`'])).toEqual([
    'hospital',
  ])
})
