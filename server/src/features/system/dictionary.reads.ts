import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import type {
  DictionaryItem,
  getDictionaryItem,
  listMerchantItems,
  listDictionaryOptions,
} from '@aisle/contract/system/dictionary'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Listing } from '../../kernel/list'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { usesOf } from './dictionary.uses'

/** Items of the platform, of merchants in sight, and of merchants above, which hold for one's own too. */
export function itemInSight(sight: Sight): RawBuilder<boolean> {
  if (sight.kind === 'all') return sql<boolean>`true`
  return sql<boolean>`(i.merchant_id is null or ${merchantInSight(sight, sql.ref('i.merchant_id'))}
    or i.merchant_id in (select unnest(path) from merchant where id = ${sight.merchantId}))`
}

const wordIn = (language: Language, table: 'i' | 't') =>
  sql<string>`coalesce(nullif(${sql.ref(`${table}.${language}`)}, ''), ${sql.ref(`${table}.zh`)})`

const rows = (sight: Sight, language: Language) => sql<DictionaryItem>`
  select i.id, i.type_id as "typeId", t.code as "typeCode", ${wordIn(language, 't')} as "typeName",
    i.merchant_id as "merchantId", m.name as "merchantName", i.code, i.zh, i.en, i.fr, i.ko, i.sort, i.is_on as "isOn",
    i.version, t.sort::bigint * 10000000 + t.id * 10000 + i.sort as place
  from dictionary_item i join dictionary_type t on t.id = i.type_id left join merchant m on m.id = i.merchant_id
  where ${itemInSight(sight)}`

export const pageOf = (
  sight: Sight,
  filter: InputOf<typeof listMerchantItems> & { scope: 'platform' | 'own'; language: Language },
): Listing<DictionaryItem> =>
  listRows({
    rows: rows(sight, filter.language),
    where: allOf([
      filter.q &&
        sql`(${sql.join(
          ['code', 'zh', 'en', 'fr', 'ko'].map((name) => holds(sql.ref(name), filter.q ?? '')),
          sql` or `,
        )})`,
      filter.type && sql`"typeCode" = ${filter.type}`,
      filter.scope === 'own' ? sql`"merchantId" is not null` : sql`"merchantId" is null`,
      filter.merchantId && sql`"merchantId" = ${filter.merchantId}`,
      filter.isOn && sql`"isOn" = ${filter.isOn === 'true'}`,
    ]),
    order: filter.sort === 'code' ? { by: sql`code`, type: 'text' } : { by: sql`place`, type: 'bigint' },
  })

/** Whether it may be changed by who sees so much: a merchant's own, or anything for the platform. */
export const mayWrite = (sight: Sight, item: { merchantId: number | null; isBelow: boolean }): boolean =>
  sight.kind === 'all' || (item.merchantId !== null && item.isBelow)

export type ItemInSight = DictionaryItem & { isBelow: boolean }

export async function findItem(
  db: Reader,
  sight: Sight,
  id: number,
  language: Language,
): Promise<ItemInSight | undefined> {
  const found = await sql<ItemInSight>`
    select seen.*, coalesce(${merchantInSight(sight, sql`seen."merchantId"`)}, false) as "isBelow"
    from (${rows(sight, language)}) seen where seen.id = ${id}`.execute(db)
  return found.rows[0]
}

export async function findDictionaryDetail(
  db: Reader,
  sight: Sight,
  id: number,
  language: Language,
): Promise<OutputOf<typeof getDictionaryItem> | undefined> {
  const item = await findItem(db, sight, id, language)
  if (!item) return undefined
  const changed = await sql<{ at: string; by: string | null }>`
    select to_json(l.at) #>> '{}' as at, u.display_name as by from audit_log l left join app_user u on u.id = l.user_id
    where l.object_kind = 'dictionaryItem' and l.object_id = ${String(id)} order by l.at desc limit 1`.execute(db)
  const last = changed.rows[0]
  return {
    ...item,
    mayWrite: mayWrite(sight, item),
    uses: (await usesOf(db, item)).slice(0, 20),
    changedAt: last?.at ?? null,
    changedBy: last?.by ?? null,
  }
}

/** What a merchant chooses from: the platform's, its own and those of merchants above; in Chinese if need be. */
export async function optionsFor(
  db: Reader,
  type: string,
  of: { merchantId: number; language: Language },
): Promise<OutputOf<typeof listDictionaryOptions>['items']> {
  const found = await sql<{ code: string; word: string }>`
    select i.code, ${wordIn(of.language, 'i')} as word
    from dictionary_item i join dictionary_type t on t.id = i.type_id
    left join merchant m on m.id = ${of.merchantId}
    where t.code = ${type} and i.is_on and (i.merchant_id is null or i.merchant_id = any(m.path))
    order by i.sort, i.id`.execute(db)
  return found.rows
}
