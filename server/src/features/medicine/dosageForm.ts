import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** The word of a dosage form, as the dictionary offers it to a merchant; one that it doesn't know reads as it is. */
export const dosageFormIn = (language: Language, form: Sql, path: Sql): Sql => sql`coalesce((
  select coalesce(nullif(i.${sql.ref(language)}, ''), i.zh) from dictionary_item i
  join dictionary_type t on t.id = i.type_id and t.code = 'dosageForm'
  where i.code = ${form} and (i.merchant_id is null or i.merchant_id = any(${path}))
  order by array_position(${path}, i.merchant_id) desc nulls last limit 1), ${form}, '')`
