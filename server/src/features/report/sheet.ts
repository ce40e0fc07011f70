import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

const wordsOfHead = ({ request, exportable }: Making) =>
  request.columns.map((name) => word(request.language, exportable.words, `field.${name}`))

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
    const columns = request.columns.map((key, i) => ({ header: head[i] ?? key, key, ...widthOf(exportable, key) }))
    const sheet = { name: title.slice(0, 31), columns, freezePane: { rows: 1 } }
    const bytes = Readable.fromWeb(writeXlsxStream(keptRows(making), sheet) as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(bytes, createWriteStream(path, { mode: FILE_MODE, flush: true }))
  }
  return (await stat(path)).size
}

async function* keptRows({ services, request, maker }: Making): AsyncGenerator<Cell[]> {
  let parts = 0
  for await (const lines of linesOf(services, rowsFile(maker, request.format))) {
    for (const line of lines) yield JSON.parse(line) as Cell[]
    parts += 1
    if (parts % TOUCHED_EVERY > 0) continue
    if (!(await touch(services.db, request.id, maker, services.clock.now()))) throw new Lost()
  }
}

const widthOf = ({ fields }: Exportable, key: string) =>
  fields[key]?.kind === 'money' ? { width: 14, numFmt: '0.00' } : { width: 18 }

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
