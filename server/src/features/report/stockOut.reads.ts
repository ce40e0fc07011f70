import { type RawBuilder, sql } from 'kysely'
import { endOf, midnight } from '../../kernel/platformDays'
import type { Period } from './period.rules'

/**
 * How long slots stood empty in the time, added up over them. What a slot was for before counts until it was filled
 * again; a slot that holds something else now is not empty of what it held.
 * @param which of slots, as `s`
 * @param now up to which a slot that is empty now has been
 */
export function stockOutHours(which: RawBuilder<unknown>, { from, to }: Period, now: Date): RawBuilder<number> {
  const begins = midnight(from)
  const ends = sql`least(${endOf(to)}, ${now}::timestamptz)`
  return sql`(select round(coalesce(sum(extract(epoch from
      least(coalesce(o.ended_at, ${ends}), ${ends}) - greatest(o.began_at, ${begins}))) / 3600, 0))::int
    from slot s join stock_out o on o.place_id = s.place_id
    where ${which} and o.began_at < ${ends} and (o.ended_at is null or o.ended_at > ${begins}))`
}
