import { type Language, languages } from '../kernel/text'

/** A row of the file that translators work in; a language that is left out is not spoken of. */
export type LanguageRow = { namespace: string; key: string } & Partial<Record<Language, string>>
export type FileFormat = 'csv' | 'json'

const columns = ['namespace', 'key', ...languages] as const

export const printRows = (rows: readonly LanguageRow[], format: FileFormat): string =>
  format === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : printCsv(rows)

/** With the mark that lets spreadsheet programs read Chinese. */
const printCsv = (rows: readonly LanguageRow[]): string =>
  `\ufeff${[columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    .map((cells) => cells.map(printCell).join(','))
    .join('\r\n')}\r\n`

/** A cell that begins as a formula would run in a spreadsheet program: an apostrophe keeps it a text. */
function printCell(text: string): string {
  const safe = /^[=+\-@\t\r']/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

export type ReadFile = { rows: LanguageRow[]; problem: null } | { rows: []; problem: 'format' | 'columns' | 'empty' }

/** Empty cells say nothing; what the texts are worth is judged by the server. */
export function readRows(text: string, format: FileFormat): ReadFile {
  const table = format === 'json' ? tableOfJson(text) : tableOfCsv(text.replace(/^\ufeff/, ''))
  if (table === null) return { rows: [], problem: 'format' }
  const [head = [], ...lines] = table
  const at = new Map(head.map((name, index) => [name.trim().toLowerCase(), index]))
  if (!at.has('namespace') || !at.has('key')) return { rows: [], problem: 'columns' }
  const cell = (line: readonly string[], name: string) => line[at.get(name) ?? -1] ?? ''
  const rows = lines
    .filter((line) => line.some((each) => each.trim() !== ''))
    .map((line): LanguageRow => {
      const said = languages.map((language) => [language, cell(line, language)] as const)
      return {
        namespace: cell(line, 'namespace').trim(),
        key: cell(line, 'key').trim(),
        ...Object.fromEntries(said.filter(([, value]) => value.trim() !== '')),
      }
    })
  return rows.length === 0 ? { rows: [], problem: 'empty' } : { rows, problem: null }
}

function tableOfJson(text: string): string[][] | null {
  try {
    const said: unknown = JSON.parse(text)
    if (!Array.isArray(said)) return null
    const lines = said.map((row: unknown) => columns.map((name) => textOf(Object(row)[name])))
    return [[...columns], ...lines]
  } catch {
    return null
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** RFC 4180, with commas, semicolons or tabs between cells, as spreadsheet programs of several countries write it. */
function tableOfCsv(text: string): string[][] | null {
  const comma = [',', ';', '\t'].find((each) => text.slice(0, text.search(/[\r\n]|$/)).includes(each)) ?? ','
  const table: string[][] = []
  let line: string[] = []
  let at = 0
  while (at < text.length) {
    const read = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, comma)
    if (read === null) return null
    line.push(read.cell.replace(/^'(?=[=+\-@\t\r'])/, ''))
    at = read.next
    if (text[at] === comma) at += 1
    else {
      table.push(line)
      line = []
      at += text.startsWith('\r\n', at) ? 2 : 1
    }
  }
  return table
}

function plainCell(text: string, from: number, comma: string) {
  let next = from
  while (next < text.length && text[next] !== comma && text[next] !== '\n' && text[next] !== '\r') next += 1
  return { cell: text.slice(from, next), next }
}

function quotedCell(text: string, from: number) {
  let cell = ''
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== '"') cell += text[at]
    else if (text[at + 1] === '"') {
      cell += '"'
      at += 1
    } else return { cell, next: at + 1 }
  }
  return null
}
