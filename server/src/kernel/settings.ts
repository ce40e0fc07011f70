import type { Setting } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Reader, Tx } from './context'
import { only } from './must'

/**
 * What a setting says here: the merchant's own value, else that of the nearest merchant above, else what it was shipped
 * with. A kept value that the declaration no longer takes counts as none.
 */
export async function settingOf<V>(db: Reader, setting: Setting<V>, merchantId: number | null): Promise<V> {
  const found = await sql<{ value: unknown }>`
    select s.value from setting s left join merchant m on m.id = ${merchantId}
    where s.key = ${setting.key} and (s.merchant_id is null or s.merchant_id = any(m.path))
    order by array_position(m.path, s.merchant_id) desc nulls last limit 1`.execute(db)
  if (found.rows[0] === undefined) return setting.shipped
  const parsed = setting.schema.safeParse(found.rows[0].value)
  return parsed.success ? parsed.data : setting.shipped
}

/** The whole address of a path of ours, where an administrator said how the world reaches us. */
export const atSite = (site: string | null, path: string): string | null => site && `${site.replace(/\/+$/, '')}${path}`

type Own = { key: string; merchantId: number | null }
type Chosen = Own & { value: unknown; version: number; by: { userId: number; at: Date } }

export async function putSetting(tx: Tx, { key, merchantId, value, version, by }: Chosen): Promise<void> {
  await sql`insert into setting (key, merchant_id, value, version, changed_at, changed_by)
    values (${key}, ${merchantId}, ${JSON.stringify(value)}, ${version}, ${by.at}, ${by.userId})
    on conflict (key, merchant_id) do update set value = excluded.value, version = excluded.version,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(tx)
}

export async function dropSetting(tx: Tx, { key, merchantId }: Own): Promise<void> {
  await sql`delete from setting where key = ${key} and merchant_id is not distinct from ${merchantId}`.execute(tx)
}

/** With all that a merchant has chosen. */
export async function dropSettings(tx: Tx, merchantId: number): Promise<void> {
  await sql`delete from setting where merchant_id = ${merchantId}`.execute(tx)
}

/** What an installation writes down of itself once. @returns what it wrote down first */
export async function onceSetting(db: Reader, key: string, value: string): Promise<string> {
  await sql`insert into setting (key, merchant_id, value) values (${key}, null, ${JSON.stringify(value)})
    on conflict do nothing`.execute(db)
  return only(
    await sql<{ value: string }>`select value #>> '{}' as value from setting
      where key = ${key} and merchant_id is null`.execute(db),
  ).value
}
