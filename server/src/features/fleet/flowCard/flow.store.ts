import { FLOW_CARD_WARNS_DAYS } from '@aisle/contract/fleet/flowCard'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader, Tx } from '../../../kernel/context'

/** What a machine's modem says to have carried since it began to count. */
export type FlowReading = { machineId: number; at: Date; usedMb: number }

/**
 * Counters become use, a day and a month of the card that is in the machine: what a counter grew by, or all of it when
 * it is lower than before, since then it has begun anew. The first reading of a card in a machine is where it starts.
 * The machine's row is held by whoever marks it seen, so two batches never count the same growth.
 */
export async function takeFlow(tx: Tx, readings: readonly FlowReading[]): Promise<void> {
  if (readings.length === 0) return
  const last = new Map(readings.map((each) => [each.machineId, each]))
  const said = [...last.values()].map(({ machineId, at, usedMb }) => ({
    machineId,
    at,
    kb: Math.round(usedMb * 1024),
  }))
  await sql`
    with told as (
      select f.id, s.machine_id, s.at, s.kb, (s.at at time zone m.time_zone)::date as day,
        case when c.machine_id is distinct from s.machine_id then 0 when s.kb >= c.counter_kb then s.kb - c.counter_kb
          else s.kb end as used
      from ${rows('s', said, { machineId: 'bigint', at: 'timestamptz', kb: 'bigint' })}
      join flow_card f on f.machine_id = s.machine_id join machine m on m.id = s.machine_id
      left join flow_counter c on c.card_id = f.id
      where c.card_id is null or c.machine_id <> s.machine_id or (c.counter_kb <> s.kb and c.at <= s.at)
      order by f.id
    ), counted as (
      insert into flow_counter (card_id, machine_id, counter_kb, at) select id, machine_id, kb, at from told
      on conflict (card_id) do update set machine_id = excluded.machine_id, counter_kb = excluded.counter_kb,
        at = excluded.at
    ), daily as (
      insert into flow_day as d (card_id, day, used_kb) select id, day, used from told where used > 0
      on conflict (card_id, day) do update set used_kb = d.used_kb + excluded.used_kb
    )
    insert into flow_month as m (card_id, month, used_kb)
    select id, date_trunc('month', day)::date, used from told where used > 0
    on conflict (card_id, month) do update set used_kb = m.used_kb + excluded.used_kb`.execute(tx)
}

/** The day on which cards expire and months begin, for lists and alarms. */
export const flowDay = (now: Date): string => businessTime(now, PLATFORM_TIME_ZONE).day
export const flowMonth = (now: Date): string => `${flowDay(now).slice(0, 7)}-01`

/** A card's own limit, else that of its machine `m`; 0: none. */
export const limitMb: RawBuilder<number> = sql<number>`coalesce(nullif(flow_card.alarm_mb, 0), m.flow_alarm_mb, 0)`

/** How a card with its machine `m` and its month `u` is, by contract/fleet/flowCard.ts. */
export const cardState = (now: Date): RawBuilder<string> => sql<string>`case
  when flow_card.expires_on < ${flowDay(now)}::date then 'expired'
  when flow_card.machine_id is not null and ${limitMb} > 0 and coalesce(u.used_kb, 0) >= ${limitMb} * 1024
    then 'over_limit'
  when flow_card.expires_on <= ${addDays(flowDay(now), FLOW_CARD_WARNS_DAYS)}::date then 'expiring'
  when flow_card.machine_id is not null then 'in_use' else 'spare' end`

export type FlowTrouble = {
  machineId: number
  merchantId: number
  cause: 'flow_limit' | 'flow_card_expiry'
  facts: Record<string, string | number>
}

/** What holds now for cards in machines that are not retired. */
export async function flowTroubles(db: Reader, now: Date): Promise<FlowTrouble[]> {
  const today = flowDay(now)
  const found = await sql<FlowTrouble>`
    select m.id as "machineId", m.merchant_id as "merchantId", 'flow_limit' as cause,
      json_build_object('iccid', flow_card.iccid, 'usedMb', u.used_kb / 1024, 'limitMb', ${limitMb}) as facts
    from flow_card join machine m on m.id = flow_card.machine_id and m.retired_at is null
    join flow_month u on u.card_id = flow_card.id and u.month = ${flowMonth(now)}::date
    where ${limitMb} > 0 and u.used_kb >= ${limitMb} * 1024
    union all
    select m.id, m.merchant_id, 'flow_card_expiry', json_build_object('iccid', f.iccid,
      'expiresOn', f.expires_on::text, 'days', f.expires_on - ${today}::date)
    from flow_card f join machine m on m.id = f.machine_id and m.retired_at is null
    where f.expires_on <= ${addDays(today, FLOW_CARD_WARNS_DAYS)}::date order by 1`.execute(db)
  return found.rows
}
