/**
 * When a condition is an alarm and when it has ended. Pure: what is measured, whether the alarm is open, and since when
 * the condition has been waiting to last long enough.
 */
export type Verdict =
  /** It is an alarm now. */
  | 'raise'
  /** It has begun and has to last before it is one. */
  | 'wait'
  /** It was waiting and is over, or has ended. */
  | 'clear'
  /** Nothing to say: it stays as it is. */
  | 'keep'

const MINUTE_MS = 60_000

/** A condition that holds or doesn't, and has to last. @param waitingMs null: it has not begun */
export function lasting(
  isTrue: boolean,
  { isOpen, waitingMs, delayMs }: { isOpen: boolean; waitingMs: number | null; delayMs: number },
): Verdict {
  if (!isTrue) return isOpen || waitingMs !== null ? 'clear' : 'keep'
  if (isOpen || delayMs === 0) return 'raise'
  return waitingMs !== null && waitingMs >= delayMs ? 'raise' : 'wait'
}

export type Limits = { min: number | null; max: number | null }

/** °C that a cabinet has to be back inside its limits before it counts as well: the allowed error of a probe (GSP). */
export const TEMPERATURE_BAND_C = 0.5
/** The same for the air's moisture, in % RH. */
export const HUMIDITY_BAND = 2
/** What is not a medicine cabinet may be open for filling this long. */
export const TEMPERATURE_DELAY_MS = 10 * MINUTE_MS

/**
 * Outside its limits, or still within the band inside them while the alarm is open: a value that trembles about a
 * limit opens one alarm and not a hundred.
 */
export function isOutside(value: number, { min, max }: Limits, isOpen: boolean, band: number): boolean {
  const inside = isOpen ? band : 0
  // A range narrower than two bands could never be reached again.
  const width = min !== null && max !== null ? Math.max(0, (max - min) / 2 - 0.01) : inside
  const margin = Math.min(inside, width)
  return (min !== null && value < min + margin) || (max !== null && value > max - margin)
}

/** A medicine cabinet has no time to lose (GSP: on reaching a limit). */
export const temperatureDelayMs = (isMedicine: boolean): number => (isMedicine ? 0 : TEMPERATURE_DELAY_MS)

/** Five minutes off is an alarm (device protocol, 3.2); it has ended below three. */
export const isClockOff = (skewMs: number, isOpen: boolean): boolean => Math.abs(skewMs) > (isOpen ? 3 : 5) * MINUTE_MS

/** Heartbeats missed are forgiven as long as the merchant has set; the next message of any kind ends it. */
export const isSilent = (silentMs: number, limitMinutes: number): boolean => silentMs > limitMinutes * MINUTE_MS

/** Of the last vends of a slot, newest first: three of ten failed, or two one after the other without one between. */
export const REPEATED = { failed: 3, of: 10 }

export function isFailingRepeatedly(vends: readonly boolean[], isOpen: boolean): boolean {
  const last = vends.slice(0, REPEATED.of)
  const failed = last.filter((isGood) => !isGood).length
  // Three good ones in a row prove a repair, whatever came before.
  if (isOpen) return !last.slice(0, 3).every(Boolean) || last.length < 3
  return failed >= REPEATED.failed && last[0] === false
}

/** Motor 102 and 103 and a drop that nobody saw: something stands in the way (device protocol, 3.3). */
export const isJam = (vend: {
  ok: boolean
  motorCode?: string | undefined
  sensorCode?: string | undefined
}): boolean => !vend.ok && (['102', '103'].includes(vend.motorCode ?? '') || vend.sensorCode === '03')

/** Orders that would usually have come since the last one: beyond it, silence is no chance (one in three thousand). */
export const MISSED_ORDERS = 8

export const isSilentInSales = (sold: { expected: number; silentHours: number }, fromHours: number): boolean =>
  sold.silentHours >= fromHours && sold.expected >= MISSED_ORDERS

/** Attempts to pay, or commands, that failed one after the other, without one that went well between. */
export const IN_A_ROW = 3
/** Hours that what is left of a product usually lasts, below which it is sold out before the next day's round. */
export const SOON_SOLD_OUT_HOURS = 12
