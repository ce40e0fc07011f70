import { bookingState } from '@aisle/contract/advert/booking'
import { creativeState } from '@aisle/contract/advert/creative'
import type { PointKind } from '@aisle/contract/fleet/point'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { addDays, businessTime } from '../../kernel/businessDay'
import type { Reader, Tx } from '../../kernel/context'
import { stateTo } from '../../kernel/states'
import { type Candidate, type Playlist, playlistOf } from './playlist.rules'
import { isAbout } from './target.reads'

/** So far ahead a machine is told, so that it begins on the day also without a network. */
const AHEAD_DAYS = 7

export type Wanted = Playlist & { machineId: number }
type Booked = Candidate & { machineIds: number[] }
type Place = { id: number; kind: PointKind; timeZone: string }

/** The list of each machine that a running booking is about, as things stand now. */
export async function wantedLists(tx: Tx, now: Date): Promise<Wanted[]> {
  const bookings = await findBookings(tx, now)
  const machines = await findPlaces(tx, [...new Set(bookings.flatMap(({ machineIds }) => machineIds))])
  const at = new Map(machines.map(({ id }) => [id, [] as Booked[]]))
  for (const booking of bookings) for (const id of booking.machineIds) at.get(id)?.push(booking)
  return machines.map(({ id, kind, timeZone }) => {
    const today = businessTime(now, timeZone).day
    const near = (at.get(id) ?? []).filter(
      ({ startsOn, endsOn }) => endsOn >= today && startsOn <= addDays(today, AHEAD_DAYS),
    )
    return { machineId: id, ...playlistOf(kind, near) }
  })
}

/** With a day to spare on either side, since machines have calendars of their own. */
async function findBookings(db: Reader, now: Date): Promise<Booked[]> {
  const found = await sql<Booked>`
    select b.id as "bookingId", b.priority, to_char(b.starts_on, 'YYYY-MM-DD') as "startsOn",
      to_char(b.ends_on, 'YYYY-MM-DD') as "endsOn", b.from_hour as "fromHour", b.to_hour as "toHour",
      b.plays_per_hour as "playsPerHour",
      coalesce((select json_agg(json_build_object('id', c.id, 'seconds', c.seconds)
          order by array_position(b.creative_ids, c.id))
        from creative c where c.id = any(b.creative_ids)
          and c.state = ${stateTo(creativeState, 'approve')}), '[]') as creatives,
      coalesce((select json_agg(m.id) from machine m where ${isAbout}), '[]') as "machineIds"
    from advert_booking b
    where b.state = ${sql.lit(bookingState.initial)} and b.ends_on >= ${now}::timestamptz::date - 1
      and b.starts_on <= ${now}::timestamptz::date + ${sql.lit(AHEAD_DAYS + 1)}
    order by b.id`.execute(db)
  return found.rows
}

async function findPlaces(db: Reader, ids: readonly number[]): Promise<Place[]> {
  const found = await sql<Place>`select m.id, p.kind, m.time_zone as "timeZone"
    from machine m join point p on p.id = m.point_id where m.id = any(${[...ids]}::bigint[]) order by m.id`.execute(db)
  return found.rows
}

/** Which machines each booking is about now, and why it is not on the list of some. */
export async function keepMet(tx: Tx, wanted: readonly Wanted[]): Promise<void> {
  const met = wanted.flatMap(({ machineId, ads, leftOut }) => [
    ...[...new Set(ads.map(({ bookingId }) => bookingId))].map((bookingId) => ({ bookingId, machineId, why: null })),
    ...leftOut.map(({ bookingId, why }) => ({ bookingId, machineId, why })),
  ])
  const given = rows('n', met, { bookingId: 'bigint', machineId: 'bigint', why: 'text' })
  await sql`delete from advert_at_machine a where not exists (
    select from ${given} where n.booking_id = a.booking_id and n.machine_id = a.machine_id)`.execute(tx)
  await sql`insert into advert_at_machine as a (booking_id, machine_id, why)
    select booking_id, machine_id, why from ${given}
    on conflict (booking_id, machine_id) do update set why = excluded.why
      where a.why is distinct from excluded.why`.execute(tx)
}
