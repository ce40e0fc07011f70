import type { MenuKind } from '@aisle/contract/menu'

/** Groups stand on top, sections in groups, pages and links in either: three levels, as the menu shows them. */
export function mayHold(holder: MenuKind | null, held: MenuKind): boolean {
  if (held === 'group') return holder === null
  if (held === 'section') return holder === 'group'
  return holder === 'group' || holder === 'section'
}
