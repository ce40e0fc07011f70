import { licenceWarningDays } from '@aisle/contract/system/settings'
import type { getLicence, Licence, listLicences, summariseLicences } from '@aisle/contract/merchant/licence'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Listing } from '../../kernel/list'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { hangsOn } from './licence.hangs'

type Filter = InputOf<typeof listLicences>

/** From how many days on a licence of merchant `m` warns: its own setting, else that of the nearest above. */
export const warningDaysOf = sql<number>`coalesce((
  select (s.value #>> '{}')::int from setting s
  where s.key = ${licenceWarningDays.key} and jsonb_typeof(s.value) = 'number'
    and (s.merchant_id is null or s.merchant_id = any(m.path))
  order by array_position(m.path, s.merchant_id) desc nulls last limit 1), ${licenceWarningDays.shipped})`

/** Licences in sight with their state, which follows from the day in the merchant's time zone (licenceState). */
const seen = (sight: Sight, now: Date): RawBuilder<unknown> => sql`
  select *, case when is_revoked then 'revoked' when "daysLeft" < 0 then 'expired'
    when "daysLeft" <= "warningDays" then 'expiring' else 'valid' end as state
  from (
    select l.id, l.merchant_id as "merchantId", m.name as "merchantName", l.holder_kind as "holderKind", l.kind,
      l.number, l.holder, l.issued_by as "issuedBy", l.valid_from as "validFrom", l.valid_to as "validTo",
      l.valid_to - (${now}::timestamptz at time zone m.time_zone)::date as "daysLeft",
      ${warningDaysOf} as "warningDays", l.revoked_at is not null as is_revoked,
      case when l.valid_to is null then array['long_term'] else '{}'::text[] end as marks,
      (select count(*)::int from licence_term t where t.licence_id = l.id) as renewals
    from licence l join merchant m on m.id = l.merchant_id
    where ${merchantInSight(sight, sql`l.merchant_id`)}
  ) facts`

/** Expired first, the longest dead on top; then what ends soonest; long-term ones after that; revoked last. */
const worst = sql`array_position(array['expired', 'expiring', 'valid', 'revoked'], state) * 100000000::bigint
  + coalesce("daysLeft", 50000000)`

const orders: Record<Filter['sort'], Order> = {
  worst: { by: worst, type: 'bigint' },
  holder: { by: sql`holder`, type: 'text' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listLicencesIn(sight: Sight, filter: Filter, now: Date): Listing<Licence> {
  const { licence: q, merchantId, holderKind, kind, state, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`number`, q)} or ${holds(sql`holder`, q)} or ${holds(sql`"merchantName"`, q)})`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    holderKind && sql`"holderKind" = ${holderKind}`,
    kind && sql`kind = ${sql.lit(kind)}`,
    state && sql`state = ${sql.lit(state)}`,
  ])
  return listRows<Licence>({ rows: seen(sight, now), where, order: orders[sort] })
}

type Summary = OutputOf<typeof summariseLicences>

export async function summary(db: Reader, sight: Sight, now: Date): Promise<Summary> {
  const found = await sql<Summary>`select count(*) filter (where state = 'expired')::int as expired,
      count(*) filter (where state = 'expiring')::int as expiring,
      count(*) filter (where state = 'valid')::int as valid,
      count(*) filter (where state = 'revoked')::int as revoked
    from (${seen(sight, now)}) seen`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('a count without a row')
  return row
}

type Detail = OutputOf<typeof getLicence>
type DetailRow = Omit<Detail, 'terms' | 'hangs'> & { machineId: number | null; userId: number | null }

export async function findDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail | undefined> {
  const found = await sql<DetailRow>`
    select seen.*, l.version, l.pictures, l.remark, l.machine_id as "machineId", l.user_id as "userId",
      machine.code as "machineCode", u.account, to_json(l.created_at) #>> '{}' as "createdAt",
      to_json(l.revoked_at) #>> '{}' as "revokedAt", l.revoke_reason as "revokeReason"
    from (${seen(sight, now)}) seen join licence l on l.id = seen.id
    left join machine on machine.id = l.machine_id left join app_user u on u.id = l.user_id
    where seen.id = ${id}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  return { ...row, terms: await findTerms(db, id), hangs: await hangsOn(db, sight, row) }
}

async function findTerms(db: Reader, id: number): Promise<Detail['terms']> {
  const found = await sql<Detail['terms'][number]>`
    select t.id, t.number, t.issued_by as "issuedBy", t.valid_from as "validFrom", t.valid_to as "validTo", t.pictures,
      to_json(t.replaced_at) #>> '{}' as "replacedAt", u.display_name as "replacedBy"
    from licence_term t join app_user u on u.id = t.replaced_by
    where t.licence_id = ${id} order by t.id desc limit 50`.execute(db)
  return found.rows
}
