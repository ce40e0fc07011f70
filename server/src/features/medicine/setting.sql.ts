import type { Setting } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'

/** What a setting that is a number says for merchant `m` of the statement: its own, else that of the nearest above. */
export const settingIn = ({ key, shipped }: Setting<number>): RawBuilder<number> => sql<number>`coalesce((
  select (s.value #>> '{}')::int from setting s
  where s.key = ${key} and jsonb_typeof(s.value) = 'number' and (s.merchant_id is null or s.merchant_id = any(m.path))
  order by array_position(m.path, s.merchant_id) desc nulls last limit 1), ${shipped}::int)`
