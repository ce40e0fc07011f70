import type { Setting } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Reader } from './context'

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
