/** Two clocks: the wall's, which people set wrong, and a steady one that only counts. Both in milliseconds. */
export type Clock = { wallMs(): number; steadyMs(): number }

export const systemClock: Clock = { wallMs: () => Date.now(), steadyMs: () => performance.now() }

type Offset = { text: string; ms: number; untilMs: number }

const QUARTER_HOUR_MS = 15 * 60_000
const offsets = new Map<string, Offset>()
const formatters = new Map<string, Intl.DateTimeFormat>()

/** ISO 8601 with the zone's own offset, as the protocol wants times: 2026-05-01T08:30:00.123+08:00. */
export function isoAt(wallMs: number, timeZone: string): string {
  const offset = offsetAt(wallMs, timeZone)
  return new Date(wallMs + offset.ms).toISOString().slice(0, -1) + offset.text
}

/** 0 to 1439, on the wall of that zone. */
export function minuteOfDay(wallMs: number, timeZone: string): number {
  const local = new Date(wallMs + offsetAt(wallMs, timeZone).ms)
  return local.getUTCHours() * 60 + local.getUTCMinutes()
}

/** 0 is Sunday, on the calendar of that zone. */
export const weekdayOf = (wallMs: number, timeZone: string): number =>
  new Date(wallMs + offsetAt(wallMs, timeZone).ms).getUTCDay()

/** Asking Intl is slow and the answer changes twice a year at most, so one is kept for each zone and quarter hour. */
function offsetAt(wallMs: number, timeZone: string): Offset {
  const kept = offsets.get(timeZone)
  if (kept && wallMs < kept.untilMs && wallMs >= kept.untilMs - QUARTER_HOUR_MS) return kept
  const parts = formatterOf(timeZone).formatToParts(wallMs)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(name)
  const minutes = match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0
  const untilMs = (Math.floor(wallMs / QUARTER_HOUR_MS) + 1) * QUARTER_HOUR_MS
  const offset = { text: match ? name.slice(3) : '+00:00', ms: minutes * 60_000, untilMs }
  offsets.set(timeZone, offset)
  return offset
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formatters.get(timeZone)
  if (kept) return kept
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formatters.set(timeZone, made)
  return made
}
