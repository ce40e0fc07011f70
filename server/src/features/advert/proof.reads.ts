import type { listProof, Proof } from '@aisle/contract/advert/proof'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, anyHolds, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight, sightOf, subtreeOf } from '../../kernel/scope'
import { machineDays } from './booking.detail'

type Filter = InputOf<typeof listProof>
type Sums = { bookedPlays: number; provenPlays: number; offlineHours: number; dueFen: number }

const orders: Record<Filter['sort'], Order> = {
  booking: { by: sql`id`, type: 'bigint', newestFirst: true },
  proven: { by: sql`"provenPlays"`, type: 'bigint', newestFirst: true },
}

/**
 * One row a booking and machine, of what was booked and proved in the days asked for. What is due is summed from whole
 * fen of each machine's days, so that the parts of a period come to what all of it does.
 */
const rowsInSight = (sight: Sight, { from, to, bookingId, merchantId }: Filter): RawBuilder<Proof> => {
  const which = allOf([
    merchantInSight(sight, sql`b.merchant_id`),
    bookingId && sql`b.id = ${bookingId}`,
    merchantId && sql`b.merchant_id in (${subtreeOf(merchantId)})`,
  ])
  const days = allOf([
    sql`d.booking_id = b.id`,
    machineInSight(sight, sql`d.machine_id`),
    from && sql`d.business_day >= ${from}::date`,
    to && sql`d.business_day <= ${to}::date`,
  ])
  return sql`
    select b.id::bigint * 1000000000 + t.machine_id as id, b.name as "bookingName", b.advertiser,
      b.contract_no as "contractNo", m.code as "machineCode", m.name as "machineName", p.name as "pointName",
      to_char(min(t.business_day), 'YYYY-MM-DD') as "firstDay", to_char(max(t.business_day), 'YYYY-MM-DD') as "lastDay",
      count(*)::int as days, sum(t.booked)::bigint as "bookedPlays", sum(t.proven)::bigint as "provenPlays",
      sum(t.offline_hours)::bigint as "offlineHours", b.price_kind as "priceKind",
      sum(advert_due(b.price_kind, b.price_fen, t.booked, t.proven))::bigint as "dueFen"
    from advert_booking b cross join lateral (${machineDays(days)}) t join machine m on m.id = t.machine_id
    join point p on p.id = m.point_id
    where ${which} group by b.id, t.machine_id, m.id, p.id`
}

export function listIn({ actor }: QueryContext, filter: Filter): Listing<Proof, Sums> {
  const { q, machineCode, sort } = filter
  const where = allOf([
    q && anyHolds([sql`"bookingName"`, sql`advertiser`, sql`"contractNo"`], q),
    machineCode && sql`"machineCode" = ${machineCode}`,
  ])
  const sums = summed('bookedPlays', 'provenPlays', 'offlineHours', 'dueFen')
  return listRows({ rows: rowsInSight(sightOf(actor), filter), where, order: orders[sort], sums })
}
