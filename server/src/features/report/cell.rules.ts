import type { Field } from '@aisle/contract/kernel/field'

export type Cell = string | number | null
export type Words = (key: string) => string

/**
 * A cell that a spreadsheet would take for a formula is text to it after this (attack S5 of the goals: formulas); where
 * people write full width, some take those signs for the same.
 */
export const guarded = (text: string): string => (/^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text)

/**
 * @param words of the list's catalog, for states and yes or no
 * @param timeText an instant as the reader's sheet shows it
 */
export function cellOf(
  value: unknown,
  field: Field | undefined,
  words: Words,
  timeText: (iso: string) => string,
): Cell {
  if (value === null || value === undefined) return null
  switch (field?.kind) {
    case 'money':
      return typeof value === 'number' ? value / 100 : null
    case 'permille':
      return typeof value === 'number' ? value / 10 : null
    case 'count':
    case 'percent':
      return typeof value === 'number' ? value : null
    case 'dateTime':
      return timeText(String(value))
    case 'code':
    case 'text':
      return field.states?.includes(String(value)) ? guarded(words(`${field.words}.${String(value)}`)) : textOf(value)
    case 'state':
      return guarded(words(`${field.words}.${String(value)}`))
    case 'tree':
      return Array.isArray(value) ? guarded(value.join(' / ')) : null
    case 'states':
      return Array.isArray(value) ? guarded(value.map((each) => words(`${field.words}.${each}`)).join(' · ')) : null
    case 'reading':
      return readingOf(value, field.words, words)
    default:
      return textOf(value)
  }
}

/** Of a machine that has been silent since, the last value stands in no sheet as if it were of now. */
function readingOf(reading: unknown, kind: string | undefined, words: Words): Cell {
  if (typeof reading !== 'object' || reading === null || !('value' in reading)) return null
  const { value } = reading
  if (value === null || ('isStale' in reading && reading.isStale === true)) return null
  return kind ? guarded(words(`${kind}.${String(value)}`)) : textOf(value)
}

function textOf(value: unknown): Cell {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? '✓' : ''
  if (typeof value === 'string') return guarded(value)
  return guarded(JSON.stringify(value))
}

/** One line of RFC 4180; amounts with two decimals where the kind is money. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
