import { createHash } from 'node:crypto'
import { MEASURED_HOLDS_MS } from '@aisle/contract/fleet/states'

/** One measured value, as it goes into the record. */
export type Reading = {
  machineId: number
  merchantId: number
  /** The machine's business day. */
  day: string
  at: Date
  receivedAt: Date
  msgId: string
  probe: number
  celsiusTenths: number
  humidityTenths: number | null
  mode: string
  compressor: boolean | null
}

/** Before the first record of a day. */
export const CHAIN_BEGIN: Buffer = Buffer.alloc(32)

/** The hash of a record: of the one before it and of all that it says, so that none can be changed or left out. */
export function chained(previous: Buffer, reading: Reading): Buffer {
  const { machineId, day, at, receivedAt, msgId, probe, celsiusTenths, humidityTenths, mode, compressor } = reading
  const said = [machineId, day, at.toISOString(), receivedAt.toISOString(), msgId, probe, celsiusTenths]
  const text = JSON.stringify([...said, humidityTenths, mode, compressor])
  return createHash('sha256').update(previous).update(text).digest()
}

/** @returns the place of the first record that does not follow from the one before it; null where all do */
export function brokenAt(records: readonly (Reading & { place: number; hash: Buffer })[]): number | null {
  let previous = CHAIN_BEGIN
  for (const [at, record] of records.entries()) {
    if (record.place !== at + 1 || !chained(previous, record).equals(record.hash)) return at + 1
    previous = record.hash
  }
  return null
}

/** @returns what is wrong with a day's chain whose end was kept apart; null where nothing is */
export function faultOf(
  chain: readonly (Reading & { place: number; hash: Buffer })[],
  end: { records: number; lastHash: Buffer },
): string | null {
  const place = brokenAt(chain)
  if (place !== null) return `broken at record ${place}`
  const isWhole = chain.length === end.records && (chain.at(-1)?.hash.equals(end.lastHash) ?? true)
  return isWhole ? null : `${chain.length} records of ${end.records}`
}

const MINUTE_MS = 60_000
/** Longest time between two records, in range and out of it (GSP, appendix 3), with half a minute for the way. */
export const SILENCE_MS = { inRange: MEASURED_HOLDS_MS, outOfRange: 2.5 * MINUTE_MS }

export type Limits = { minC: number | null; maxC: number | null }
export const isInRange = (tenths: number, { minC, maxC }: Limits): boolean =>
  (minC === null || tenths >= minC * 10) && (maxC === null || tenths <= maxC * 10)

export type Silence = { from: Date; to: Date }

/** Where the record is silent for longer than it may be. @param until the end of the time looked at, or now */
export function silences(
  points: readonly { at: Date; celsiusTenths: number }[],
  limits: Limits,
  until: Date,
): Silence[] {
  return points.flatMap(({ at, celsiusTenths }, i): Silence[] => {
    const next = points[i + 1]?.at ?? until
    const longest = isInRange(celsiusTenths, limits) ? SILENCE_MS.inRange : SILENCE_MS.outOfRange
    return next.getTime() - at.getTime() > longest ? [{ from: at, to: next }] : []
  })
}
