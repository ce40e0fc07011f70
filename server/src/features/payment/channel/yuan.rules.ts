/** Some channels speak yuan with two decimals. Converted here, once, and never through a float. */
export function toYuan(fen: number): string {
  if (!Number.isSafeInteger(fen) || fen < 0) throw new RangeError(`not an amount of fen: ${fen}`)
  const digits = String(fen).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** @returns null for what is no amount of yuan with at most two decimals; a sign and a leading back-tick are read */
export function fromYuan(text: string): number | null {
  const found = /^`?([+-]?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!found) return null
  const [, sign, whole = '', part = ''] = found
  const fen = Number(whole + part.padEnd(2, '0'))
  return sign === '-' && fen > 0 ? -fen : fen
}
