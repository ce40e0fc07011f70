const OFFSET_MS = 8 * 3_600_000
const shifted = (ms: number) => new Date(ms + OFFSET_MS).toISOString()

export const chinaIso = (ms: number): string => `${shifted(ms).slice(0, 19)}+08:00`
export const chinaStamp = (ms: number): string => shifted(ms).slice(0, 19).replace('T', ' ')
export const chinaDigits = (ms: number): string => shifted(ms).slice(0, 19).replace(/\D/g, '')
export const chinaDay = (ms: number): string => shifted(ms).slice(0, 10)

export function digitsToMs(text: string): number {
  const at = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text.replace(/\D/g, ''))
  return at ? Date.parse(`${at[1]}-${at[2]}-${at[3]}T${at[4]}:${at[5]}:${at[6]}+08:00`) : Number.NaN
}

export const yuan = (fen: number): string => {
  const digits = String(Math.abs(fen)).padStart(3, '0')
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** @returns NaN for what is no amount */
export const fenOf = (text: string): number =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : Number.NaN
