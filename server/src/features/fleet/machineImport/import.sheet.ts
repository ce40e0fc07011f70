import { catalogs } from '@aisle/contract/catalogs'
import { importColumns, importNames, MOST_IMPORTED } from '@aisle/contract/fleet/machineImport'
import { languages } from '@aisle/contract/kernel/text'
import { writeXlsx } from 'hucre/xlsx'
import { refuse } from '../../../kernel/refuse'
import { word } from '../../../kernel/words'
import type { Language } from '@aisle/contract/kernel/text'
import { tableIn } from '../sheet/tableIn'

/** A row as typed, under the columns' names; `row` as the sheet counts. */
export type SheetRow = { row: number; cells: Readonly<Record<string, string>> }

/** @throws Refusal for what is neither xlsx nor csv, too long, or without our columns */
export async function readSheet(base64: string, userId: number, language: Language): Promise<SheetRow[]> {
  const [head = [], ...lines] = await tableIn(base64, MOST_IMPORTED, userId, 'machineImport.unreadable')
  const names = head.map(nameOfHeading)
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

function cellsOf(names: readonly (string | null)[], cells: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [at, name] of names.entries()) if (name) named[name] = (cells[at] ?? '').trim()
  return named
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

/**
 * Reads an enumerated cell: the value itself, or its word in any of the languages. Made once for each list, since a
 * sheet asks for thousands of cells.
 */
export function valueReader(words: string, values: readonly string[]): (typed: string) => string | null {
  const known = new Map<string, string>()
  // What stands first in the list wins where two are worded the same.
  for (const value of values.toReversed()) {
    for (const each of languages) {
      const texts: Record<string, string> = catalogs[each].fleet
      known.set((texts[`${words}.${value}`] ?? value).toLowerCase(), value)
    }
    known.set(value, value)
  }
  return (typed) => known.get(typed.toLowerCase()) ?? null
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
