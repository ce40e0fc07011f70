import { catalogs } from '@aisle/contract/catalogs'
import { MOST_SHEET_ROWS } from '@aisle/contract/kernel/sheet'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { writeXlsx } from 'hucre/xlsx'
import { refuse } from '../refuse'
import { word } from '../words'
import { tableIn } from './tableIn'

type Catalog = keyof typeof catalogs.zh

/** What a sheet of an import looks like. */
export type SheetForm = {
  /** The catalog with the words of its columns. */
  domain: Catalog
  /** The key of a column's word. */
  wordOf: (column: string) => string
  /** In its order, what names a row first. */
  columns: readonly string[]
  /** Those that a sheet can't lack. */
  needed: readonly string[]
  /** Of the template's file. */
  file: string
  /** Keys of the titles of its pages: the rows, and what may stand in them (`sheet.<column>.help`). */
  titles: { rows: string; rules?: string }
}

/** A row as typed, under the columns' names; `row` as the sheet counts. */
export type SheetRow = { row: number; cells: Readonly<Record<string, string>> }

/** @throws Refusal for what is neither xlsx nor csv, too long, or without our columns */
export async function readSheet(
  form: SheetForm,
  base64: string,
  reader: { userId: number; language: Language },
): Promise<SheetRow[]> {
  const [head = [], ...lines] = await tableIn(base64, MOST_SHEET_ROWS, reader.userId, 'sheet.unreadable')
  const known = headingsOf(form)
  const names = head.map((text) => known.get(text.replace(/[*\s]+$/, '').toLowerCase()) ?? null)
  const missing = form.needed.filter((each) => !names.includes(each))
  if (missing.length > 0) {
    const columns = missing.map((each) => word(reader.language, form.domain, form.wordOf(each)))
    refuse('sheet.columns', { columns: columns.join(' · ') })
  }
  const rows = lines
    .map((cells, at) => ({ row: at + 2, cells: cellsOf(names, cells) }))
    .filter(({ cells }) => Object.values(cells).some((text) => text !== ''))
  if (rows.length === 0) refuse('sheet.empty')
  if (rows.length > MOST_SHEET_ROWS) refuse('sheet.tooMany', { most: MOST_SHEET_ROWS })
  return rows
}

function cellsOf(names: readonly (string | null)[], cells: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [at, name] of names.entries()) if (name) named[name] = (cells[at] ?? '').trim()
  return named
}

const textsOf = (language: Language, domain: Catalog): Record<string, string> => catalogs[language][domain]

/** By its name, or by its words in any of the languages, so that a sheet made elsewhere is read here. */
const headingsOf = (form: SheetForm): Map<string, string> =>
  new Map(
    form.columns.flatMap((name) => [
      [name.toLowerCase(), name] as const,
      ...languages.map((each) => {
        const said = textsOf(each, form.domain)[form.wordOf(name)] ?? name
        return [said.toLowerCase(), name] as const
      }),
    ]),
  )

/**
 * Reads an enumerated cell: the value itself, or its word in any of the languages. Made once for each list, since a
 * sheet asks for thousands of cells.
 */
export function valueReader(
  domain: Catalog,
  words: string,
  values: readonly string[],
): (typed: string) => string | null {
  const known = new Map<string, string>()
  // What stands first in the list wins where two are worded the same.
  for (const value of values.toReversed()) {
    for (const each of languages) {
      const said = textsOf(each, domain)[`${words}.${value}`] ?? value
      known.set(said.toLowerCase(), value)
    }
    known.set(value, value)
  }
  return (typed) => known.get(typed.toLowerCase()) ?? null
}

/** A sheet to fill in, in the caller's language, with a second page that says what may stand in it. */
export async function templateOf(
  form: SheetForm,
  language: Language,
  example?: Readonly<Record<string, string>>,
): Promise<{ name: string; dataBase64: string }> {
  const t = (key: string) => word(language, form.domain, key)
  const { columns, needed, titles } = form
  const head = columns.map((each) => t(form.wordOf(each)) + (needed.includes(each) ? ' *' : ''))
  const rows = example ? [head, columns.map((name) => example[name] ?? '')] : [head]
  const said = columns.map((name, at) => [head[at] ?? '', titles.rules ? t(`sheet.${name}.help`) : ''])
  const book = await writeXlsx({
    sheets: [
      { name: t(titles.rows), rows, columns: head.map(() => ({ width: 20 })), freezePane: { rows: 1 } },
      ...(titles.rules ? [{ name: t(titles.rules), rows: said, columns: [{ width: 20 }, { width: 80 }] }] : []),
    ],
  })
  return { name: form.file, dataBase64: Buffer.from(book).toString('base64') }
}
