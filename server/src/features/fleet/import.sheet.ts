import { catalogs } from '@aisle/contract/catalogs'
import { importColumns, importNames, MOST_IMPORTED } from '@aisle/contract/fleet/machineImport'
import { languages } from '@aisle/contract/kernel/text'
import { parseCsv } from 'hucre/csv'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import type { Language } from '@aisle/contract/kernel/text'

/** A row as typed, under the columns' names; `row` as the sheet counts. */
export type SheetRow = { row: number; cells: Readonly<Record<string, string>> }

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')
/** A workbook may unfold to far more than it weighs: this many cells are looked at, whatever it says of itself. */
const MOST_COLUMNS = 40

/** xlsx or csv, told apart by the first bytes. @throws Refusal for what is neither, too long, or without our columns */
export async function readSheet(base64: string, language: Language): Promise<SheetRow[]> {
  const [head = [], ...lines] = await tableIn(base64, 'machineImport.unreadable')
  const names = head.slice(0, MOST_COLUMNS).map(nameOfHeading)
  const missing = importColumns.filter((each) => !each.endsWith('?') && !names.includes(each))
  const wordsOf = (wanted: readonly string[]) =>
    wanted.map((each) => word(language, 'fleet', `sheet.${each}`)).join(' · ')
  if (missing.length > 0) refuse('machineImport.columns', { columns: wordsOf(missing) })
  const rows = lines
    .map((cells, at) => ({ row: at + 2, cells: cellsOf(names, cells) }))
    .filter(({ cells }) => Object.values(cells).some((text) => text !== ''))
  if (rows.length === 0) refuse('machineImport.empty')
  if (rows.length > MOST_IMPORTED) refuse('machineImport.tooMany', { most: MOST_IMPORTED })
  return rows
}

/** Rows of cells as typed, the heading first. @param unreadable the refusal of what is neither xlsx nor csv */
export function tableIn(base64: string, unreadable: string): Promise<string[][]> {
  const bytes = Buffer.from(base64, 'base64')
  const isZip = bytes.subarray(0, 4).equals(ZIP)
  return (isZip ? tableOfXlsx(bytes) : tableOfCsv(bytes)).catch(() => refuse(unreadable))
}

const cellsOf = (names: readonly (string | null)[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name, at) => (name ? [[name, (cells[at] ?? '').trim()]] : [])))

async function tableOfXlsx(bytes: Buffer): Promise<string[][]> {
  const book = await readXlsx(bytes, { maxRows: MOST_IMPORTED + 2 })
  return (book.sheets[0]?.rows ?? []).map((row) => row.slice(0, MOST_COLUMNS).map(textOfCell))
}

async function tableOfCsv(bytes: Buffer): Promise<string[][]> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  return parseCsv(text.replace(/^\ufeff/, '')).map((row) => row.slice(0, MOST_COLUMNS).map(textOfCell))
}

function textOfCell(cell: unknown): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell === 'string') return cell.replace(/^'(?=[=+\-@])/, '')
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : ''
}

/** By its name, or by its words in any of the languages, so that a sheet made elsewhere is read here. */
const headings = new Map<string, string>(
  importNames.flatMap((name) => [
    [name.toLowerCase(), name] as const,
    ...languages.map((each) => {
      const texts: Record<string, string> = catalogs[each].fleet
      return [(texts[`sheet.${name}`] ?? name).toLowerCase(), name] as const
    }),
  ]),
)
const nameOfHeading = (text: string): string | null => headings.get(text.replace(/[*\s]+$/, '').toLowerCase()) ?? null

/** What stands in an enumerated cell: the value itself, or its word in any of the languages. */
export function valueOf(words: string, values: readonly string[], typed: string): string | null {
  const wanted = typed.toLowerCase()
  const found = values.find(
    (value) =>
      value === wanted ||
      languages.some((each) => {
        const texts: Record<string, string> = catalogs[each].fleet
        return texts[`${words}.${value}`]?.toLowerCase() === wanted
      }),
  )
  return found ?? null
}

/** An empty sheet in the caller's language, with a second one that says what may stand in it. */
export async function writeTemplate(language: Language): Promise<Uint8Array> {
  const t = (key: string) => word(language, 'fleet', key)
  const head = importColumns.map((each) => t(`sheet.${each.replace('?', '')}`) + (each.endsWith('?') ? '' : ' *'))
  return writeXlsx({
    sheets: [
      { name: t('import.sheet'), rows: [head], columns: head.map(() => ({ width: 18 })), freezePane: { rows: 1 } },
      {
        name: t('import.rules'),
        rows: importNames.map((name, at) => [head[at] ?? '', t(`sheet.${name}.help`)]),
        columns: [{ width: 18 }, { width: 80 }],
      },
    ],
  })
}
