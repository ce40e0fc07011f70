import { readdirSync, readFileSync, rmSync, statSync, appendFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { cancelReport, getReportLink, requestReport } from '@aisle/contract/report/request'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool'
import type { QueryContext } from '../../kernel/context'
import type { Route } from '../../kernel/route'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { makeReport } from './make'
import { touch } from './make.store'
import { reportJobs } from './report.jobs'
import { REPORT_JOB } from './request.commands'
import { routes as reportRoutes } from './request.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const ORDERS = 130
const PAGE_ROWS = 20
const routes = routesWith(...orderRoutes, ...reportRoutes)

let world: World
let http: HttpWorld
let machine: BuiltMachine
let token: string
let userId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routes)
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  for (let i = 0; i < ORDERS; i += 1) await addOrder(db, machine, new Date(NOON.getTime() - i * 60_000), 100 + i)
  const user = await addUser(db, { merchantId, grants: ['order.read', 'report.read'] })
  userId = user.id
  token = await addSession(db, userId, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Format = 'csv' | 'xlsx'
const formats: Format[] = ['csv', 'xlsx']

async function ask(format: Format, query = {}): Promise<number> {
  const wanted = { list: 'trade.listOrders', query, columns: ['orderNo', 'occurredAt', 'method', 'paidFen'], format }
  const answer = await http.call(requestReport, wanted, { token })
  expect(answer.body.code).toBe('H0000')
  return (answer.body.data as { id: number }).id
}

type Told = { state: string; rowsDone: number; rowsTotal: number | null; file: string | null; maker: string | null }

async function told(id: number): Promise<Told> {
  const found = await sql<Told>`select state, rows_done as "rowsDone", rows_total as "rowsTotal", file, maker
    from report_request where id = ${id}`.execute(world.services.db)
  return found.rows[0] ?? expect.fail('no such report')
}

const folder = () => join(world.services.dataDir, 'exports')
const filesOf = (id: number) => readdirSync(folder()).filter((name) => name.startsWith(`${id}-`))

/** The list's own route, with what happens before each of its pages, counted from one. */
const before = (happens: (page: number, ctx: QueryContext) => Promise<void> | void): Route[] => {
  let page = 0
  return routes.map(
    (route): Route =>
      route.endpoint.name === 'trade.listOrders' && route.kind === 'query'
        ? {
            ...route,
            run: async (ctx: QueryContext, input: unknown) => {
              page += 1
              await happens(page, ctx)
              return route.run(ctx, input)
            },
          }
        : route,
  )
}

/** A maker whose process ends while it asks for a page: it can't say so any more. */
async function dieAt(id: number, page: number): Promise<void> {
  const pool = openPool(world.url, 2, () => undefined)
  const dying = before((asked) => (asked === page ? pool.close() : undefined))
  await expect(makeReport({ ...world.services, db: pool.db }, dying, id, PAGE_ROWS)).rejects.toThrow(/pool/)
  expect(await told(id)).toMatchObject({ state: 'running', rowsDone: (page - 1) * PAGE_ROWS })
}

/** @returns how many pages it asked for */
async function make(id: number): Promise<number> {
  let pages = 0
  await makeReport(
    world.services,
    before((page) => void (pages = page)),
    id,
    PAGE_ROWS,
  )
  return pages
}

async function rowsOf(id: number): Promise<unknown[]> {
  const { state, file } = await told(id)
  expect(state).toBe('done')
  const bytes = readFileSync(join(folder(), file ?? ''))
  if (file?.endsWith('.csv')) return bytes.toString('utf8').split('\r\n')
  return (await readXlsx(bytes)).sheets[0]?.rows ?? []
}

async function runJob(name: string): Promise<void> {
  await reportJobs(routes)
    .find((job) => job.name === name)
    ?.run(world.services, {})
}

const sellMeanwhile = () => addOrder(world.services.db, machine, new Date(NOON.getTime() + 60_000), 5)

test('a sheet has times as dates, units, what the list sums as its last row, and its days in its name', async () => {
  const { db } = world.services
  const day = '2026-11-20'
  const id = await ask('xlsx', { from: day, to: day })
  await make(id)
  const rows = (await rowsOf(id)) as unknown[][]
  const [head = [], first = []] = rows
  expect(head).toEqual(['订单号', '时间', '支付方式', '实收 (CNY)'])
  expect(first[1]).toEqual(new Date('2026-11-20T12:00:00Z'))
  const sum = Array.from({ length: ORDERS }, (_, i) => 100 + i).reduce((whole, fen) => whole + fen, 0)
  expect(rows.at(-1)).toEqual(['合计', null, null, sum / 100])
  const link = await http.call(getReportLink, { id }, { token })
  expect(link.body.code).toBe('H0000')
  const found = await sql<{ name: string }>`select name from file_link order by expires_at desc limit 1`.execute(db)
  expect(found.rows[0]?.name).toBe('订单管理 2026-11-20.xlsx')
})

test.each(formats)('a %s whose process died goes on behind the page it kept', async (format) => {
  const whole = await ask(format)
  const pages = await make(whole)
  const id = await ask(format)
  await dieAt(id, 4)
  const [kept = ''] = filesOf(id)
  // What was written behind the last page that was told of, such as half of the next one.
  appendFileSync(join(folder(), kept), '2026,half a li')
  const added = await sellMeanwhile()
  expect(await make(id)).toBe(pages - 3)
  const rows = await rowsOf(id)
  expect(rows).toEqual(await rowsOf(whole))
  expect(JSON.stringify(rows)).not.toContain(added.orderNo)
  const { rowsDone, rowsTotal } = await told(whole)
  expect(await told(id)).toMatchObject({ rowsDone, rowsTotal })
})

test.each(formats)('a %s whose maker died twice is that of one go, and seen by the server alone', async (format) => {
  const whole = await ask(format)
  const pages = await make(whole)
  const id = await ask(format)
  await dieAt(id, 2)
  const pool = openPool(world.url, 2, () => undefined)
  const dying = before((asked) => (asked === 3 ? pool.close() : undefined))
  await expect(makeReport({ ...world.services, db: pool.db }, dying, id, PAGE_ROWS)).rejects.toThrow(/pool/)
  expect(filesOf(id)).toHaveLength(1)
  expect(statSync(join(folder(), filesOf(id)[0] ?? '')).mode & 0o777).toBe(0o600)
  expect(await make(id)).toBe(pages - 3)
  expect(await rowsOf(id)).toEqual(await rowsOf(whole))
  const { file } = await told(id)
  expect(filesOf(id)).toEqual([file])
  expect(statSync(join(folder(), file ?? '')).mode & 0o777).toBe(0o600)
})

test.each(formats)('of a %s that was read to its end nothing is asked again', async (format) => {
  const whole = await ask(format)
  const pages = await make(whole)
  const id = await ask(format)
  const pool = openPool(world.url, 2, () => undefined)
  let asked = 0
  let looks = 0
  const counting = before((page) => {
    asked = page
  })
  // The first look at the clock after the last page is told is that of the end.
  const clock = {
    now: () => {
      if (asked === pages) looks += 1
      if (looks === 2) void pool.close()
      return NOON
    },
  }
  await expect(makeReport({ ...world.services, db: pool.db, clock }, counting, id, PAGE_ROWS)).rejects.toThrow(/pool/)
  await sellMeanwhile()
  expect(await make(id)).toBe(0)
  expect(await rowsOf(id)).toEqual(await rowsOf(whole))
  expect(filesOf(id)).toHaveLength(1)
})

test.each(['gone', 'shorter'])('where the file is %s it starts over, and what was shown as done stays', async (how) => {
  const id = await ask('csv')
  await dieAt(id, 4)
  const [kept = ''] = filesOf(id)
  if (how === 'gone') rmSync(join(folder(), kept))
  else truncateSync(join(folder(), kept), 100)
  const done: number[] = []
  const watched = before(async () => void done.push((await told(id)).rowsDone))
  await makeReport(world.services, watched, id, PAGE_ROWS)
  expect(done.slice(0, 5)).toEqual([60, 60, 60, 60, 80])
  const whole = await ask('csv')
  await make(whole)
  expect(await rowsOf(id)).toEqual(await rowsOf(whole))
})

test.each(formats)('a maker of a %s that was thought dead leaves it to who took it', async (format) => {
  const id = await ask(format)
  const slow = before(async (page) => void (page === 3 && (await make(id))))
  await makeReport(world.services, slow, id, PAGE_ROWS)
  const whole = await ask(format)
  await make(whole)
  expect(await rowsOf(id)).toEqual(await rowsOf(whole))
  expect(filesOf(id)).toHaveLength(1)
})

test('one whose process is silent is made by another, and who made it before is told so', async () => {
  const { db } = world.services
  const id = await ask('csv')
  await dieAt(id, 3)
  const maker = (await told(id)).maker ?? expect.fail('no maker')
  expect(await touch(db, id, maker, NOON)).toBe(true)
  world.setNow(new Date(NOON.getTime() + 10 * 60_000))
  const jobs = async () =>
    (await sql`select from graphile_worker.jobs where task_identifier = ${REPORT_JOB}`.execute(db)).rows.length
  const known = await jobs()
  await runJob('report.resume')
  world.setNow(NOON)
  expect(await jobs()).toBeGreaterThan(known)
  await make(id)
  expect((await told(id)).state).toBe('done')
  expect(await touch(db, id, maker, NOON)).toBe(false)
})

test.each(formats)('a cancelled %s leaves no file, whether its maker lives or died', async (format) => {
  const living = await ask(format)
  const cancel = (id: number) => http.call(cancelReport, { id }, { token })
  const cancelling = before(async (page) => void (page === 3 && (await cancel(living))))
  await makeReport(world.services, cancelling, living, PAGE_ROWS)
  expect([(await told(living)).state, ...filesOf(living)]).toEqual(['cancelled'])
  const dead = await ask(format)
  await dieAt(dead, 3)
  await cancel(dead)
  const due = await sql`select 1 from graphile_worker.jobs where task_identifier = 'report.expire'`.execute(
    world.services.db,
  )
  expect(due.rows.length).toBeGreaterThan(0)
  await runJob('report.expire')
  expect(filesOf(dead)).toEqual([])
})

test('a failed and an expired one leave none either, those that are made or may be had stay', async () => {
  const failed = await ask('xlsx')
  const failing = before((page) => (page === 3 ? Promise.reject(new Error('no such page')) : undefined))
  await expect(makeReport(world.services, failing, failed, PAGE_ROWS)).rejects.toThrow('no such page')
  expect([(await told(failed)).state, ...filesOf(failed)]).toEqual(['failed'])
  const [done, running] = [await ask('xlsx'), await ask('xlsx')]
  await make(done)
  await dieAt(running, 3)
  await runJob('report.expire')
  expect([filesOf(done), filesOf(running)]).toEqual([[expect.any(String)], [expect.any(String)]])
  world.setNow(new Date(NOON.getTime() + 8 * 86_400_000))
  await runJob('report.expire')
  world.setNow(NOON)
  expect([(await told(done)).state, ...filesOf(done)]).toEqual(['expired'])
  expect(filesOf(running)).toHaveLength(1)
})

test('a period up to today is that of when it was asked for, whoever goes on with it and when', async () => {
  const id = await ask('csv')
  await dieAt(id, 3)
  world.setNow(new Date(NOON.getTime() + 86_400_000))
  const days = new Set<string>()
  const watched = before((_, ctx) => void days.add(ctx.now().toISOString()))
  await makeReport(world.services, watched, id, PAGE_ROWS)
  world.setNow(NOON)
  expect([...days]).toEqual([NOON.toISOString()])
})
