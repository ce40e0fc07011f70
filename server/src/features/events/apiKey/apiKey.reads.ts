import { type ApiKey, type getApiKey, KEY_PREFIX, type listApiKeys, type Scope } from '@aisle/contract/events/apiKey'
import { isGranted } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf, Permission } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { nounOf } from '@aisle/contract/permissions'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../../db/instant'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { merchantInSight, type Sight } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { nameOfNoun } from '../../rights/public'

/** Of `k` (api_key), `m` its merchant, `a` who answers for it and `am` their merchant; null while it may call. */
export const hindranceOf = (now: Date): RawBuilder<Exclude<ApiKey['state'], 'valid'> | null> => sql`
  case when k.revoked_at is not null then 'revoked'
    when k.expires_on < (${now}::timestamptz at time zone m.time_zone)::date then 'expired'
    when m.state <> 'active' then 'merchantStopped'
    when not (a.state = 'active' and am.state = 'active' and (a.kind = 'platform_admin'
      or a.kind = 'merchant_admin' and m.path @> array[a.merchant_id])) then 'unanswered' end`

export const withItsPeople = sql`api_key k join merchant m on m.id = k.merchant_id
  join app_user a on a.id = k.answers_by join merchant am on am.id = a.merchant_id`

const rowsInSight = (sight: Sight, now: Date): RawBuilder<ApiKey> => sql`
  select k.id, k.name, ${KEY_PREFIX}::text || k.prefix as begins, k.merchant_id as "merchantId",
    m.name as "merchantName", coalesce(${hindranceOf(now)}, 'valid') as state,
    cardinality(k.scopes) as "scopeCount", k.calls_a_minute as "callsAMinute", k.expires_on as "expiresOn",
    ${iso('k.last_used_at')} as "lastUsedAt", a.display_name as "answersBy", ${iso('k.created_at')} as "createdAt",
    maker.display_name as "createdBy", m.path
  from ${withItsPeople} join app_user maker on maker.id = k.created_by
  where ${merchantInSight(sight, sql`k.merchant_id`)}`

const newest: Order = { by: sql`id`, type: 'bigint', newestFirst: true }

export function listApiKeysIn(sight: Sight, filter: InputOf<typeof listApiKeys>, now: Date): Listing<ApiKey> {
  const { key, merchantId, state } = filter
  const where = allOf([
    key && sql`(${holds(sql`name`, key)} or ${holds(sql`begins`, key)})`,
    merchantId && sql`path @> array[${merchantId}]::bigint[]`,
    isAnyOf(sql`state`, state),
  ])
  return listRows({ rows: rowsInSight(sight, now), where, order: newest })
}

type Detail = OutputOf<typeof getApiKey>
type Found = Omit<Detail, 'scopes'> & { codes: string[]; held: string[] }

export async function findApiKey(
  db: Reader,
  sight: Sight,
  id: number,
  { now, language }: { now: Date; language: Language },
): Promise<Detail | undefined> {
  const found = await sql<Found>`select seen.*, k.scopes as codes, ${grantsOf(sql`k.answers_by`)} as held,
      ${iso('k.revoked_at')} as "revokedAt", u.display_name as "revokedBy", k.version
    from (${rowsInSight(sight, now)}) seen join api_key k on k.id = seen.id left join app_user u on u.id = k.revoked_by
    where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const { codes, held, ...rest } = row
  const scopes = codes.map((code) => ({ ...scopeOf(language, code), isHeld: isGranted(held, code as Permission) }))
  return { ...rest, scopes }
}

/** What somebody may do with all of their Web roles. */
export const grantsOf = (userId: RawBuilder<unknown>): RawBuilder<string[]> => sql`
  array(select distinct p.permission from user_role ur join role r on r.id = ur.role_id and r.surface = 'web'
    join role_permission p on p.role_id = r.id where ur.user_id = ${userId})`

export const scopeOf = (language: Language, code: string): Scope => ({
  code,
  title: nameOfNoun(language, nounOf(code)),
  action: word(language, 'rights', `action.${code.slice(code.indexOf('.') + 1)}`),
})
