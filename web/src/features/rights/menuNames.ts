import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { languages } from '@aisle/contract/kernel/text'
import type { getMenu, MenuEntry } from '@aisle/contract/rights/menu'
import { useLanguage, useText } from '../../ui/text'

export type Menu = OutputOf<typeof getMenu>

/** How an entry is called now: as an administrator named it, else as it is shipped, else in any language. */
export function useMenuNames(): (item: MenuEntry) => string {
  const shipped = useText('screens')
  const language = useLanguage()
  return ({ titles, text }) =>
    titles[language] || (text ? shipped.any(text) : (languages.map((each) => titles[each]).find(Boolean) ?? ''))
}

/** Where an entry may stand: groups on top, sections in groups, pages and links in either. */
export function holdersFor(menu: Menu, { kind }: MenuEntry): MenuEntry[] {
  if (kind === 'group') return []
  return menu.items.filter((item) => item.kind === 'group' || (kind !== 'section' && item.kind === 'section'))
}
