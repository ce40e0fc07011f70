import type { Agreement, getAgreement, getPendingAgreement, listAgreements } from '@aisle/contract/system/agreement'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { owedAgreement } from '../../kernel/owedAgreement'

/** A draft has no number and stands before all that was published. */
const rows = (language: Language) => sql<Agreement>`
  select a.id, a.number, coalesce(nullif(${sql.ref(`a.title_${language}`)}, ''), a.title_zh) as title, a.state,
    to_json(a.created_at) #>> '{}' as "createdAt", maker.display_name as "createdBy",
    to_json(a.published_at) #>> '{}' as "publishedAt", publisher.display_name as "publishedBy",
    (select count(*) from agreement_acceptance x where x.agreement_id = a.id)::int as "acceptedCount",
    array_remove(array[
      case when a.title_en = '' or a.body_en = '' then 'en' end,
      case when a.title_fr = '' or a.body_fr = '' then 'fr' end,
      case when a.title_ko = '' or a.body_ko = '' then 'ko' end], null) as missing,
    a.version
  from agreement a left join app_user maker on maker.id = a.created_by
  left join app_user publisher on publisher.id = a.published_by`

export const pageOf = (language: Language, filter: InputOf<typeof listAgreements>): Listing<Agreement> =>
  listRows({
    rows: rows(language),
    where: allOf([isAnyOf(sql`state`, filter.state)]),
    order: { by: sql`coalesce(number, 2147483647)`, type: 'bigint', newestFirst: true },
  })

export async function findAgreement(
  db: Reader,
  language: Language,
  id: number,
): Promise<OutputOf<typeof getAgreement> | undefined> {
  const found = await sql<OutputOf<typeof getAgreement>>`
    select seen.*, a.title_zh as "titleZh", a.title_en as "titleEn", a.title_fr as "titleFr", a.title_ko as "titleKo",
      a.body_zh as "bodyZh", a.body_en as "bodyEn", a.body_fr as "bodyFr", a.body_ko as "bodyKo"
    from (${rows(language)}) seen join agreement a on a.id = seen.id where seen.id = ${id}`.execute(db)
  return found.rows[0]
}

/** The newest version, unless this person has accepted it; only the newest is ever asked for. */
export async function pendingFor(
  db: Reader,
  userId: number,
  language: Language,
): Promise<OutputOf<typeof getPendingAgreement>['agreement']> {
  const found = await sql<NonNullable<OutputOf<typeof getPendingAgreement>['agreement']>>`
    select a.id, a.number, ${sql.ref(`a.title_${language}`)} as title, ${sql.ref(`a.body_${language}`)} as body,
      to_json(a.published_at) #>> '{}' as "publishedAt"
    from app_user u join agreement a on a.id = (${sql.raw(owedAgreement('u.id'))})
    where u.id = ${userId}`.execute(db)
  return found.rows[0] ?? null
}
