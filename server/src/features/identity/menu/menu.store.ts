import type { MenuTree } from '@aisle/contract/identity/session'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { word } from '../../../kernel/words'
import { type MenuChange, type MenuLink, type MenuPlan, menuTree } from './menu.rules'

/** How the merchant's menus differ from those that were shipped, the nearest level first. */
export async function menuPlanOf(db: Reader, merchantId: number): Promise<MenuPlan> {
  const changes = await sql<MenuChange>`
    select c.key, c.parent, c.titles, c.icon, c.sort, c.is_hidden as "isHidden"
    from merchant m join menu_change c on c.merchant_id = any(m.path)
    where m.id = ${merchantId} order by array_position(m.path, c.merchant_id) desc`.execute(db)
  const links = await sql<MenuLink>`
    select r.id, r.code, r.url, r.titles, 'group:' || r.menu_group as "group", o.code is not null as "isOff"
    from external_resource r left join resource_off o on o.code = r.code order by r.id`.execute(db)
  return { changes: changes.rows, links: links.rows }
}

const MEDICINES = 'group:ypgl'

/** As arranged; where neither the merchant nor one below it has a pharmacy, nobody looks for medicines. */
export async function shownPlanOf(db: Reader, merchantId: number): Promise<MenuPlan> {
  const plan = await menuPlanOf(db, merchantId)
  const found = await sql<{ has: boolean }>`select exists (select from merchant
    where path @> array[${merchantId}]::bigint[] and has_pharmacy) as has`.execute(db)
  if (found.rows[0]?.has !== false) return plan
  const hidden = { key: MEDICINES, parent: null, titles: {}, icon: null, sort: null, isHidden: true }
  return { ...plan, changes: [hidden, ...plan.changes] }
}

/** The menus as the person may see them now. */
export async function menuOf(
  db: Reader,
  { merchantId, grants }: { merchantId: number; grants: readonly string[] },
  language: Language,
): Promise<MenuTree> {
  return menuTree(grants, (key) => word(language, 'screens', key), await shownPlanOf(db, merchantId), language)
}
