/** Yuan as a person types them, `12`, `12.5`, `1,234.50` → fen; null when it is no amount. Never through a float. */
export function fenOf(typed: string): number | null {
  const match = /^(-?)(\d{1,12})(?:[.。](\d{0,2}))?$/.exec(typed.trim().replace(/[,，\s¥￥]/g, ''))
  if (!match) return null
  const [, sign, yuan = '0', part = ''] = match
  const fen = Number(yuan) * 100 + Number(part.padEnd(2, '0'))
  return sign && fen !== 0 ? -fen : fen
}

/** The other way, as it stands in the input: `12.50`. */
export function yuanText(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0')
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A number as typed; null when it is none. Commas that group digits are understood. */
export function numberOf(typed: string): number | null {
  const text = typed.trim().replace(/[,，\s%]/g, '')
  return /^-?\d{1,15}(\.\d{1,8})?$/.test(text) ? Number(text) : null
}
