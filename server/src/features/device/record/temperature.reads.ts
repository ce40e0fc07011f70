import type { getTemperatures } from '@aisle/contract/device/temperature'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { addDays, daysBetween } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import { isHeldForTemperature } from '../../fleet/public'
import { faultOf, type Limits, SILENCE_MS } from './temperature.rules'
import { findChain } from './temperature.store'

type Answer = OutputOf<typeof getTemperatures>
export type Thermal = { id: number; timeZone: string } & Limits
/** So many that a day keeps each of its minutes. */
const MOST_POINTS = 1440

export async function findThermal(db: Reader, machineId: number): Promise<Thermal> {
  const found = await sql<Thermal>`select id, time_zone as "timeZone", temperature_min_c as "minC",
    temperature_max_c as "maxC" from machine where id = ${machineId}`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error(`machine ${machineId} is gone`)
  return row
}

/** @param period business days of the machine, both included */
export async function findTemperatures(
  db: Reader,
  machine: Thermal,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<Answer> {
  const spanMs = spanOf(from, to)
  return {
    from,
    to,
    minC: machine.minC,
    maxC: machine.maxC,
    spanMs,
    points: await findPoints(db, machine, { from, to }, spanMs),
    silences: await findSilences(db, machine, { from, to }, now),
    days: await findDays(db, machine.id, { from, to }),
    heldSlots: await findHeldSlots(db, machine.id),
  }
}

/** In whole minutes. */
function spanOf(from: string, to: string): number {
  const days = daysBetween(from, to) + 1
  return Math.max(1, Math.ceil((days * 1440) / MOST_POINTS)) * 60_000
}

type Period = { from: string; to: string }
/** Records of these days; the day is the truth, the instants only let PostgreSQL leave out other months. */
const within = (machineId: number, { from, to }: Period) => sql`machine_id = ${machineId}
  and day between ${from}::date and ${to}::date
  and at between ${from}::date - interval '2 days' and ${to}::date + interval '3 days'`

async function findPoints(db: Reader, machine: Thermal, period: Period, spanMs: number): Promise<Answer['points']> {
  const found = await sql<Omit<Answer['points'][number], 'at'> & { at: Date }>`
    select date_bin(${`${spanMs} milliseconds`}::interval, at, 'epoch') as at, probe,
      round(avg(celsius_tenths)) / 10.0::float8 as celsius, min(celsius_tenths) / 10.0::float8 as lowest,
      max(celsius_tenths) / 10.0::float8 as highest
    from temperature_record where ${within(machine.id, period)} group by 1, 2 order by 1, 2`.execute(db)
  return found.rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** The last record of today may be followed by one that is still to come: it is silent only once it is too late. */
async function findSilences(db: Reader, machine: Thermal, period: Period, now: Date): Promise<Answer['silences']> {
  const midnight = sql`${addDays(period.to, 1)}::date::timestamp at time zone ${machine.timeZone}`
  const end = sql`least(${now}::timestamptz, ${midnight})`
  const inRange = sql`celsius_tenths between coalesce(${machine.minC}::real, -1000) * 10
    and coalesce(${machine.maxC}::real, 1000) * 10`
  const found = await sql<{ from: Date; to: Date }>`
    select at as from, next_at as to from (
      select at, coalesce(lead(at) over (order by at), ${end}) as next_at,
        case when ${inRange} then ${SILENCE_MS.inRange}::int else ${SILENCE_MS.outOfRange}::int end as longest_ms
      from temperature_record where ${within(machine.id, period)}) seen
    where next_at - at > longest_ms * interval '1 millisecond' order by at limit 200`.execute(db)
  return found.rows.map((row) => ({ from: row.from.toISOString(), to: row.to.toISOString() }))
}

type DayRow = Omit<Answer['days'][number], 'isWhole' | 'signedAt'> & { lastHash: Buffer; signedAt: Date | null }

async function findDays(db: Reader, machineId: number, { from, to }: Period): Promise<Answer['days']> {
  const found = await sql<DayRow>`
    select to_char(d.day, 'YYYY-MM-DD') as day, d.records, d.lowest_tenths / 10.0::float8 as "lowestC",
      d.highest_tenths / 10.0::float8 as "highestC", u.display_name as "signedBy", d.signed_at as "signedAt",
      case when d.signed_records is null then 0 else d.records - d.signed_records end as "addedSince",
      d.last_hash as "lastHash"
    from temperature_day d left join app_user u on u.id = d.signed_by
    where d.machine_id = ${machineId} and d.day between ${from}::date and ${to}::date order by d.day desc`.execute(db)
  const days: Answer['days'] = []
  for (const { lastHash, signedAt, ...row } of found.rows) {
    const isWhole = await isChainWhole(db, machineId, { ...row, lastHash })
    days.push({ ...row, isWhole, signedAt: signedAt?.toISOString() ?? null })
  }
  return days
}

export async function isChainWhole(
  db: Reader,
  machineId: number,
  end: { day: string; records: number; lastHash: Buffer },
): Promise<boolean> {
  return faultOf(await findChain(db, machineId, end.day), end) === null
}

async function findHeldSlots(db: Reader, machineId: number): Promise<string[]> {
  const found = await sql<{ code: string }>`
    select code from slot where machine_id = ${machineId} and ${isHeldForTemperature}
    order by layer, position`.execute(db)
  return found.rows.map(({ code }) => code)
}

/** It is too warm or too cold still, or was when the machine was last heard. */
export async function isStillOut(db: Reader, machineId: number): Promise<boolean> {
  const lasting = await sql`select 1 from alarm where machine_id = ${machineId} and cause = 'temperature'
      and state <> 'closed'
    union all select 1 from machine_state where machine_id = ${machineId}
      and (temperature_c < temperature_min_c or temperature_c > temperature_max_c)`.execute(db)
  return lasting.rows.length > 0
}
