import { expect, test } from 'vitest'
import { countOf, notHeld, wantedGrants, written } from './grants.rules'

const order = written(['order.*'], [])

test.each([
  ['nothing changed', ['order.read'], ['order.read'], { stored: ['order.read'], granted: [], taken: [] }],
  ['one given', ['order.read'], ['order.read', 'alarm.read'], { granted: ['alarm.read'], taken: [] }],
  ['one taken', ['order.read', 'alarm.read'], ['order.read'], { granted: [], taken: ['alarm.read'] }],
  ['ticked twice', [], ['order.read', 'order.read'], { stored: ['order.read'], granted: ['order.read'] }],
  ['a wildcard untouched', ['order.*'], order, { stored: ['order.*'], granted: [], taken: [] }],
  ['all of a noun ticked singly', [], order, { stored: [...order].sort() }],
  ['a wildcard broken up', ['machine.*'], ['machine.read'], { stored: ['machine.read'] }],
])('%s', (_, held, ticked, expected) => {
  expect(wantedGrants(held, ticked, [])).toMatchObject({ ...expected, unknown: [] })
})

test('what neither the product nor another system declares is unknown, unless the role had it from before', () => {
  expect(wantedGrants([], ['order.fly', 'ext.shop', 'ext.gone'], ['ext.shop']).unknown).toEqual([
    'order.fly',
    'ext.gone',
  ])
})

test('a link to another system is one of what a wildcard grants', () => {
  expect(written(['ext.*'], ['ext.shop', 'ext.crm'])).toEqual(['ext.shop', 'ext.crm'])
  expect(written(['*'], ['ext.shop'])).toContain('ext.shop')
  expect(countOf(['*'], ['ext.shop'])).toBe(written(['*'], ['ext.shop']).length)
  expect(wantedGrants(['ext.*'], ['ext.shop'], ['ext.shop', 'ext.crm'])).toMatchObject({
    stored: ['ext.shop'],
    taken: ['ext.crm'],
  })
})

test('who lacks a permission neither gives nor takes it', () => {
  expect(notHeld(['order.*'], ['order.read', 'alarm.read'])).toEqual(['alarm.read'])
  expect(notHeld(['*'], ['order.read', 'ext.shop'])).toEqual([])
})
