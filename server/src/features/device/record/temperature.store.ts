import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import { chained, faultOf, type Reading } from './temperature.rules'

const dayKey = ({ machineId, day }: { machineId: number; day: string }) => `${machineId}/${day}`
type End = { machineId: number; day: string; records: number; lastHash: Buffer; lowest: number; highest: number }

/** Puts readings at the end of their days' chains, in the order in which they came. */
export async function appendReadings(tx: Tx, readings: readonly Reading[]): Promise<void> {
  if (readings.length === 0) return
  const ends = await lockDays(tx, readings)
  const records = readings.map((reading) => {
    const end = ends.get(dayKey(reading))
    if (!end) throw new Error('a day that was just made is not there')
    end.records += 1
    end.lastHash = chained(end.lastHash, reading)
    end.lowest = Math.min(end.lowest, reading.celsiusTenths)
    end.highest = Math.max(end.highest, reading.celsiusTenths)
    return { ...reading, place: end.records, hash: end.lastHash }
  })
  await sql`insert into temperature_record (merchant_id, machine_id, day, place, at, received_at, msg_id, probe,
      celsius_tenths, humidity_tenths, mode, compressor, hash)
    select * from ${rows('r', records, {
      merchantId: 'bigint',
      machineId: 'bigint',
      day: 'date',
      place: 'int',
      at: 'timestamptz',
      receivedAt: 'timestamptz',
      msgId: 'text',
      probe: 'int',
      celsiusTenths: 'int',
      humidityTenths: 'int',
      mode: 'text',
      compressor: 'boolean',
      hash: 'bytea',
    })}`.execute(tx)
  await sql`update temperature_day d set records = e.records, last_hash = e.last_hash, lowest_tenths = e.lowest,
      highest_tenths = e.highest
    from ${rows('e', [...ends.values()], {
      machineId: 'bigint',
      day: 'date',
      records: 'int',
      lastHash: 'bytea',
      lowest: 'int',
      highest: 'int',
    })} where d.machine_id = e.machine_id and d.day = e.day`.execute(tx)
}

/** In one order for every writer, so that two batches never wait for each other in a ring. */
async function lockDays(tx: Tx, readings: readonly Reading[]): Promise<Map<string, End>> {
  const days = [...new Map(readings.map((each) => [dayKey(each), each])).values()]
    .map(({ machineId, day }) => ({ machineId, day }))
    .sort((a, b) => a.machineId - b.machineId || a.day.localeCompare(b.day))
  const columns = { machineId: 'bigint', day: 'date' } as const
  await sql`insert into temperature_day (machine_id, day, last_hash)
    select machine_id, day, decode(repeat('00', 32), 'hex') from ${rows('d', days, columns)}
    order by machine_id, day on conflict do nothing`.execute(tx)
  const locked = await sql<End>`
    select t.machine_id as "machineId", to_char(t.day, 'YYYY-MM-DD') as day, t.records, t.last_hash as "lastHash",
      coalesce(t.lowest_tenths, 32767) as lowest, coalesce(t.highest_tenths, -32767) as highest
    from temperature_day t join ${rows('d', days, columns)} on d.machine_id = t.machine_id and d.day = t.day
    order by t.machine_id, t.day for update of t`.execute(tx)
  return new Map(locked.rows.map((end) => [dayKey(end), end]))
}

type Kept = Reading & { place: number; hash: Buffer }

/** A day's records in the order of their chain. */
export async function findChain(db: Reader, machineId: number, day: string): Promise<Kept[]> {
  const found = await sql<Kept>`
    select machine_id as "machineId", merchant_id as "merchantId", to_char(day, 'YYYY-MM-DD') as day, place, at,
      received_at as "receivedAt", msg_id as "msgId", probe, celsius_tenths as "celsiusTenths",
      humidity_tenths as "humidityTenths", mode, compressor, hash
    from temperature_record where machine_id = ${machineId} and day = ${day}::date
      and at between ${day}::date - interval '3 days' and ${day}::date + interval '3 days'
    order by place`.execute(db)
  return found.rows
}

/** @returns a line for each day whose record was changed, added to or cut */
export async function brokenDays(db: Reader): Promise<string[]> {
  const days = await sql<{ machineId: number; code: string; day: string; records: number; lastHash: Buffer }>`
    select d.machine_id as "machineId", m.code, to_char(d.day, 'YYYY-MM-DD') as day, d.records,
      d.last_hash as "lastHash"
    from temperature_day d join machine m on m.id = d.machine_id order by d.day, m.code`.execute(db)
  const broken: string[] = []
  for (const { machineId, code, day, records, lastHash } of days.rows) {
    const fault = faultOf(await findChain(db, machineId, day), { records, lastHash })
    if (fault) broken.push(`temperature of ${code} on ${day}: ${fault}`)
  }
  return broken
}

type Day = { day: string; records: number; lastHash: Buffer; signedRecords: number | null }

/** Held: what comes in meanwhile is added behind what its signature speaks of. */
export async function lockDay(tx: Tx, machineId: number, day: string): Promise<Day | undefined> {
  const found = await sql<Day>`select to_char(day, 'YYYY-MM-DD') as day, records, last_hash as "lastHash",
      signed_records as "signedRecords"
    from temperature_day where machine_id = ${machineId} and day = ${day}::date for update`.execute(tx)
  return found.rows[0]
}

type Signature = { day: string; note: string; userId: number; at: Date }

export async function signDay(tx: Tx, machineId: number, { day, note, userId, at }: Signature): Promise<void> {
  await sql`update temperature_day set signed_by = ${userId}, signed_at = ${at}, signed_records = records,
      signed_note = ${note}
    where machine_id = ${machineId} and day = ${day}::date`.execute(tx)
}
