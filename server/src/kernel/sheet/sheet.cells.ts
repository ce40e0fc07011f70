/** Null for none, undefined for what is no day. Slashes and dots are understood. */
export function dayIn(text: string): string | null | undefined {
  if (text === '') return null
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${iso}T00:00:00Z`)
  const isReal = Number(year) > 1900 && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === iso
  return isReal ? iso : undefined
}

/** Yuan as people and spreadsheets write them, in whole fen; undefined for what is no such amount. */
export function fenIn(text: string): number | undefined {
  if (!/^[0-9]{1,9}(\.[0-9]+)?$/.test(text)) return undefined
  const exact = Number(text) * 100
  const fen = Math.round(exact)
  // What a spreadsheet worked out misses by a hair what it shows.
  return Math.abs(exact - fen) < 1e-6 ? fen : undefined
}

/** Several values of one cell. */
export const partsOf = (text: string): string[] => text.split(/[,，;；、\n]/).flatMap((each) => each.trim() || [])
