import { commandState } from '@aisle/contract/device/commands'
import { alarmNoSalesHours, alarmOfflineMinutes } from '@aisle/contract/system/settings'
import { shippedStockRule } from '@aisle/contract/alarm/stockRule'
import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { shownFen } from '../promotion/public'
import { alarms } from './alarm.store'
import { limitOf } from './watch.store'
import { statesIn } from '../../kernel/states'

type Of = { machineId: number; merchantId: number }

/** Machines that were heard once, not lately, and have no alarm for it. */
export async function findSilent(db: Reader, now: Date): Promise<(Of & { lastSeenAt: Date; limitMinutes: number })[]> {
  const found = await sql<Of & { lastSeenAt: Date; limitMinutes: number }>`
    select m.id as "machineId", m.merchant_id as "merchantId", s.last_seen_at as "lastSeenAt",
      ${limitOf(alarmOfflineMinutes)} as "limitMinutes"
    from machine_state s join machine m on m.id = s.machine_id join merchant c on c.id = m.merchant_id
    where s.last_seen_at < ${new Date(now.getTime() - OFFLINE_AFTER_MS)} and m.retired_at is null
      and not exists (select 1 from alarm a
        where a.machine_id = m.id and a.cause = 'offline' and a.state <> 'closed')`.execute(db)
  return found.rows
}

/** Machines that are heard again though their alarm stayed: a message that came in the same moment. */
export async function findHeard(db: Reader, now: Date): Promise<{ machineId: number }[]> {
  const found = await sql<{ machineId: number }>`select a.machine_id as "machineId"
    from alarm a join machine_state s on s.machine_id = a.machine_id
    where a.cause = 'offline' and a.state <> 'closed' and s.last_seen_at > a.seen_at
      and s.last_seen_at > ${new Date(now.getTime() - OFFLINE_AFTER_MS)}`.execute(db)
  return found.rows
}

/** A retired machine has no alarms, and one that was stopped does not sell because it was stopped. */
export async function closeMeaningless(tx: Tx, now: Date): Promise<void> {
  const meaningless = sql`id in (select a.id from alarm a join machine m on m.id = a.machine_id
    join merchant c on c.id = m.merchant_id where a.state <> 'closed'
      and (m.retired_at is not null or a.cause = 'no_sales' and operation_of(m, c) = 'stopped'))`
  await alarms.moveAll(tx, meaningless, 'close', { closedAt: sql`greatest(opened_at, ${now})` })
}

/** The rule that decides for machine `m` of merchant `c`: columns `empty` and `of_slots`, and its `id`. */
export const stockRuleJoin = sql`
  left join stock_alarm_rule rm on rm.machine_id = m.id
  left join stock_alarm_rule rp on rp.point_id = m.point_id
  left join (
    select distinct on (c.id) c.id as for_merchant, r.id, r.empty, r.of_slots,
      array_position(c.path, r.merchant_id) as depth
    from merchant c join stock_alarm_rule r
      on r.merchant_id = any(c.path) and r.machine_id is null and r.point_id is null
    order by c.id, depth desc) rc on rc.for_merchant = m.merchant_id`
/** Together, since of_slots may be null in a rule that decides. */
export const stockRuleOf = {
  id: sql<number | null>`coalesce(rm.id, rp.id, rc.id)`,
  empty: sql<number>`coalesce(rm.empty, rp.empty, rc.empty, ${shippedStockRule.empty})`,
  ofSlots: sql<number | null>`case when rm.id is not null then rm.of_slots when rp.id is not null then rp.of_slots
    when rc.id is not null then rc.of_slots else ${shippedStockRule.ofSlots}::int end`,
}

export type Stocked = Of & {
  empty: number
  slots: number
  ruleEmpty: number
  ruleOf: number | null
  isOpen: boolean
  /** As the open alarm says it. */
  saidEmpty: number | null
}

/** Machines with an empty slot, or with an alarm for such, and the rule that decides for each. */
export async function findStocked(db: Reader): Promise<Stocked[]> {
  const found = await sql<Stocked>`
    select m.id as "machineId", m.merchant_id as "merchantId", s.empty_slots as empty, s.slot_count as slots,
      ${stockRuleOf.empty} as "ruleEmpty", ${stockRuleOf.ofSlots} as "ruleOf", a.id is not null as "isOpen",
      (a.facts ->> 'empty')::int as "saidEmpty"
    from machine_state s join machine m on m.id = s.machine_id and m.retired_at is null
    left join alarm a on a.machine_id = m.id and a.cause = 'out_of_stock' and a.state <> 'closed'
    ${stockRuleJoin}
    where s.empty_slots > 0 or a.id is not null`.execute(db)
  return found.rows
}

export type Differing = Of & {
  prices: number
  products: number
  /** The first slot of each kind. */
  priceSlot: string | null
  productSlot: string | null
  priceOpen: boolean
  productOpen: boolean
}

/**
 * What machines last said of their slots beside what stands in them here. Only pictures that are new, or have an alarm;
 * a machine that a push is on its way to is not asked.
 */
export async function findDiffering(db: Reader, newSince: Date): Promise<Differing[]> {
  const found = await sql<Differing>`
    with asked as (
      select st.machine_id, m.merchant_id, st.snapshot, coalesce(o.price, false) as price_open,
        coalesce(o.product, false) as product_open
      from machine_state st join machine m on m.id = st.machine_id and m.retired_at is null
      left join (
        select machine_id, bool_or(cause = 'price_differs') as price, bool_or(cause = 'planogram_differs') as product
        from alarm where state <> 'closed' and cause in ('price_differs', 'planogram_differs') group by 1) o
        on o.machine_id = st.machine_id
      where st.snapshot is not null and (st.snapshot_at > ${newSince} or o.machine_id is not null)
        and not exists (select 1 from device_command d where d.machine_id = st.machine_id
          and d.type in ('push_prices', 'push_planogram', 'push_template')
            and d.state in ${statesIn(commandState, 'waiting')}
          and d.expires_at > ${newSince}))
    select a.machine_id as "machineId", a.merchant_id as "merchantId",
      count(*) filter (where d.is_price) as prices, count(*) filter (where d.is_product) as products,
      min(d.code) filter (where d.is_price) as "priceSlot", min(d.code) filter (where d.is_product) as "productSlot",
      a.price_open as "priceOpen", a.product_open as "productOpen"
    from asked a left join lateral (
      select s.code, r.product is distinct from p.code as is_product,
        r.product = p.code and r."priceFen" is distinct from ${shownFen} as is_price
      from jsonb_to_recordset(a.snapshot -> 'slots') as r(code text, product text, "priceFen" bigint)
      join slot s on s.machine_id = a.machine_id and s.code = r.code
      left join product p on p.id = s.product_id) d on true
    group by a.machine_id, a.merchant_id, a.price_open, a.product_open
    having count(*) filter (where d.is_price or d.is_product) > 0 or a.price_open or a.product_open`.execute(db)
  return found.rows
}

export type Unsold = Of & { silentHours: number; expected: number; fromHours: number; lastAt: Date | null }

/**
 * Machines that sell and have not for hours, with the orders that would usually have come since: the machine's weekday
 * × its merchant's share of each hour. At most a day back.
 */
export async function findUnsold(db: Reader, now: Date): Promise<Unsold[]> {
  const found = await sql<Unsold>`
    with sold as (
      select machine_id, max(occurred_at) as at from orders
      where occurred_at > ${now}::timestamptz - interval '24 hours' and occurred_at <= ${now} and paid_fen > 0
      group by 1),
    silent as (
      select m.id, m.merchant_id, m.time_zone, sold.at as last_at, ${limitOf(alarmNoSalesHours)} as from_hours,
        coalesce(sold.at, ${now}::timestamptz - interval '24 hours') as since
      from machine m join merchant c on c.id = m.merchant_id join machine_state s on s.machine_id = m.id
      left join sold on sold.machine_id = m.id
      where m.retired_at is null and operation_of(m, c) <> 'stopped' and s.is_connected
        and s.last_seen_at > ${new Date(now.getTime() - OFFLINE_AFTER_MS)}
        and coalesce(sold.at, '-infinity') < ${now}::timestamptz - interval '1 hour'
        and not exists (select 1 from alarm a
          where a.machine_id = m.id and a.cause = 'no_sales' and a.state <> 'closed'))
    select silent.id as "machineId", silent.merchant_id as "merchantId", silent.from_hours as "fromHours",
      silent.last_at as "lastAt",
      extract(epoch from ${now}::timestamptz - silent.since)::float / 3600 as "silentHours",
      coalesce(sum(u.orders * h.share), 0)::float as expected
    from silent
    cross join lateral (
      select extract(isodow from local)::int as weekday, extract(hour from local)::int as hour
      from generate_series(1, 24) back,
        lateral (select (${now}::timestamptz - back * interval '1 hour') at time zone silent.time_zone as local) l
      where ${now}::timestamptz - back * interval '1 hour' >= silent.since) past
    join usual_day u on u.machine_id = silent.id and u.weekday = past.weekday
    join usual_hour h on h.merchant_id = silent.merchant_id and h.weekday = past.weekday and h.hour = past.hour
    group by 1, 2, 3, 4, 5`.execute(db)
  return found.rows
}
