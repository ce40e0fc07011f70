const HOUR_MS = 3_600_000
/** The providers' clocks stand in China, which knows no summer time. */
const OFFSET_MS = 8 * HOUR_MS

const shifted = (at: Date): string => new Date(at.getTime() + OFFSET_MS).toISOString()

/** `2026-11-22 12:00:00` */
export const chinaStamp = (at: Date): string => shifted(at).slice(0, 19).replace('T', ' ')
/** `20261122120000` */
export const chinaDigits = (at: Date): string => shifted(at).slice(0, 19).replace(/\D/g, '')
/** `2026-11-22T12:00:00+08:00` */
export const chinaIso = (at: Date): string => `${shifted(at).slice(0, 19)}+08:00`
export const chinaDay = (at: Date): string => shifted(at).slice(0, 10)

/** Reads all three forms. @returns null for anything else */
export function fromChina(text: string): Date | null {
  const digits = text
    .trim()
    .replace(/^`|(\+08:00)$/g, '')
    .replace(/[-:T ]/g, '')
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits)
  if (!found) return null
  const [, year, month, day, hour, minute, second] = found
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`)
  return Number.isNaN(at.getTime()) ? null : at
}

/** UnionPay's day runs from 23:00 to 23:00 (open.unionpay.com, acpAPIId=800): the day that an instant belongs to. */
export const unionPayDay = (at: Date): string => chinaDay(new Date(at.getTime() + HOUR_MS))
