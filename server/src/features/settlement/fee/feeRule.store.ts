import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import type { FeeRule } from './fee.rules'

/** The terms of rule `f` as they are told: a word of the wire holds no colon, and a rate is per cent. */
export const terms = sql`f.id, replace(f.subject, ':', '_') as subject, f.rate_ppm / 10000::float8 as "ratePercent",
  f.basis, f.min_fen as "minFen", f.below_min as "belowMin", to_char(f.valid_from, 'YYYY-MM-DD') as "validFrom"`

/** Of merchant `m`: a function is charged where it is on (specification, section 9). @param subject as it is kept */
export const isCharged = (subject: RawBuilder<unknown>) => sql`case ${subject}
  when 'function:sale' then m.has_shopping when 'function:prescription' then m.has_pharmacy
  when 'function:lottery' then m.has_high_go else true end`

/** Rules `f` that reach merchant `m` and hold on the day. */
export const reaching = (day: string) => sql`(f.merchant_id is null or f.merchant_id = any(m.path))
  and ${isCharged(sql`f.subject`)} and f.valid_from <= ${day}::date
  and (f.valid_to is null or f.valid_to >= ${day}::date)`

/** Of rules for the same: the newest of the merchant or of the nearest one above stands first, the one for all last. */
export const nearestFirst: RawBuilder<unknown> = sql`array_position(m.path, f.merchant_id) desc nulls last,
  f.valid_from desc`

/** The rule by which a merchant pays on the day. */
export async function findRule(db: Reader, merchantId: number, subject: string, day: string): Promise<FeeRule> {
  const found = await sql<FeeRule>`
    select f.rate_ppm as "ratePpm", f.basis, f.min_fen as "minFen", f.below_min as "belowMin" from merchant m
    join fee_rule f on ${reaching(day)} where m.id = ${merchantId} and f.subject = ${subject}
    order by ${nearestFirst} limit 1`.execute(db)
  return found.rows[0] ?? { ratePpm: 0, basis: 'order', minFen: 0, belowMin: 'raise' }
}
