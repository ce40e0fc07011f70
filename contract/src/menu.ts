import type { Access } from './kernel/endpoint'
import type { Screen } from './kernel/screen'
import { groups, screens } from './screens'

export type MenuKind = 'group' | 'section' | 'screen' | 'external'

/** An entry of the menu as it is shipped. Its title is the text `text` of the catalog of screens. */
export type MenuItem = {
  /** `group:shj`, `section:xtgl/zfsz`, `screen:shj/wdshj`; `external:7` for the address of another system. */
  key: string
  kind: MenuKind
  /** The key of the entry that holds it; null on top. */
  parent: string | null
  code: string
  path: string
  text: string
  access: Access
}

/** Opened from a row or a button of another screen, so an entry of its own would lead to an empty page. */
const openedFromARow = new Set(['xtgl/jszyqx', 'shgl/management'])

/** What menus are made of, holders before what they hold, each in the order of the specification. */
export const menuItems: readonly MenuItem[] = ['home', ...Object.keys(groups)].flatMap(itemsOfGroup)

const shipped = new Map(menuItems.map((item) => [item.key, item]))
export const menuItemOf = (key: string): MenuItem | undefined => shipped.get(key)

/** Drawings of the application that a group or page may carry in the menu. */
export const menuIcons = [
  'alert',
  'check',
  'expand',
  'eye',
  'globe',
  'grid',
  'info',
  'lock',
  'machine',
  'phone',
  'receipt',
  'refresh',
  'screen',
  'search',
  'sun',
  'user',
  'wrench',
] as const

function itemsOfGroup(group: string): MenuItem[] {
  const key = `group:${group}`
  const entries = screens.filter((each) => each.group === group && isInMenu(each))
  const path = group === 'home' ? (entries[0]?.path ?? '/') : `/${group}`
  const sections = new Set<string>()
  const below = entries.flatMap((screen): MenuItem[] => {
    const section = sectionOf(screen)
    if (!section) return [itemOf(screen, key)]
    const holder = `section:${group}/${section}`
    const item = itemOf(screen, holder)
    if (sections.has(section)) return [item]
    sections.add(section)
    const at = { code: section, path: `/${group}/${section}`, text: `group.${group}/${section}` }
    return [{ key: holder, kind: 'section', parent: key, access: 'session', ...at }, item]
  })
  return [{ key, kind: 'group', parent: null, code: group, path, text: `group.${group}`, access: 'session' }, ...below]
}

function itemOf({ key, code, path, access }: Screen, parent: string): MenuItem {
  return { key: `screen:${key}`, kind: 'screen', parent, code, path, text: key, access }
}

/** The middle of `/xtgl/zfsz/rjs`; undefined for a screen right below its group. */
function sectionOf({ path }: Screen): string | undefined {
  return /^\/\w+\/(\w+)\/\w+$/.exec(path)?.[1]
}

/** `bj` edit, `xz` new: the specification's own naming. */
function isInMenu({ key, code, shape }: Screen): boolean {
  if (shape === 'detail' || shape === 'container' || openedFromARow.has(key)) return false
  return !(shape === 'form' && /^(bj|xz)|(add|set)$/.test(code))
}
