import { itemState } from '@aisle/contract/trade/states'
import type { AlarmCause } from '@aisle/contract/alarm/states'
import { alarmDoorMinutes } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows, valuesOf } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import type { Limits } from './watch.rules'
import { statesIn } from '../../kernel/states'

/** What of a machine is an alarm already, or has begun and waits. */
export type Known = { open: ReadonlyMap<string, Date>; waiting: ReadonlyMap<string, Date> }
export const watchKey = (machineId: number, cause: string, slot: string) => `${machineId}/${cause}/${slot}`

export async function findKnown(db: Reader, machineIds: readonly number[]): Promise<Known> {
  const machines = valuesOf('w', 'id', 'bigint', machineIds)
  const found = await sql<{ machineId: number; cause: string; slot: string; at: Date; isOpen: boolean }>`
    select machine_id as "machineId", cause, slot_code as slot, seen_at as at, true as "isOpen"
    from ${machines} join alarm on machine_id = w.id and state <> 'closed'
    union all
    select machine_id, cause, slot_code, since, false from ${machines} join alarm_pending on machine_id = w.id`.execute(
    db,
  )
  const open = new Map<string, Date>()
  const waiting = new Map<string, Date>()
  for (const { machineId, cause, slot, at, isOpen } of found.rows) {
    ;(isOpen ? open : waiting).set(watchKey(machineId, cause, slot), at)
  }
  return { open, waiting }
}

export type Measured = { temperature: Limits; humidity: Limits; isMedicine: boolean; doorMinutes: number }

/** A whole number that merchant `c` has set, or the nearest above; else what it was shipped with. */
export const limitOf = (setting: { key: string; shipped: number }) => sql<number>`coalesce((
  select (s.value #>> '{}')::int from setting s
  where s.key = ${setting.key} and jsonb_typeof(s.value) = 'number'
    and (s.merchant_id is null or s.merchant_id = any(c.path))
  order by array_position(c.path, s.merchant_id) desc nulls last limit 1), ${setting.shipped})`

/** Whoever keeps medicine, and so a record of its temperature; on `machine m`. */
export const isMedicineCabinet = sql<boolean>`(m.licence_mode <> 'none' or m.category = 'medicine')`

/** What a probe said last. */
export type Probe = { probe: number; celsius: number; humidity: number | null }
/** A probe that has been silent for longer is not waited for. */
const PROBE_HOLDS_MS = 3_600_000

/** Of each machine what its probes last said, by their record. */
export async function findProbes(db: Reader, machineIds: readonly number[], now: Date): Promise<Map<number, Probe[]>> {
  const probes = new Map<number, Probe[]>()
  if (machineIds.length === 0) return probes
  const found = await sql<Probe & { machineId: number }>`
    select distinct on (machine_id, probe) machine_id as "machineId", probe, celsius_tenths / 10.0::float8 as celsius,
      humidity_tenths / 10.0::float8 as humidity
    from temperature_record where machine_id = any(${[...machineIds]}::bigint[])
      and at > ${new Date(now.getTime() - PROBE_HOLDS_MS)}
    order by machine_id, probe, at desc, place desc`.execute(db)
  for (const { machineId, ...probe } of found.rows) probes.set(machineId, [...(probes.get(machineId) ?? []), probe])
  return probes
}

export async function findMeasured(db: Reader, machineIds: readonly number[]): Promise<Map<number, Measured>> {
  if (machineIds.length === 0) return new Map()
  const found = await sql<{
    id: number
    isMedicine: boolean
    doorMinutes: number
    coldest: number | null
    warmest: number | null
    driest: number | null
    wettest: number | null
  }>`select m.id, ${isMedicineCabinet} as "isMedicine",
      ${limitOf(alarmDoorMinutes)} as "doorMinutes", m.temperature_min_c as coldest, m.temperature_max_c as warmest,
      m.humidity_min as driest, m.humidity_max as wettest
    from machine m join merchant c on c.id = m.merchant_id
    where m.id = any(${[...machineIds]}::bigint[])`.execute(db)
  return new Map(
    found.rows.map(({ id, isMedicine, doorMinutes, coldest, warmest, driest, wettest }) => [
      id,
      { isMedicine, doorMinutes, temperature: { min: coldest, max: warmest }, humidity: { min: driest, max: wettest } },
    ]),
  )
}

type SlotOf = { machineId: number; slot: string }

/** Whether the last vends of each slot were good, newest first, of the machine's last two hundred in a week. */
export async function findVends(db: Reader, slots: readonly SlotOf[]): Promise<Map<string, boolean[]>> {
  if (slots.length === 0) return new Map()
  const found = await sql<{ machineId: number; slot: string; vends: boolean[] }>`
    select w.machine_id as "machineId", w.slot,
      coalesce(json_agg(v.is_good order by v.occurred_at desc, v.order_id desc, v.index desc)
        filter (where v.order_id is not null), '[]') as vends
    from (select distinct machine_id, slot from ${rows('w', slots, { machineId: 'bigint', slot: 'text' })}) w
    join slot s on s.machine_id = w.machine_id and s.code = w.slot
    left join lateral (
      select i.occurred_at, i.order_id, i.index, i.state = 'dispensed' as is_good from (
        select merchant_id, occurred_at, id from orders
        where machine_id = w.machine_id and occurred_at > now() - interval '7 days'
        order by occurred_at desc limit 200) o
      join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      where i.slot_id = s.id and i.state in ${statesIn(itemState, 'told')}
      order by i.occurred_at desc limit 20) v on true
    group by w.machine_id, w.slot`.execute(db)
  return new Map(found.rows.map(({ machineId, slot, vends }) => [watchKey(machineId, '', slot), vends]))
}

type Waits = { machineId: number; cause: AlarmCause; slot: string; at: Date }

export async function keepWaiting(tx: Tx, waits: readonly Waits[]): Promise<void> {
  if (waits.length === 0) return
  await sql`insert into alarm_pending (machine_id, cause, slot_code, since)
    select machine_id, cause, slot, at from ${rows('w', waits, {
      machineId: 'bigint',
      cause: 'text',
      slot: 'text',
      at: 'timestamptz',
    })} order by machine_id, cause, slot on conflict do nothing`.execute(tx)
}

export async function forgetWaiting(tx: Tx, over: readonly Omit<Waits, 'at'>[]): Promise<void> {
  if (over.length === 0) return
  await sql`delete from alarm_pending p
    using ${rows('w', over, { machineId: 'bigint', cause: 'text', slot: 'text' })}
    where p.machine_id = w.machine_id and p.cause = w.cause and p.slot_code = w.slot`.execute(tx)
}
