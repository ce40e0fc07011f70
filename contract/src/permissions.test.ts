import { expect, test } from 'vitest'
import { catalogs } from './catalogs'
import { bothGrant, isCovered } from './identity/permissions'
import { grantsWithout, homeOf, permissionOf, permissions, unfolded } from './permissions'
import { screens } from './screens'

test('every page and every call that asks for a permission is found under it, each permission once', () => {
  expect(new Set(permissions.map(({ code }) => code)).size).toBe(permissions.length)
  expect(permissionOf('machine.read')?.screens.map(({ key }) => key)).toContain('shj/wdshj')
  expect(permissionOf('machine.secret')).toMatchObject({ screens: [], endpoints: [{ name: 'fleet.rotateSecret' }] })
  for (const { access } of screens.filter((each) => each.access.includes('.'))) {
    expect(permissionOf(access)?.code).toBe(access)
  }
})

test('what a permission lets people do has a word, for the tree on which roles are made', () => {
  const { rights } = catalogs.zh
  const actions = [...new Set(permissions.map(({ code }) => `action.${code.split('.')[1]}`))]
  expect(actions.filter((each) => !(each in rights))).toEqual([])
})

test.each([
  [['machine.read'], ['*'], ['machine.read']],
  [['*'], ['machine.*', 'order.read'], ['machine.*', 'order.read']],
  [['machine.*'], ['machine.read', 'order.read'], ['machine.read']],
  [['machine.read'], ['order.read'], []],
  [['*'], ['*'], ['*']],
])('%j and %j both grant %j', (some, others, expected) => {
  expect(bothGrant(some, others).sort()).toEqual(expected)
  expect(bothGrant(others, some).sort()).toEqual(expected)
})

test('a wildcard written out grants what it granted, and no more', () => {
  const held = unfolded(['order.*', 'machine.read', 'ext.shop'])
  expect(held).toEqual(expect.arrayContaining(['order.read', 'machine.read', 'ext.shop']))
  expect(held).not.toContain('machine.write')
  expect(isCovered(['order.*', 'machine.read', 'ext.*'], held)).toBe(true)
  expect(unfolded(['*']).length).toBe(permissions.length + 1)
})

test.each([
  [['*'], 'order.read', 'machine.read'],
  [['order.*', 'machine.*'], 'order.read', 'machine.read'],
  [['order.read', 'machine.read'], 'order.read', 'machine.read'],
])('of %j, what is switched off (%s) is left to nobody and the rest stays', (grants, off, stays) => {
  const left = grantsWithout(grants, [off])
  expect(isCovered(left, [off])).toBe(false)
  expect(isCovered(left, [stays])).toBe(true)
  expect(isCovered(grants, left)).toBe(true)
  expect(grantsWithout(grants, [])).toEqual(grants)
})

test('who holds everything keeps the links to other systems when a function is switched off', () => {
  expect(isCovered(grantsWithout(['*'], ['order.read']), ['ext.shop'])).toBe(true)
})

test('what a permission does has a word, and so has a noun that no page is named after', () => {
  const words: Record<string, string> = catalogs.zh.rights
  const missing = permissions.flatMap(({ noun, action }) => [
    ...(words[`action.${action}`] ? [] : [`action.${action}`]),
    ...(homeOf(noun) || words[`noun.${noun}`] ? [] : [`noun.${noun}`]),
  ])
  expect([...new Set(missing)]).toEqual([])
})
