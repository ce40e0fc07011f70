import { sql } from 'kysely'
import type { Services } from '../../kernel/context'

/** Counts that come later than this are of a machine whose clock or memory is not to be trusted. */
const COUNTED_DAYS = 8

/**
 * Notes for each machine which hours of its day were booked, and in which it was away, and takes over what it said of
 * its plays. Looked at every ten minutes: to run twice notes the same hours and counts again.
 */
export async function countPlays({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await sql`insert into advert_day as d (booking_id, machine_id, business_day, creative_id, booked_plays,
        booked_hours, offline_hours)
      select a."bookingId", l.machine_id, t.day, a."creativeId", a."playsPerHour", 1 << t.hour,
        case when s.is_connected then 0 else 1 << t.hour end
      from advert_list l join machine m on m.id = l.machine_id and m.retired_at is null
      left join machine_state s on s.machine_id = m.id
      cross join lateral (select (${now}::timestamptz at time zone m.time_zone)::date as day,
        extract(hour from ${now}::timestamptz at time zone m.time_zone)::int as hour) t
      cross join lateral jsonb_to_recordset(l.ads) as a("bookingId" bigint, "creativeId" bigint, "from" date, "to" date,
        "fromHour" int, "toHour" int, "playsPerHour" int)
      where t.day between a."from" and a."to" and t.hour >= a."fromHour" and t.hour < a."toHour"
      order by 1, 2, 3, 4
      on conflict (booking_id, machine_id, business_day, creative_id) do update
        set booked_plays = d.booked_plays
            + case when d.booked_hours & excluded.booked_hours = 0 then excluded.booked_plays else 0 end,
          booked_hours = d.booked_hours | excluded.booked_hours,
          offline_hours = d.offline_hours | excluded.offline_hours`.execute(tx)
    // What was never booked there is nobody's proof: only rows that are there take counts.
    await sql`update advert_day d set plays = a.plays from machine_ad_day a
      where a.machine_id = d.machine_id and a.business_day = d.business_day
        and a.ad = d.booking_id || '-' || d.creative_id and a.plays > d.plays
        and d.business_day > ${now}::timestamptz::date - ${sql.lit(COUNTED_DAYS)}`.execute(tx)
  })
}
