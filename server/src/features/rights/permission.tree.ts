import { isGranted } from '@aisle/contract/identity/permissions'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { homeOf, type KnownPermission, nounOf, permissionOf, permissions } from '@aisle/contract/permissions'
import type { getPermissionTree } from '@aisle/contract/rights/role'
import { groups, screens } from '@aisle/contract/screens'
import type { Actor } from '../../kernel/context'
import { word } from '../../kernel/words'
import { nameOfNoun } from './permission.words'
import type { External } from './external.store'
import { titleIn } from './titles.rules'

type Tree = OutputOf<typeof getPermissionTree>
type Group = Tree['groups'][number]
type Viewer = Pick<Actor, 'grants' | 'switchedOff'>

/**
 * Groups, their pages, and what can be done on each. A permission that opens several pages stands on each of them; a
 * noun's other actions stand on the page that it is at home on.
 */
export function permissionTree(viewer: Viewer, language: Language, external: readonly External[]): Tree {
  const actionOf = ({ code, endpoints }: Pick<KnownPermission, 'code' | 'endpoints'>) => ({
    code,
    isYours: isGranted(viewer.grants, code),
    isOff: viewer.switchedOff.includes(code),
    calls: endpoints.length,
  })
  const pagesOf = (group: string): Group['resources'] =>
    screens
      .filter((screen) => screen.group === group)
      .map(({ key, path, access }) => {
        const noun = nounOf(access)
        const others = homeOf(noun)?.key === key ? permissions.filter((each) => each.noun === noun) : []
        const own = permissionOf(access)
        const all = [...new Set([...(own ? [own] : []), ...others])]
        return { key, path, title: word(language, 'screens', key), actions: all.map(actionOf) }
      })
      .filter(({ actions }) => actions.length > 0)
  const homeless = [...new Set(permissions.map(({ noun }) => noun))].filter((noun) => !homeOf(noun))
  const others = homeless.map((noun) => ({
    key: `noun:${noun}`,
    path: '',
    title: nameOfNoun(language, noun),
    actions: permissions.filter((each) => each.noun === noun).map(actionOf),
  }))
  const links = external.map(({ id, code, url, titles }) => ({
    key: `external:${id}`,
    path: url,
    title: titleIn(titles, language),
    actions: [actionOf({ code: code as KnownPermission['code'], endpoints: [] })],
  }))
  const inMenu = ['home', ...Object.keys(groups)].map((group) => ({
    key: group,
    title: word(language, 'screens', `group.${group}`),
    resources: pagesOf(group),
  }))
  const rest = [
    { key: 'other', title: word(language, 'rights', 'group.other'), resources: others },
    { key: 'external', title: word(language, 'rights', 'group.external'), resources: links },
  ]
  return { groups: [...inMenu, ...rest].filter(({ resources }) => resources.length > 0) }
}
