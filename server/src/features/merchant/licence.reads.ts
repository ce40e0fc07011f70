import { licenceWarningDays } from '@aisle/contract/system/settings'
import type { getLicence, LicenceState, summariseLicences } from '@aisle/contract/merchant/licence'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'

/** From how many days on a licence of a merchant warns: its own setting, else that of the nearest above. */
export const warningDaysOf = (merchant: RawBuilder<unknown>) => sql<number>`coalesce((
  select (s.value #>> '{}')::int from setting s
  where s.key = ${licenceWarningDays.key} and jsonb_typeof(s.value) = 'number'
    and (s.merchant_id is null or s.merchant_id = any(${merchant}.path))
  order by array_position(${merchant}.path, s.merchant_id) desc nulls last limit 1), ${licenceWarningDays.shipped})`

/** Beside a licence of merchant `owner`: how long it lasts, in days of the merchant's time zone. */
export const term = (now: Date): RawBuilder<unknown> => sql`
  cross join lateral (select licence.valid_to - (${now}::timestamptz at time zone owner.time_zone)::date as days_left,
    ${warningDaysOf(sql`owner`)} as warning_days) term`

/** As `licenceState` of the contract says it. */
export const licenceStateOf = sql`case when licence.revoked_at is not null then 'revoked'
  when term.days_left < 0 then 'expired' when term.days_left <= term.warning_days then 'expiring' else 'valid' end`

export async function summary(db: Reader, sight: Sight, now: Date): Promise<OutputOf<typeof summariseLicences>> {
  const found = await sql<{ state: LicenceState; count: number }>`select ${licenceStateOf} as state, count(*) as count
    from licence join merchant owner on owner.id = licence.merchant_id ${term(now)}
    where ${merchantInSight(sight, sql`licence.merchant_id`)} group by 1`.execute(db)
  const counts = { expired: 0, expiring: 0, valid: 0, revoked: 0 }
  for (const { state, count } of found.rows) counts[state] = count
  return counts
}

type Detail = OutputOf<typeof getLicence>
type More = Pick<Detail, 'createdAt' | 'revokedAt' | 'revokeReason' | 'warningDays'> & {
  machineId: number | null
  userId: number | null
}

/** Of one that was found in sight. */
export async function findMore(db: Reader, id: number) {
  return sql<More>`select l.machine_id as "machineId", l.user_id as "userId",
      to_json(l.created_at) #>> '{}' as "createdAt", to_json(l.revoked_at) #>> '{}' as "revokedAt",
      l.revoke_reason as "revokeReason", ${warningDaysOf(sql`m`)} as "warningDays"
    from licence l join merchant m on m.id = l.merchant_id where l.id = ${id}`.execute(db)
}

export async function findTerms(db: Reader, id: number): Promise<Detail['terms']> {
  const found = await sql<Detail['terms'][number]>`
    select t.id, t.number, t.issued_by as "issuedBy", t.valid_from as "validFrom", t.valid_to as "validTo", t.pictures,
      to_json(t.replaced_at) #>> '{}' as "replacedAt", u.display_name as "replacedBy"
    from licence_term t join app_user u on u.id = t.replaced_by
    where t.licence_id = ${id} order by t.id desc limit 50`.execute(db)
  return found.rows
}
