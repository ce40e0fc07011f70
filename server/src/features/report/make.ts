import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Exportable, exportableOf } from '@aisle/contract/exports'
import { isGranted } from '@aisle/contract/identity/permissions'
import type { Permission } from '@aisle/contract/kernel/endpoint'
import { reportState } from '@aisle/contract/report/request'
import { writeXlsxStream } from 'hucre/xlsx'
import { PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext, Services } from '../../kernel/context'
import type { Route } from '../../kernel/route'
import { word } from '../../kernel/words'
import { actorOf } from './actor.store'
import { type Cell, cellOf, csvLine } from './cell.rules'
import { type Request, find, finish, move, progress } from './request.store'

/** More than a screen may ask for: a million rows in pages of a screen's would be five thousand questions. */
const PAGE_ROWS = 2_000
const KEPT_MS = 7 * 86_400_000
const BOM = '\ufeff'
type Row = Record<string, unknown>
type ListAnswer = { items: Row[]; total: number | null; nextCursor: string | null }
type Making = {
  services: Services
  request: Request
  exportable: Exportable
  /** A page of `PAGE_ROWS`. */
  run: (input: object) => Promise<unknown>
}

/** A reader who asked to stop: not a failure, and nothing is kept. */
class Cancelled extends Error {}

/** Makes the file of a request, page by page through the list's own route; started again, it starts over. */
export async function makeReport(services: Services, routes: readonly Route[], id: number): Promise<void> {
  const request = await find(services.db, id)
  if (!request || !(await move(services.db, id, reportState.from('start'), reportState.to('start'), now(services))))
    return
  const exportable = exportableOf(request.list)
  const route = routes.find(({ endpoint }) => endpoint.name === request.list)
  const actor = await actorOf(services.db, request.userId)
  const access = exportable?.list.access ?? ''
  const isAllowed = actor && (access === 'session' || isGranted(actor.grants, access as Permission))
  if (!exportable || route?.kind !== 'query' || !isAllowed) return void (await fail(services, id))
  const ctx = contextOf(services, request, actor)
  const run = (input: object) =>
    route.run(ctx, { ...(exportable.list.input.parse(input) as object), pageSize: PAGE_ROWS })
  await keepFile({ services, request, exportable, run })
}

const now = ({ clock }: Services) => clock.now()
const fail = ({ db, clock }: Services, id: number) =>
  move(db, id, reportState.from('fail'), reportState.to('fail'), clock.now())

const contextOf = (services: Services, { id, language }: Request, actor: QueryContext['actor']): QueryContext => ({
  services,
  db: services.db,
  now: services.clock.now,
  language,
  traceId: `report-${id}`,
  ip: '',
  agent: '',
  origin: '',
  deviceCookie: null,
  keepDevice: () => undefined,
  actor,
})

async function keepFile(making: Making): Promise<void> {
  const { services, request } = making
  const folder = join(services.dataDir, 'exports')
  const file = `${request.id}.${request.format}`
  const partial = join(folder, `${file}.part`)
  await mkdir(folder, { recursive: true })
  try {
    const count = { rows: 0 }
    await pipeline(bytesOf(making, count), createWriteStream(partial, { mode: 0o600, flush: true }))
    const { size } = await stat(partial)
    await rename(partial, join(folder, file))
    const at = now(services)
    const expiresAt = new Date(at.getTime() + KEPT_MS)
    await finish(services.db, request.id, { file, bytes: size, rows: count.rows, now: at, expiresAt })
  } catch (cause) {
    await rm(partial, { force: true })
    if (cause instanceof Cancelled) return
    await fail(services, request.id)
    throw cause
  }
}

function bytesOf(making: Making, count: { rows: number }): Readable {
  const { request, exportable } = making
  const head = request.columns.map((name) => word(request.language, exportable.words, `field.${name}`))
  const rows = sheetRows(making, count)
  if (request.format === 'csv') return Readable.from(csvText(head, rows))
  const title = word(request.language, 'screens', exportable.screen)
  const columns = request.columns.map((key, i) => ({ header: head[i] ?? key, key, ...widthOf(exportable, key) }))
  const stream = writeXlsxStream(rows, { name: title.slice(0, 31), columns, freezePane: { rows: 1 } })
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])
}

const widthOf = ({ fields }: Exportable, key: string) =>
  fields[key]?.kind === 'money' ? { width: 14, numFmt: '0.00' } : { width: 18 }

async function* csvText(head: string[], rows: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield BOM + csvLine(head)
  for await (const row of rows) yield csvLine(row)
}

/** One page in memory at a time. @throws Cancelled */
async function* sheetRows(making: Making, count: { rows: number }): AsyncGenerator<Cell[]> {
  const { services, request, exportable, run } = making
  const words = remembering((key) => word(request.language, exportable.words, key))
  let cursor: string | null = null
  let total: number | null = null
  do {
    const answer = (await run({ ...request.query, ...(cursor ? { cursor } : {}) })) as ListAnswer
    total ??= answer.total
    for (const row of answer.items) {
      yield request.columns.map((name) => cellOf(row[name], exportable.fields[name], words, timeText))
    }
    count.rows += answer.items.length
    const made = { rows: count.rows, total, now: now(services) }
    if (!(await progress(services.db, request.id, made))) throw new Cancelled()
    cursor = answer.nextCursor
  } while (cursor)
}

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
  timeStyle: 'medium',
})
/** `2026-11-20 12:00:00` at the network's home, which every spreadsheet reads as a time. */
const timeText = (iso: string): string => format.format(Date.parse(iso))
