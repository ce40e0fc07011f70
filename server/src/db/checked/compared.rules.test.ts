import { expect, test } from 'vitest'
import { offences } from './compared.rules'
import type { Declared, Property } from './declared'
import type { Column } from './described'

const declared = (properties: Record<string, Property>, isOpen = false): Declared => ({
  place: 'a.ts:7',
  literal: '',
  isExecuted: true,
  whole: null,
  isOpen,
  properties: new Map(Object.entries(properties)),
})
const property = (kind: string, isNullable = false, isOptional = false): Property => ({ kind, isNullable, isOptional })
const column = (name: string, kind: string, isNullable = false): Column => ({
  name,
  kind,
  type: `sql ${kind}`,
  isNullable,
})

test('a row type that says what is answered passes', () => {
  const row = declared({ id: property('number'), name: property('string', true), data: property('any') })
  const columns = [column('id', 'number'), column('name', 'string', true), column('data', 'any')]
  expect(offences(row, { columns, nulls: ['name'] })).toEqual([])
})

test('names, types and nulls that differ are each named with their place', () => {
  const row = declared({
    id: property('number'),
    gone: property('string'),
    at: property('string'),
    by: property('number'),
  })
  const columns = [
    column('id', 'string'),
    column('at', 'string', true),
    column('by', 'number'),
    column('more', 'boolean'),
  ]
  expect(offences(row, { columns, nulls: ['by'] })).toEqual([
    'a.ts:7 id: declared number, is sql string',
    'a.ts:7 gone: declared string, is not answered',
    'a.ts:7 at: declared string, may be null',
    'a.ts:7 by: declared number, was null',
    'a.ts:7 more: not declared, is sql boolean',
  ])
})

test('what a row type leaves to its caller, or to chance, may come', () => {
  const row = declared({ id: property('number'), maybe: property('string', false, true) }, true)
  expect(offences(row, { columns: [column('id', 'number'), column('name', 'string')], nulls: [] })).toEqual([])
})
