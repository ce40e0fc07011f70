import type { MedicineClass } from '@aisle/contract/catalog/product'
import { unlawfulBecause } from '@aisle/contract/catalog/product'
import { writeOffState } from '@aisle/contract/stock/writeOff'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { grouped } from '../../../kernel/must'
import { stateTo } from '../../../kernel/states'
import { allowedProducts, mayPlace } from '../../fleet/public'
import { isOffered, offeredFen } from '../../medicine/public'
import { EXPIRY_DAYS, FACT_DAYS, type Held, LOSS_DAYS, type Machine, type PriceFor } from './recommend.rules'

type LicenceMode = Parameters<typeof unlawfulBecause>[0]
type MachineRow = Omit<Machine, 'held' | 'coming'> & { licenceMode: LicenceMode; coming: number[] }
type HeldRow = Held & { machineId: number }
export type Known = Machine & { licenceMode: LicenceMode }

/** Fills are looked for so far back, to tell a product that was there before from a new one. */
const FILL_DAYS = 90

/** Machines that work and sell, each with what it sold on its calendar's last four weeks, or since it first did. */
const working = (now: Date) => sql`
  working as materialized (
    select a.id, a.merchant_id, a.point_id, a.licence_mode, t.today, d.first_day, d.paid_fen,
      (d.first_day::timestamp at time zone a.time_zone) as begins
    from machine a cross join lateral (select (${now}::timestamptz at time zone a.time_zone)::date as today) t
    cross join lateral (select min(r.business_day) as first_day, sum(r.paid_fen) as paid_fen
      from rollup_day_machine r where r.machine_id = a.id
        and r.business_day >= t.today - ${sql.lit(FACT_DAYS)} and r.business_day < t.today) d
    where a.retired_at is null and a.operation = 'in_operation' and d.first_day is not null)`

/** Every machine and what it holds, by a few statements over all of them. */
export async function findMachines(db: Reader, now: Date): Promise<Known[]> {
  const found = await sql<MachineRow>`with ${working(now)},
    free as (
      select s.machine_id, coalesce(json_agg(s.id order by s.layer, s.position)
          filter (where s.product_id is null and s.next_product_id is null and not s.is_locked), '[]') as slots,
        coalesce(json_agg(s.next_product_id) filter (where s.next_product_id is not null), '[]') as coming
      from slot s where s.machine_id is not null and (s.product_id is null or s.next_product_id is not null)
      group by 1)
    select w.id, w.merchant_id as "merchantId", to_json(m.path) as path, p.kind as "placeKind",
      w.licence_mode as "licenceMode", w.today - w.first_day as days,
      w.paid_fen::bigint as "salesFen", coalesce(f.slots, '[]') as "emptySlots",
      coalesce(f.coming, '[]') as coming
    from working w join merchant m on m.id = w.merchant_id join point p on p.id = w.point_id
    left join free f on f.machine_id = w.id order by w.id`.execute(db)
  const held = grouped(await findHeld(db, now), ({ machineId }) => machineId)
  return found.rows.map((row) => ({ ...row, coming: new Set(row.coming), held: held.get(row.id) ?? [] }))
}

async function findHeld(db: Reader, now: Date): Promise<HeldRow[]> {
  const found = await sql<HeldRow>`with ${working(now)},
    here as materialized (
      select s.id, w.id as machine_id, s.product_id, s.place_id, s.price_fen, w.begins, w.today,
        s.next_product_id is null and not s.is_locked and s.choice = 'none' as is_free,
        coalesce(l.quantity, 0) as stock, y.since, y.expiring,
        y.since < w.begins or exists (select from stock_move v where v.to_place_id = s.place_id
          and v.product_id = s.product_id and v.moved_at < w.begins
          and v.moved_at >= w.begins - make_interval(days => ${sql.lit(FILL_DAYS)})) as is_settled,
        coalesce((select sum(extract(epoch from least(coalesce(o.ended_at, ${now}::timestamptz), ${now}::timestamptz)
            - greatest(o.began_at, w.begins))) / 86400
          from stock_out o where o.place_id = s.place_id and o.product_id = s.product_id
            and o.began_at < ${now}::timestamptz and (o.ended_at is null or o.ended_at > w.begins)), 0) as out_days
      from working w join slot s on s.machine_id = w.id
      left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      left join lateral (select min(y.filled_at) as since,
          coalesce(sum(y.quantity) filter (where b.expires_on < w.today + ${sql.lit(EXPIRY_DAYS)}), 0) as expiring
        from slot_layer y left join medicine_batch b on b.product_id = y.product_id and b.number = y.batch
        where y.place_id = s.place_id and y.product_id = s.product_id) y on true
      where s.product_id is not null),
    sold as materialized (
      select r.machine_id, r.product_id, sum(r.quantity - r.refunded_quantity) as pieces,
        sum(r.paid_fen - r.refunded_fen - r.cost_fen + r.refunded_cost_fen) as margin_fen
      from working w join rollup_day_machine_product r on r.machine_id = w.id
        and r.business_day >= w.first_day and r.business_day < w.today
      group by 1, 2),
    lost as materialized (
      select h.machine_id, o.product_id, sum(o.cost_fen) as fen from write_off o
      join here h on h.place_id = o.place_id and h.product_id = o.product_id
      where o.why = 'expired' and o.state = ${stateTo(writeOffState, 'approve')}
        and o.decided_at >= ${now}::timestamptz - make_interval(days => ${sql.lit(LOSS_DAYS)})
      group by 1, 2)
    select h.machine_id as "machineId", h.product_id as "productId", h.slots, h.slot_id as "slotId",
      h.price_fen as "priceFen", coalesce(d.pieces, 0)::int as pieces,
      coalesce(d.margin_fen, 0)::bigint as "marginFen", h.out_days::float8 as "outDays",
      coalesce(x.fen, 0)::bigint as "lossFen", h.expiring::int as "expiringPieces", p.cost_fen as "costFen",
      to_char(h.since, 'YYYY-MM-DD') as "stoodSince", h.is_settled as "isSettled", h.is_old as "isOld"
    from (
      select machine_id, product_id, count(*)::int as slots, max(price_fen) as price_fen, sum(out_days) as out_days,
        sum(expiring) as expiring, min(since) as since, coalesce(bool_and(is_settled), false) as is_settled,
        coalesce(min(since) < min(begins), false) as is_old,
        (array_agg(id order by stock, id) filter (where is_free))[1] as slot_id
      from here group by 1, 2) h
    join product p on p.id = h.product_id and not p.is_unknown
    left join sold d on d.machine_id = h.machine_id and d.product_id = h.product_id
    left join lost x on x.machine_id = h.machine_id and x.product_id = h.product_id
    order by h.machine_id, h.product_id`.execute(db)
  return found.rows
}

type Offer = { merchantId: number; productId: number; medicineClass: MedicineClass | null; priceFen: number }

/** What each machine's merchant sells at all: its own and what those above it offer, online. */
async function findOffers(db: Reader, merchantIds: readonly number[], productIds: readonly number[]) {
  const found = await sql<Offer>`select c.id as "merchantId", p.id as "productId", p.medicine_class as "medicineClass",
      coalesce(${offeredFen(sql`c.path`, sql`p.id`)}, p.price_fen) as "priceFen"
    from merchant c join product p on p.merchant_id = any(c.path)
    where c.id = any(${[...merchantIds]}::bigint[]) and p.id = any(${[...productIds]}::bigint[])
      and p.state = 'online' and not p.is_unknown and p.price_fen > 0
      and ${isOffered(sql`c.path`, sql`p.id`)}`.execute(db)
  return new Map(found.rows.map((offer) => [`${offer.merchantId}/${offer.productId}`, offer]))
}

/** For each machine what a product would cost there; null where it may not stand, or was turned down lately. */
export async function pricesFor(
  db: Reader,
  machines: readonly Known[],
  turnedDown: ReadonlySet<string>,
): Promise<(machine: Known) => PriceFor> {
  const products = new Set(machines.flatMap(({ held }) => held.map(({ productId }) => productId)))
  const merchants = new Set(machines.map(({ merchantId }) => merchantId))
  const offers = await findOffers(db, [...merchants], [...products])
  const allowed = await allowedProducts(
    db,
    machines.map(({ id }) => id),
  )
  return ({ id, merchantId, licenceMode }) =>
    (productId) => {
      const offer = offers.get(`${merchantId}/${productId}`)
      if (!offer || turnedDown.has(`${id}/${productId}`)) return null
      if (unlawfulBecause(licenceMode, offer.medicineClass) !== null) return null
      return mayPlace(allowed.get(id), productId) ? offer.priceFen : null
    }
}
