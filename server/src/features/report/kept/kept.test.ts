import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  editKeptReport,
  getKeptReport,
  keepReport,
  listKeptReports,
  removeKeptReport,
  resumeKeptReport,
  runKeptReport,
  stopKeptReport,
  takeOverKeptReport,
} from '@aisle/contract/report/kept'
import { listReportRequests, requestReport } from '@aisle/contract/report/request'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addOrder, addProduct } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes as orderRoutes } from '../../trade/order/order.routes'
import { makeDue } from './kept.jobs'
import { reportJobs } from '../report.jobs'
import { REPORT_JOB } from '../request.commands'
import { routes as reportRoutes } from '../request.routes'
import { routes as keptRoutes } from './kept.routes'

/** A Friday, at noon at home. */
const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
const routes = routesWith(...orderRoutes, ...reportRoutes, ...keptRoutes)

let world: World
let http: HttpWorld
let owner: { id: number; token: string }
let mate: { id: number; token: string }
let roleId: number

beforeEach(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routes)
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  // One a day, the newest at noon.
  for (let i = 0; i < 12; i += 1) await addOrder(db, machine, new Date(NOON.getTime() - i * DAY_MS), 100 + i)
  const person = async () => {
    const { id } = await addUser(db, { merchantId, grants: ['order.read', 'report.read'], kind: 'merchant_admin' })
    return { id, token: await addSession(db, id, NOON) }
  }
  owner = await person()
  mate = await person()
  const role = await sql<{ id: number }>`select role_id as id from user_role where user_id = ${mate.id}`.execute(db)
  roleId = role.rows[0]?.id ?? expect.fail('no role')
})
afterEach(async () => {
  await http.close()
  await world.close()
})

async function call<E extends Endpoint>(who: { token: string }, endpoint: E, input: CallOf<E>) {
  const { body } = await http.call(endpoint, input as Record<string, unknown>, { token: who.token })
  return { code: body.code, data: body.data as OutputOf<E> }
}
async function as<E extends Endpoint>(who: { token: string }, endpoint: E, input: CallOf<E>): Promise<OutputOf<E>> {
  const { code, data } = await call(who, endpoint, input)
  expect([endpoint.name, code]).toEqual([endpoint.name, 'H0000'])
  return data
}

const exported = (query: Record<string, string> = {}, list = 'trade.listOrders') =>
  as(owner, requestReport, { list, query, columns: ['orderNo', 'paidFen'], format: 'csv' })
const terms = { name: '上周订单', period: 'lastWeek', format: 'csv', cadence: 'weekly', atHour: 6 } as const
const keep = async (more: Partial<CallOf<typeof keepReport>> = {}) => {
  const { id: requestId } = await exported({ from: '2026-11-01', to: '2026-11-02', paid: 'yes' })
  return as(owner, keepReport, { requestId, ...terms, ...more })
}

/** What the queue would do: makes all that is asked for. */
async function makeAll(): Promise<void> {
  const job = reportJobs(routes).find(({ name }) => name === REPORT_JOB)
  const open = await sql<{ id: number }>`select id from report_request where state = 'queued'`.execute(
    world.services.db,
  )
  for (const { id } of open.rows) await job?.run(world.services, { id })
}

/** The session of Friday is over by then. */
async function onMonday(): Promise<void> {
  const monday = new Date('2026-11-22T22:04:00Z')
  world.setNow(monday)
  owner.token = await addSession(world.services.db, owner.id, monday)
}

const messagesOf = async ({ id }: { id: number }, type: string) => {
  const found = await sql<{ title: string; body: string }>`select title, body from outbox_message
    where user_id = ${id} and channel = 'web' and type = ${type} order by id`.execute(world.services.db)
  return found.rows
}

test('a kept report is made at its hour, of days that moved on, and its owner is told once', async () => {
  const { id } = await keep()
  await makeAll()
  expect(await as(owner, getKeptReport, { id })).toMatchObject({
    query: { paid: 'yes' },
    nextAt: '2026-11-22T22:00:00+00:00',
    files: [],
  })
  await makeDue(world.services)
  expect((await as(owner, getKeptReport, { id })).files).toEqual([])

  // Of that week the only machine was silent for two days.
  await sql`update machine set created_at = '2026-01-01'`.execute(world.services.db)
  await sql`insert into alarm (merchant_id, machine_id, cause, level, state, opened_at, seen_at, closed_at)
    select merchant_id, id, 'offline', 'warning', 'closed', '2026-11-15T12:00+08', '2026-11-15T12:00+08',
      '2026-11-18T00:00+08' from machine`.execute(world.services.db)
  await onMonday()
  await makeDue(world.services)
  await makeDue(world.services)
  await makeAll()
  await makeAll()
  const kept = await as(owner, getKeptReport, { id })
  // Of Monday the 16th to Sunday the 22nd orders came in on five days.
  expect(kept).toMatchObject({ nextAt: '2026-11-29T22:00:00+00:00', files: [{ state: 'done', rows: 5 }] })
  const told = await messagesOf(owner, 'report.kept')
  expect(told).toHaveLength(1)
  expect(told[0]?.title).toContain('上周订单')
  expect(told[0]?.body).toContain('2026-11-16 – 2026-11-22')
  // Monday and Tuesday of seven days, of which none is closed in the books.
  expect(told[0]?.body).toContain('机时收到 71.4%，7 天中 0 天已结账')
  expect(told[0]?.body).toMatch(/ \S*\/tjfx\/bbdc\?open=\d+$/)
  // The export that it was kept from is told as such.
  expect((await messagesOf(owner, 'report.ready')).map(({ body }) => body)).toEqual([
    '订单管理已生成，可在下载中心下载。',
  ])
})

test('days that the list does not have can’t move on, and fixed ones stay as they were exported', async () => {
  const { id: requestId } = await as(owner, requestReport, {
    list: 'report.listReportRequests',
    query: {},
    columns: ['title'],
    format: 'csv',
  })
  expect((await call(owner, keepReport, { requestId, ...terms })).code).toBe('keptReport.noPeriod')
  const { id } = await keep({ period: 'fixed', cadence: 'never' })
  expect(await as(owner, getKeptReport, { id })).toMatchObject({
    query: { from: '2026-11-01', to: '2026-11-02', paid: 'yes' },
    nextAt: null,
  })
  await as(owner, runKeptReport, { id })
  expect((await as(owner, listReportRequests, {})).items[0]).toMatchObject({ state: 'queued' })
})

test('who has a role that it is shared with takes it over; it stays its owner’s to change', async () => {
  const { id } = await keep()
  expect((await call(mate, getKeptReport, { id })).code).toBe('request.notFound')
  const { version } = await as(owner, getKeptReport, { id })
  const { db } = world.services
  const elsewhere = await sql<{ id: number }>`insert into role (merchant_id, name)
    select parent_id, 'Elsewhere' from merchant where parent_id is not null limit 1 returning id`.execute(db)
  const roleIds = [roleId, elsewhere.rows[0]?.id ?? expect.fail('no role')]
  await as(owner, editKeptReport, { id, version, ...terms, roleIds })
  expect((await as(owner, getKeptReport, { id })).roleIds).toEqual([roleId])
  expect((await as(mate, listKeptReports, { of: 'shared' })).items).toMatchObject([{ id, isOwn: false }])
  expect((await call(mate, stopKeptReport, { id })).code).toBe('keptReport.notOwn')
  const own = await as(mate, takeOverKeptReport, { id })
  expect(await as(mate, getKeptReport, { id: own.id })).toMatchObject({ isOwn: true, cadence: 'never', sharedWith: [] })
  expect((await call(owner, editKeptReport, { id, version, ...terms, name: '周报' })).code).toBe('edit.stale')
})

test('what is stopped is not made, nor what is kept by somebody who is not let in any more', async () => {
  const [stopped, left] = [await keep(), await keep({ name: '离职' })]
  await as(owner, stopKeptReport, { id: stopped.id })
  expect((await call(owner, stopKeptReport, { id: stopped.id })).code).toBe('keptReport.state')
  await sql`update app_user set state = 'disabled' where id = ${owner.id}`.execute(world.services.db)
  await onMonday()
  await makeDue(world.services)
  const states = await sql<{ state: string; files: number }>`select k.state, count(r.id)::int as files
    from kept_report k left join report_request r on r.kept_report_id = k.id
    where k.id in (${stopped.id}, ${left.id}) group by k.id order by k.id`.execute(world.services.db)
  expect(states.rows).toEqual([
    { state: 'stopped', files: 0 },
    { state: 'stopped', files: 0 },
  ])
  await sql`update app_user set state = 'active' where id = ${owner.id}`.execute(world.services.db)
  await as(owner, resumeKeptReport, { id: left.id })
  expect((await as(owner, getKeptReport, { id: left.id })).nextAt).toBe('2026-11-29T22:00:00+00:00')
  await as(owner, removeKeptReport, { id: left.id })
  expect((await call(owner, getKeptReport, { id: left.id })).code).toBe('request.notFound')
})

test('a file that could not be made is told, too', async () => {
  const { id } = await keep()
  await as(owner, runKeptReport, { id })
  await sql`delete from role_permission where permission = 'order.read'`.execute(world.services.db)
  await makeAll()
  expect((await messagesOf(owner, 'report.failed')).map(({ title }) => title)).toEqual([
    '报表“订单管理”未能生成',
    '报表“上周订单”未能生成',
  ])
})
