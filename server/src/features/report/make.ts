import { randomBytes } from 'node:crypto'
import { exportableOf } from '@aisle/contract/exports'
import { mayOpen } from '@aisle/contract/identity/permissions'
import { announce } from '../../kernel/announce'
import type { QueryContext, Reader, Services } from '../../kernel/context'
import type { Count, Page } from '../../kernel/list'
import type { Route } from '../../kernel/route'
import { actorOf } from './actor.store'
import { appender, begin, closed, inherit, pathOf, removeAll, removeOthers, rowsFile } from './kept.file'
import { fail, finish, type Kept, keep, NOTHING_KEPT, take } from './make.store'
import { find, type Request } from './request.store'
import { headOf, Lost, type Making, lineOfRow, writeSheet } from './sheet'

/** More than a screen may ask for: a million rows in pages of a screen's would be five thousand questions. */
const PAGE_ROWS = 2_000
const KEPT_MS = 7 * 86_400_000
/** How often who waits for it hears how far it is. */
const HEARD_EVERY_MS = 2_000
type Row = Record<string, unknown>
type Run = { page: (cursor: string | null) => Promise<Page<Row>>; count: () => Promise<Count> }

/**
 * Makes the file of a request through the list's own route. Each page is kept before the next is asked for, so that
 * who makes it after a process died goes on behind it; a sheet is then made of what was kept.
 */
export async function makeReport(
  services: Services,
  routes: readonly Route[],
  id: number,
  pageRows = PAGE_ROWS,
): Promise<void> {
  const maker = `${id}-${randomBytes(6).toString('hex')}`
  const taken = await take(services.db, id, maker, services.clock.now())
  const request = await find(services.db, id)
  if (!request || !taken) return
  try {
    const exportable = exportableOf(request.list)
    const run = await readerOf(services, routes, request, pageRows)
    if (!exportable || !run) return void (await drop(services, request, maker))
    const making = { services, request, exportable, maker }
    const rows = await readToEnd(making, run, taken)
    const bytes = await writeSheet(making)
    const now = services.clock.now()
    const expiresAt = new Date(now.getTime() + KEPT_MS)
    const file = `${maker}.${request.format}`
    await services.files.take('exports', file, pathOf(services, file))
    if (!(await finish(services.db, id, maker, { file, bytes, rows, now, expiresAt }))) throw new Lost()
    await announceReport(services.db, request)
    await removeOthers(services, id, file)
  } catch (cause) {
    const isFailure = await drop(services, request, maker)
    if (isFailure) throw cause
  }
}

const announceReport = (db: Reader, { merchantId }: Request) =>
  announce(db, { topic: 'changes', kinds: ['reportRequest'], merchantIds: [merchantId], above: [] })

/** Where this can't be told, the database or the process is dying: then what was kept stays for who makes it next. */
async function drop(services: Services, request: Request, maker: string): Promise<boolean> {
  const isFailure = await fail(services.db, request.id, maker, services.clock.now())
  await removeAll(services, maker)
  if (isFailure) await announceReport(services.db, request)
  return isFailure
}

/** Undefined for who may not open the list any more. */
async function readerOf(
  services: Services,
  routes: readonly Route[],
  request: Request,
  pageSize: number,
): Promise<Run | undefined> {
  const exportable = exportableOf(request.list)
  const actor = await actorOf(services.db, request.userId)
  if (!exportable || !actor || !mayOpen(actor.grants, exportable.list.access)) return undefined
  const { list } = exportable
  const rows = routes.find(({ endpoint }) => endpoint === list)
  const counted = routes.find(({ endpoint }) => endpoint === list.count)
  if (rows?.kind !== 'query' || counted?.kind !== 'query') return undefined
  const db = (await services.replica?.readerOf(request.requestedAt)) ?? services.db
  const ctx = contextOf(services, db, request, actor)
  const { sort: _, ...filter } = request.query
  return {
    page: (cursor) => {
      const asked = list.input.parse({ ...request.query, ...(cursor && { cursor }) }) as object
      return rows.run(ctx, { ...asked, pageSize }) as Promise<Page<Row>>
    },
    count: () => counted.run(ctx, list.count.input.parse(filter)) as Promise<Count>,
  }
}

/** The list as of when it was asked for: "today" of its filter is that day, whoever makes it and when. */
const contextOf = (
  services: Services,
  db: Reader,
  { id, language, requestedAt }: Request,
  actor: QueryContext['actor'],
): QueryContext => ({
  services,
  db,
  now: () => requestedAt,
  language,
  traceId: `report-${id}`,
  ip: '',
  agent: '',
  origin: '',
  deviceCookie: null,
  keepDevice: () => undefined,
  actor,
})

/** @returns how many rows are kept in the end @throws Lost */
async function readToEnd(making: Making, run: Run, taken: Kept & { before: string | null }): Promise<number> {
  const { services, request, maker } = making
  let heardMs = 0
  const tell = async (kept: Kept, total: number | null = null) => {
    const now = services.clock.now()
    if (!(await keep(services.db, request.id, maker, { ...kept, total, now }))) throw new Lost()
    if (now.getTime() - heardMs < HEARD_EVERY_MS) return
    heardMs = now.getTime()
    await announceReport(services.db, request)
  }
  const name = rowsFile(maker, request.format)
  const before = taken.before && rowsFile(taken.before, request.format)
  const inherited = before ? await inherit(services, before, name, taken.bytes) : undefined
  await removeOthers(services, request.id, name)
  let kept: Kept = inherited ? taken : NOTHING_KEPT
  // Before the first page is written: its bytes must not pass for those of a file that is lost.
  if (!inherited) await tell(kept, (await run.count()).total)
  const file = inherited ?? (await begin(services, name))
  return closed(file, async () => {
    const append = appender(file)
    if (kept.bytes === 0) kept = { ...kept, bytes: await append(headOf(making)) }
    const page = pagesOf(making, run)
    while (!kept.isRead) {
      const { cursor, rows, lines } = await page(kept.cursor)
      kept = { cursor, bytes: kept.bytes + (await append(lines)), rows: kept.rows + rows, isRead: cursor === null }
      await tell(kept)
    }
    return kept.rows
  })
}

/** As lines alone: rows that are held while the next page is read grow old, and the heap with them. */
function pagesOf(making: Making, run: Run) {
  const line = lineOfRow(making)
  return async (cursor: string | null) => {
    const { items, nextCursor } = await run.page(cursor)
    return { cursor: nextCursor, rows: items.length, lines: items.map(line) }
  }
}
