import { type Booking, type BookingProblem, bookingState, type listBookings } from '@aisle/contract/advert/booking'
import { creativeState } from '@aisle/contract/advert/creative'
import { commandState } from '@aisle/contract/device/commands'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, anyHolds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { machineInSight, merchantInSight, sightOf, subtreeOf } from '../../kernel/scope'
import { statesIn, stateTo } from '../../kernel/states'

/** Of a list `l` with its command `c`: the machine has it, or it came to nothing. */
export const isTaken = sql<boolean>`(l.reported_version is not distinct from l.version
  or 'done' in (c.state, coalesce(c.late_state, '')))`
export const hasFailed = sql<boolean>`(not ${isTaken} and coalesce(c.state in ${statesIn(commandState, 'bad')}, false))`

/** Its days by the calendar of its merchant; each machine goes by its own. */
const today = (now: Date) => sql`(${now}::timestamptz at time zone m.time_zone)::date`
const shownAs = (now: Date) => sql`case
  when b.state <> ${sql.lit(bookingState.initial)} then b.state
  when b.ends_on < ${today(now)} then 'over' when b.starts_on > ${today(now)} then 'coming' else b.state end`

const problem = (name: BookingProblem, holds: RawBuilder<unknown>) => sql`case when ${holds} then ${sql.lit(name)} end`

/** What keeps it from being played, of a booking that should be; `k` are its machines in sight. */
const problems = (now: Date) => sql`case when ${shownAs(now)} <> ${sql.lit(bookingState.initial)} then '[]'::json else
  to_json(array_remove(array[
    ${problem('nowhere', sql`k.machines = 0`)}, ${problem('school', sql`k.school > 0`)},
    ${problem('full', sql`k.full > 0`)}, ${problem('failed', sql`k.failed > 0`)},
    ${problem('notTaken', sql`k.untaken > 0`)}, ${problem(
      'unreviewed',
      sql`exists (select from creative x where x.id = any(b.creative_ids)
        and x.state <> ${stateTo(creativeState, 'approve')})`,
    )}], null)) end`

export function bookingsInSight(ctx: QueryContext): RawBuilder<Booking> {
  const sight = sightOf(ctx.actor)
  const now = ctx.now()
  return sql`
    select b.id, b.merchant_id as "merchantId", m.name as "merchantName", b.name, b.advertiser,
      b.contract_no as "contractNo", ${shownAs(now)} as state, ${problems(now)} as problems,
      to_char(b.starts_on, 'YYYY-MM-DD') as "startsOn", to_char(b.ends_on, 'YYYY-MM-DD') as "endsOn",
      b.from_hour as "fromHour", b.to_hour as "toHour", b.plays_per_hour as "playsPerHour", b.priority,
      k.machines, p.booked as "bookedPlays", p.proven as "provenPlays", b.price_kind as "priceKind",
      b.price_fen as "priceFen", u.display_name as "createdBy", to_json(b.created_at) #>> '{}' as "createdAt"
    from advert_booking b join merchant m on m.id = b.merchant_id left join app_user u on u.id = b.created_by
    cross join lateral (
      select count(*) filter (where a.why is null)::int as machines,
        count(*) filter (where a.why = 'school')::int as school, count(*) filter (where a.why = 'full')::int as full,
        count(*) filter (where a.why is null and ${hasFailed})::int as failed,
        count(*) filter (where a.why is null and not ${isTaken} and not ${hasFailed})::int as untaken
      from advert_at_machine a left join advert_list l on l.machine_id = a.machine_id
      left join device_command c on c.id = l.command_id
      where a.booking_id = b.id and ${machineInSight(sight, sql`a.machine_id`)}) k
    cross join lateral (
      select coalesce(sum(d.booked_plays), 0)::bigint as booked, coalesce(sum(d.plays), 0)::bigint as proven
      from advert_day d where d.booking_id = b.id and ${machineInSight(sight, sql`d.machine_id`)}) p
    where ${merchantInSight(sight, sql`b.merchant_id`)}`
}

type Filter = InputOf<typeof listBookings>
const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  starts: { by: sql`"startsOn"`, type: 'text', newestFirst: true },
}

export function listIn(ctx: QueryContext, { q, state, merchantId, sort }: Filter): Listing<Booking> {
  const where = allOf([
    q && anyHolds([sql`name`, sql`advertiser`, sql`"contractNo"`], q),
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows({ rows: bookingsInSight(ctx), where, order: orders[sort] })
}
