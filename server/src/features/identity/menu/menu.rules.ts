import { mayOpen } from '@aisle/contract/identity/permissions'
import type { MenuGroup, MenuTree } from '@aisle/contract/identity/session'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { type MenuItem, menuItems } from '@aisle/contract/menu'
import { grouped } from '../../../kernel/must'

export type Titles = Partial<Record<Language, string>>

/** What one level of the merchant tree says about an entry; null says nothing, and the level above decides. */
export type MenuChange = {
  key: string
  parent: string | null
  titles: Titles
  icon: string | null
  sort: number | null
  isHidden: boolean | null
}

/** An address of another system. */
export type MenuLink = { id: number; code: string; url: string; titles: Titles; group: string | null; isOff: boolean }

/** How a merchant's menus differ from those that were shipped. */
export type MenuPlan = { changes: readonly MenuChange[]; links: readonly MenuLink[] }

/** An entry as it stands for a merchant. */
export type PlacedItem = Omit<MenuItem, 'parent'> & {
  parent: string | null
  titles: Titles
  icon: string | null
  isHidden: boolean
}

const asShipped: MenuPlan = { changes: [], links: [] }

/**
 * The menus of somebody with `grants`, in the order and under the names that the plan gives them.
 * @param titleOf the words for a screen's key or `group.<group>` @param language of those words
 */
export function menuTree(
  grants: readonly string[],
  titleOf: (key: string) => string,
  plan: MenuPlan = asShipped,
  language: Language = 'zh',
): MenuTree {
  const placed = placedItems(plan).filter((item) => !item.isHidden && mayOpen(grants, item.access))
  const below = (key: string) => placed.filter((item) => item.parent === key)
  const leafOf = (item: PlacedItem) => ({ code: item.code, path: item.path, ...named(item, titleOf, language) })
  const branchesOf = (key: string) =>
    below(key).flatMap((item) => {
      if (item.kind !== 'section') return [leafOf(item)]
      const children = below(item.key).map(leafOf)
      return children.length > 0 ? [{ ...leafOf(item), children }] : []
    })
  const children = placed.flatMap((item): MenuGroup[] => {
    const branches = item.kind === 'group' ? branchesOf(item.key) : []
    return branches.length > 0 ? [{ ...leafOf(item), children: branches }] : []
  })
  return [{ code: 'root', path: '/', title: titleOf('group.home'), children }]
}

/**
 * The part of a menu that is one system's: a group by its code, or a leaf such as another system's address within the
 * group that holds it. @returns undefined where the caller's menu holds none
 */
export function menuOfSystem(tree: MenuTree, code: string | undefined): MenuTree | undefined {
  if (code === undefined) return tree
  const within = (group: MenuGroup): MenuGroup[] => {
    if (group.code === code) return [group]
    const children = (group.children ?? []).filter((branch) => branch.code === code)
    return children.length > 0 ? [{ ...group, children }] : []
  }
  const parts = tree.map((root) => ({ ...root, children: root.children.flatMap(within) }))
  return parts.some(({ children }) => children.length > 0) ? parts : undefined
}

/** Every entry of the menu where the plan puts it, holders of one level and what they hold in their order. */
export function placedItems({ changes, links }: MenuPlan): PlacedItem[] {
  const said = grouped(changes, ({ key }) => key)
  const placed = [...menuItems, ...links.map(itemOfLink)].map((item, at) => {
    const nearestFirst = said.get(item.key) ?? []
    const first = <K extends keyof MenuChange>(name: K) => nearestFirst.find((each) => each[name] !== null)?.[name]
    const titles: Titles = Object.assign({}, ownTitles(item), ...nearestFirst.map((each) => each.titles).reverse())
    const order = first('sort') ?? at * SHIPPED_STEP
    const isHidden = (first('isHidden') ?? false) || isOff(item)
    const parent = first('parent') ?? item.parent
    return { order, item: { ...item, parent, titles, icon: first('icon') ?? null, isHidden } }
  })
  return placed.sort((a, b) => a.order - b.order).map(({ item }) => item)
}

/** Between two shipped entries there is room for others; an arranged group is numbered anew as a whole. */
export const SHIPPED_STEP = 10

type LinkItem = MenuItem & { titles?: Titles; isOff?: boolean }
const ownTitles = (item: LinkItem): Titles => item.titles ?? {}
const isOff = (item: LinkItem): boolean => item.isOff ?? false

const itemOfLink = ({ id, code, url, titles, group, isOff }: MenuLink): LinkItem => ({
  key: `external:${id}`,
  kind: 'external',
  // Without a group it has no holder, and so it is shown to nobody until somebody moves it into one.
  parent: group ?? 'nowhere',
  isOff,
  code,
  path: url,
  text: '',
  access: code as MenuItem['access'],
  titles,
})

/** In the asked language, else as shipped, else in whichever language there is. */
function named({ text, titles, icon }: PlacedItem, titleOf: (key: string) => string, language: Language) {
  const otherwise = languages.map((each) => titles[each]).find(Boolean) ?? ''
  const title = titles[language] ?? (text === '' ? otherwise : titleOf(text))
  return { title, ...(Object.keys(titles).length > 0 ? { titles } : {}), ...(icon ? { icon } : {}) }
}
