import type { MessageData } from '@aisle/contract/device/messages'
import { MEASURED_HOLDS_MS } from '@aisle/contract/fleet/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'

export type Sign = { machineId: number; at: Date; bootId: string; seq: number; skewMs: number }

/** The newest sign of life of each machine in the batch; `is_connected` is true again with any message. */
export async function markSeen(tx: Tx, signs: readonly Sign[]): Promise<void> {
  if (signs.length === 0) return
  await sql`update machine_state s set last_seen_at = greatest(s.last_seen_at, c.at), is_connected = true,
      boot_id = c.boot_id, last_seq = c.seq, clock_skew_ms = c.skew_ms
    from ${rows('c', newest(signs), {
      machineId: 'bigint',
      at: 'timestamptz',
      bootId: 'text',
      seq: 'bigint',
      skewMs: 'bigint',
    })}
    where s.machine_id = c.machine_id`.execute(tx)
}

export async function markDisconnected(tx: Tx, machineIds: readonly number[]): Promise<void> {
  if (machineIds.length === 0) return
  await sql`update machine_state set is_connected = false where machine_id = any(${[...machineIds]}::bigint[])`.execute(
    tx,
  )
}

export type Beat = { machineId: number; at: Date; data: MessageData<'heartbeat'> }

/** Of several probes the one that is outside the limits is in sight. A beat without a value leaves the last one. */
export async function markBeats(tx: Tx, beats: readonly Beat[]): Promise<void> {
  if (beats.length === 0) return
  const states = newest(beats).map(({ machineId, at, data }) => ({
    machineId,
    at,
    flowUsedMb: data.flowUsedMb ?? null,
    temperatureC: data.tempNow?.[0] ?? null,
    coldestC: data.tempNow?.length ? Math.min(...data.tempNow) : null,
    warmestC: data.tempNow?.length ? Math.max(...data.tempNow) : null,
    doorOpen: data.doorOpen ?? null,
    lowChange: data.lowChange ?? false,
    appVersion: data.fwApp ?? null,
    boardVersion: data.fwBoard ?? null,
    // Fault codes have no comma: an array of arrays would need equal lengths.
    faults: (data.faults ?? []).join(','),
  }))
  await sql`update machine_state s set beat_at = c.at, flow_used_mb = coalesce(c.flow_used_mb, s.flow_used_mb),
      temperature_c = case when c.temperature_c is null then s.temperature_c
        when c.warmest_c > s.temperature_max_c then c.warmest_c when c.coldest_c < s.temperature_min_c then c.coldest_c
        else c.temperature_c end,
      temperature_at = case when c.temperature_c is null then s.temperature_at else c.at end, door_open = c.door_open,
      low_change = c.low_change, app_version = coalesce(c.app_version, s.app_version),
      board_version = coalesce(c.board_version, s.board_version),
      faults = case when c.faults = '' then '{}' else string_to_array(c.faults, ',') end
    from ${rows('c', states, {
      machineId: 'bigint',
      at: 'timestamptz',
      flowUsedMb: 'real',
      temperatureC: 'real',
      coldestC: 'real',
      warmestC: 'real',
      doorOpen: 'boolean',
      lowChange: 'boolean',
      appVersion: 'text',
      boardVersion: 'text',
      faults: 'text',
    })} where s.machine_id = c.machine_id`.execute(tx)
}

/**
 * What the records of these machines last said, of every probe: the one that is outside the limits is in sight, else
 * the first. What was told too late for now is in the record alone.
 */
export async function markMeasured(tx: Tx, machineIds: readonly number[], now: Date): Promise<void> {
  if (machineIds.length === 0) return
  const since = new Date(now.getTime() - MEASURED_HOLDS_MS)
  await sql`with last as (
      select distinct on (machine_id, probe) machine_id, probe, least(at, ${now}::timestamptz) as at,
        celsius_tenths / 10.0 as celsius, humidity_tenths / 10.0 as humidity
      from temperature_record where machine_id = any(${[...machineIds]}::bigint[]) and at > ${since}
      order by machine_id, probe, temperature_record.at desc, place desc),
    warm as (
      select distinct on (l.machine_id) l.machine_id, l.at, l.celsius from last l
      join machine_state s on s.machine_id = l.machine_id
      order by l.machine_id,
        coalesce(l.celsius < s.temperature_min_c or l.celsius > s.temperature_max_c, false) desc, l.probe),
    moist as (
      select distinct on (machine_id) machine_id, at, humidity from last where humidity is not null
      order by machine_id, probe)
    update machine_state s set temperature_c = w.celsius, temperature_at = w.at,
      humidity = coalesce(m.humidity, s.humidity), humidity_at = coalesce(m.at, s.humidity_at)
    from warm w left join moist m on m.machine_id = w.machine_id where s.machine_id = w.machine_id`.execute(tx)
}

export type Presence = { machineId: number; data: MessageData<'presence'> }

/** How it is connected, as it said when it came on; what it left out stays as it was. */
export async function markPresences(tx: Tx, presences: readonly Presence[]): Promise<void> {
  const told = newest(presences)
    .filter(({ data }) => data.signal !== undefined || data.network !== undefined)
    .map(({ machineId, data }) => ({
      machineId,
      signal: data.signal ?? null,
      network: data.network ?? null,
    }))
  if (told.length === 0) return
  await sql`update machine_state s set signal_dbm = coalesce(c.signal, s.signal_dbm),
      network = coalesce(c.network, s.network)
    from ${rows('c', told, { machineId: 'bigint', signal: 'real', network: 'text' })}
    where s.machine_id = c.machine_id`.execute(tx)
}

export type Snapshot = { machineId: number; at: Date; data: MessageData<'snapshot'> }

/** The machine's own picture of itself: kept whole, and its slots' faults taken over. */
export async function markSnapshots(tx: Tx, snapshots: readonly Snapshot[]): Promise<void> {
  if (snapshots.length === 0) return
  const latest = newest(snapshots)
  const states = latest.map(({ machineId, at, data }) => ({ machineId, at, snapshot: JSON.stringify(data) }))
  await sql`update machine_state s set snapshot = c.snapshot, snapshot_at = c.at
    from ${rows('c', states, { machineId: 'bigint', at: 'timestamptz', snapshot: 'jsonb' })}
    where s.machine_id = c.machine_id`.execute(tx)
  const slots = latest.flatMap(({ machineId, data }) =>
    data.slots.map((slot) => ({
      machineId,
      code: slot.code,
      fault: slot.status === 'fault' ? (slot.motor ?? 'fault') : null,
    })),
  )
  await markSlotFaults(tx, slots)
}

/** @param slots as the machine names them; null is no fault */
export async function markSlotFaults(
  tx: Tx,
  slots: readonly { machineId: number; code: string; fault: string | null }[],
): Promise<void> {
  if (slots.length === 0) return
  const last = [...new Map(slots.map((slot) => [`${slot.machineId}/${slot.code}`, slot])).values()]
  await sql`update slot s set fault = c.fault
    from ${rows('c', last, { machineId: 'bigint', code: 'text', fault: 'text' })}
    where s.machine_id = c.machine_id and s.code = c.code and s.fault is distinct from c.fault`.execute(tx)
}

/** The last of each machine, in the order of their ids: writers that take rows in one order never wait in a ring. */
const newest = <T extends { machineId: number }>(all: readonly T[]): T[] =>
  [...new Map(all.map((each) => [each.machineId, each])).values()].sort((a, b) => a.machineId - b.machineId)
