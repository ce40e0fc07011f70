import { sellable } from '@aisle/contract/medicine/batchState'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { isOffline } from '../catalog/public'
import { queueKey, queuesOf } from '../medicine/public'
import { needOf, perHundredDays } from './need.rules'

type Slot = {
  machineId: number
  slotId: number
  placeId: number
  heldId: number | null
  productId: number
  there: number
  capacity: number
  alarm: number
  priceFen: number
  isNewProduct: boolean
  sold: number
  sinceMs: number
  outMs: number
}

/** Slots of these machines that may be sold from, with how they sold while they were not empty. */
const slotsOf = (machineIds: readonly number[], now: Date): RawBuilder<Slot> => sql`
  select m.id as "machineId", s.id as "slotId", s.place_id as "placeId", s.product_id as "heldId",
    p.id as "productId", case when s.next_product_id is null then coalesce(l.quantity, 0) else 0 end as there,
    coalesce(s.next_capacity, s.capacity) as capacity, s.alarm_threshold as alarm,
    coalesce(case when s.next_product_id is null then s.price_fen else s.next_price_fen end, p.price_fen, 0)
      as "priceFen",
    s.next_product_id is not null as "isNewProduct", coalesce(v.sold, 0) as sold,
    (extract(epoch from ${now}::timestamptz - greatest(w.begins, coalesce(f.first_at, w.begins))) * 1000)::float8
      as "sinceMs", coalesce(o.out_ms, 0)::float8 as "outMs"
  from slot s join machine m on m.id = s.machine_id join product p on p.id = coalesce(s.next_product_id, s.product_id)
  cross join (select ${now}::timestamptz - interval '28 days' as begins) w
  left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
  left join lateral (select sum(v.quantity)::int as sold from stock_move v
    where v.from_place_id = s.place_id and v.product_id = p.id and v.cause = 'vend'
      and v.moved_at >= w.begins) v on true
  left join lateral (select min(v.moved_at) as first_at from stock_move v
    where v.to_place_id = s.place_id and v.product_id = p.id
      and v.moved_at >= w.begins - interval '32 days') f on true
  left join lateral (select sum(extract(epoch from
      coalesce(o.ended_at, ${now}::timestamptz) - greatest(o.began_at, w.begins))) * 1000 as out_ms
    from stock_out o where o.place_id = s.place_id and o.product_id = p.id
      and coalesce(o.ended_at, ${now}::timestamptz) > w.begins) o on true
  where m.id = any(${[...machineIds]}::bigint[]) and not s.is_locked and s.fault is null
    and s.choice <> 'stopped_sale' and not ${isOffline}
  order by m.id, s.layer, s.position`

export type NewLine = {
  machineId: number
  slotId: number
  productId: number
  there: number
  capacity: number
  takeOut: number
  bring: number
  reason: string
  perHundredDays: number
  stakeFen: number
}

/** Of these machines, each slot that needs something until the next visit. @param day by which batches are judged */
export async function needsOf(
  db: Reader,
  machineIds: readonly number[],
  { now, day, coverDays }: { now: Date; day: string; coverDays: number },
): Promise<NewLine[]> {
  const { rows: slots } = await slotsOf(machineIds, now).execute(db)
  const queues = await queuesOf(
    db,
    slots.map(({ placeId }) => placeId),
  )
  return slots.flatMap((slot) => {
    const { machineId, slotId, placeId, heldId, productId, capacity, sold, isNewProduct } = slot
    const layers = isNewProduct || heldId === null ? [] : (queues.get(queueKey(placeId, heldId))?.layers ?? [])
    const takeOut = layers.reduce((sum, layer) => sum + (sellable(layer, day, coverDays) ? 0 : layer.quantity), 0)
    const rate = perHundredDays(sold, slot)
    const need = needOf({ ...slot, takeOut, perDay: rate / 100 }, coverDays)
    const there = Math.max(0, slot.there)
    return need ? [{ machineId, slotId, productId, there, capacity, takeOut, perHundredDays: rate, ...need }] : []
  })
}
