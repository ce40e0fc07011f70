import { getUserResource } from '@aisle/contract/identity/session'
import { groups, screens } from '@aisle/contract/screens'
import { languages } from '@aisle/contract/kernel/text'
import { expect, test } from 'vitest'
import { word } from '../../../kernel/words'
import { menuOfSystem, menuTree } from './menu.rules'

const groupsOf = (grants: readonly string[]) => menuTree(grants, (key) => key)[0]?.children ?? []
const paths = (grants: readonly string[]) =>
  groupsOf(grants).flatMap((group) =>
    (group.children ?? []).flatMap((branch) => branch.children?.map((leaf) => leaf.path) ?? [branch.path]),
  )

test('who may do everything sees every group in the specification’s order', () => {
  expect(groupsOf(['*']).map((group) => group.code)).toEqual(['home', ...Object.keys(groups)])
})

test('who may do nothing sees the home page and their password, no empty group', () => {
  expect(paths([])).toEqual(['/dashboard', '/xtgl/setpwd'])
})

test('a grant opens the screens of its noun, with their groups', () => {
  expect(paths(['refund.read'])).toEqual(['/dashboard', '/jygl/tkgl', '/xtgl/setpwd'])
  expect(paths(['refund.*'])).toEqual(paths(['refund.read']))
})

test('sections of the system group are branches before its other pages', () => {
  const system = groupsOf(['*']).at(-1)
  const sections = (system?.children ?? []).filter((branch) => branch.children)
  expect(sections.map((each) => [each.code, each.title])).toEqual([
    ['zfsz', 'group.xtgl/zfsz'],
    ['dagl', 'group.xtgl/dagl'],
    ['zygl', 'group.xtgl/zygl'],
    ['cxtgl', 'group.xtgl/cxtgl'],
  ])
  expect(sections[0]?.children?.map((leaf) => leaf.code)).toEqual(['zffwgl', 'fwscssz', 'shzhsz', 'rjs'])
})

test('what needs a row to open, and public pages, are in no menu; everything else is, once', () => {
  const shown = paths(['*'])
  expect(new Set(shown).size).toBe(shown.length)
  const hidden = screens.filter((each) => each.group !== 'public' && !shown.includes(each.path))
  const codes = new Set(hidden.map((each) => each.code))
  const opened = 'bjjs bjptzy bjyh xzjs xzptzy xzsp xzwt xzxxtz xzyh shjMbadd shjMbset jszyqx management'
  expect(codes).toEqual(new Set([...opened.split(' '), 'cfxq', 'famc', 'sptjxq', 'jgtjxq', 'index']))
})

test.each(languages)('every title has its words in %s', (language) => {
  const tree = menuTree(['*'], (key) => word(language, 'screens', key))
  expect(getUserResource.output.shape.userInfo.parse({ menuJsonTree: tree }).menuJsonTree).toEqual(tree)
  expect(JSON.stringify(tree)).not.toMatch(/"title":"([^"]*\/[a-z]|group\.)/)
})

test('a system is one group, or one entry within its group, and nothing that the menu does not hold', () => {
  const tree = menuTree(['*'], (key) => key)
  const codes = (system: string) =>
    menuOfSystem(tree, system)?.flatMap((root) =>
      root.children.map((group) => [group.code, ...(group.children ?? []).map(({ code }) => code)]),
    )
  expect(codes('cwgl')).toEqual(
    [tree[0]?.children.find(({ code }) => code === 'cwgl')].map((group) => [
      'cwgl',
      ...(group?.children ?? []).map(({ code }) => code),
    ]),
  )
  expect(codes('wdshj')).toEqual([['shj', 'wdshj']])
  expect(codes('nowhere')).toBeUndefined()
  expect(menuOfSystem(tree, undefined)).toBe(tree)
})
