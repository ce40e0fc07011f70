import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getMenu } from '@aisle/contract/rights/menu'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { menuPlanOf, placedItems, type Titles } from '../identity/public'

type Merchant = { id: number; isPlatform: boolean }

export async function merchantToArrange(db: Reader, sight: Sight, merchantId: number): Promise<Merchant | undefined> {
  const found = await sql<Merchant>`select m.id, m.parent_id is null as "isPlatform" from merchant m
    where m.id = ${merchantId} and ${merchantInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}

type OwnRow = { key: string; titles: Titles; icon: string | null; isHidden: boolean | null; version: number }

const ownColumns = sql`key, titles, icon, is_hidden as "isHidden", version`

export async function findOwn(db: Reader, merchantId: number, key: string): Promise<OwnRow | undefined> {
  const found = await sql<OwnRow>`select ${ownColumns} from menu_change
    where merchant_id = ${merchantId} and key = ${key}`.execute(db)
  return found.rows[0]
}

/** Every entry, hidden ones too, whoever may open it: this is the menu's management, not a menu. */
export async function wholeMenu(db: Reader, merchant: Merchant): Promise<OutputOf<typeof getMenu>> {
  const own = await sql<OwnRow>`select ${ownColumns} from menu_change where merchant_id = ${merchant.id}`.execute(db)
  const ownBy = new Map(own.rows.map(({ key, ...row }) => [key, row]))
  const items = placedItems(await menuPlanOf(db, merchant.id)).map(
    ({ key, kind, parent, code, path, text, titles, icon, isHidden }) => ({
      key,
      kind,
      parent,
      code,
      path,
      text,
      titles,
      icon,
      isHidden,
      own: ownBy.get(key) ?? null,
    }),
  )
  return { merchantId: merchant.id, isPlatform: merchant.isPlatform, items, changed: own.rows.length }
}
