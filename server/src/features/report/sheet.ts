import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Field } from '@aisle/contract/kernel/field'
import type { Exportable } from '@aisle/contract/kernel/manifest'
import { writeXlsxStream } from 'hucre/xlsx'
import { PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Services } from '../../kernel/context'
import { word } from '../../kernel/words'
import { type Cell, cellOf, csvLine } from './cell.rules'
import { FILE_MODE, linesOf, pathOf, rowsFile } from './kept.file'
import { touch } from './make.store'
import type { Request } from './request.store'

const BOM = '\ufeff'
/** Parts between two words that a sheet is still being made. */
const TOUCHED_EVERY = 100

export type Making = { services: Services; request: Request; exportable: Exportable; maker: string }

/** A reader who asked to stop, or another maker who took it over: not a failure, and nothing is left. */
export class Lost extends Error {}

/** A figure says what it is in: a sheet has no sign beside its cells. */
const wordsOfHead = ({ request: { columns, language }, exportable: { fields, words } }: Making) =>
  columns.map((name) => {
    const unit = unitOf(fields[name])
    return `${word(language, words, `field.${name}`)}${unit && ` (${unit})`}`
  })

const signs = { celsius: '°C', percent: '%', dBm: 'dBm' } as const
const UNITS: Partial<Record<Field['kind'], string>> = { money: 'CNY', permille: '%', percent: '%' }
const unitOf = (field: Field | undefined): string => {
  if (field?.kind === 'reading') return field.unit ? signs[field.unit] : ''
  return (field && UNITS[field.kind]) ?? ''
}

/** What the file of rows begins with. */
export const headOf = (making: Making): string[] =>
  making.request.format === 'csv' ? [BOM + csvLine(wordsOfHead(making))] : []

/** A row as it is kept: of a csv its own line, of a sheet the cells. */
export function lineOfRow({ request, exportable }: Making): (row: Record<string, unknown>) => string {
  const words = remembering((key) => word(request.language, exportable.words, key))
  const timeText = timeTexts()
  const line = request.format === 'csv' ? csvLine : (cells: Cell[]) => `${JSON.stringify(cells)}\n`
  return (row) => line(request.columns.map((name) => cellOf(row[name], exportable.fields[name], words, timeText)))
}

/** Of the rows that are kept, without a question to the database. @returns its bytes @throws Lost */
export async function writeSheet(making: Making): Promise<number> {
  const { services, request, exportable, maker } = making
  const path = pathOf(services, `${maker}.${request.format}`)
  if (request.format === 'xlsx') {
    const title = word(request.language, 'screens', exportable.screen)
    const head = wordsOfHead(making)
    const columns = request.columns.map((key, i) => ({
      header: head[i] ?? key,
      key,
      ...shapeOf(exportable.fields[key], head[i] ?? key),
    }))
    const sheet = { name: title.slice(0, 31), columns, freezePane: { rows: 1 } }
    const bytes = Readable.fromWeb(writeXlsxStream(keptRows(making), sheet) as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(bytes, createWriteStream(path, { mode: FILE_MODE, flush: true }))
  }
  return (await stat(path)).size
}

async function* keptRows(making: Making): AsyncGenerator<Cell[]> {
  const { services, request, maker, exportable } = making
  const kinds = request.columns.map((name) => exportable.fields[name]?.kind)
  const totals = totalsOf(making)
  let parts = 0
  for await (const lines of linesOf(services, rowsFile(maker, request.format))) {
    for (const line of lines) {
      const cells = JSON.parse(line) as Cell[]
      totals.add(cells)
      yield cells.map((cell, at) => (isTime(kinds[at]) ? serialOf(cell) : cell))
    }
    parts += 1
    if (parts % TOUCHED_EVERY > 0) continue
    if (!(await touch(services.db, request.id, maker, services.clock.now()))) throw new Lost()
  }
  const last = totals.row()
  if (last) yield last
}

/** What the list sums stands below its column; in hundredths, which a sum of fractions would lose. */
function totalsOf({ request: { columns, language }, exportable: { list } }: Making) {
  const summed = columns.map((name) => Object.hasOwn(list.sums, name))
  const sums = columns.map(() => 0)
  return {
    add: (cells: readonly Cell[]) =>
      cells.forEach((cell, at) => {
        if (summed[at] && typeof cell === 'number') sums[at] = (sums[at] ?? 0) + Math.round(cell * 100)
      }),
    row: (): Cell[] | null =>
      summed.includes(true)
        ? sums.map((sum, at) => (summed[at] ? sum / 100 : at === 0 ? word(language, 'report', 'sheet.total') : null))
        : null,
  }
}

const isTime = (kind: Field['kind'] | undefined) => kind === 'dateTime' || kind === 'day'

const DAY_MS = 86_400_000
/** Days from the last one of 1899, which spreadsheets count from, to 1970. */
const EPOCH_DAY = 25_569
/** A moment as spreadsheets keep it, so that they sort and filter by it: without a zone, by the network's clock. */
function serialOf(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  const ms = Date.parse(cell.includes(' ') ? `${cell.replace(' ', 'T')}Z` : cell)
  return Number.isNaN(ms) ? cell : ms / DAY_MS + EPOCH_DAY
}

/** As wide as what stands in it, and its head. */
function shapeOf(field: Field | undefined, head: string): { width: number; numFmt?: string } {
  const width = Math.max(12, Math.min(40, widthOf(head) + 2))
  switch (field?.kind) {
    case 'money':
      return { width, numFmt: '#,##0.00' }
    case 'dateTime':
      return { width: Math.max(width, 20), numFmt: 'yyyy-mm-dd hh:mm:ss' }
    case 'day':
      return { width, numFmt: 'yyyy-mm-dd' }
    case 'count':
    case 'percent':
    case 'permille':
      return { width }
    default:
      return { width: Math.max(width, 20) }
  }
}

/** A Chinese or Korean character takes the room of two Latin ones. */
const widthOf = (text: string) => [...text].reduce((sum, each) => sum + (each > '\u2e7f' ? 2 : 1), 0)

/** A list has a few dozen words and millions of cells: looking each up anew was a quarter of a sheet's time. */
function remembering(look: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>()
  return (key) => {
    const found = known.get(key) ?? look(key)
    known.set(key, found)
    return found
  }
}

const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: PLATFORM_TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
})
const MINUTE_MS = 60_000

/**
 * `2026-11-20 12:00:00` at the network's home, which every spreadsheet reads as a time. Rows come in the order of their
 * times: a minute is worked out once, the seconds of it are the same everywhere.
 */
function timeTexts(): (iso: string) => string {
  let [minute, text] = [Number.NaN, '']
  return (iso) => {
    const ms = Date.parse(iso)
    const itsMinute = Math.floor(ms / MINUTE_MS)
    if (itsMinute !== minute) [minute, text] = [itsMinute, format.format(ms)]
    return `${text}:${String(Math.floor(ms / 1000) - itsMinute * 60).padStart(2, '0')}`
  }
}
