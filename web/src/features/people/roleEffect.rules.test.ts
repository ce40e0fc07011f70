import { expect, test } from 'vitest'
import { effectOf } from './roleEffect.rules'

const roles = [
  { id: 1, surface: 'web' as const, permissions: ['order.read'] },
  { id: 2, surface: 'web' as const, permissions: ['order.*', 'user.read'] },
  { id: 3, surface: 'app' as const, permissions: ['machine.read'] },
  { id: 4, surface: 'web' as const, permissions: ['*'] },
]
const effect = (before: number[], after: number[]) => effectOf(roles, new Set(before), new Set(after))

test('a role that is added brings its pages, and none that another one brought before', () => {
  const { gained, lost } = effect([1], [1, 2])
  expect(gained.pages).toContain('shgl/wdtd')
  expect(gained.pages).not.toContain('jygl/ddgl')
  expect(lost).toEqual({ pages: [], count: 0 })
})

test('what two roles give is lost with the second only', () => {
  expect(effect([1, 2], [1]).lost.pages).toContain('shgl/wdtd')
  expect(effect([1, 2], [1]).lost.pages).not.toContain('jygl/ddgl')
  expect(effect([1], []).lost.pages).toContain('jygl/ddgl')
})

test('roles of the app change nothing here, and the role of everything changes everything', () => {
  expect(effect([], [3])).toEqual({ gained: { pages: [], count: 0 }, lost: { pages: [], count: 0 } })
  expect(effect([], [4]).gained.count).toBeGreaterThan(50)
})
