import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cancelReport, getReportLink, listReportRequests, requestReport } from '@aisle/contract/report/request'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFileLinks } from '../../transport/http/files'
import { addMachine, addMerchant, addOrder, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { makeReport } from './make'
import { routes as reportRoutes } from './request.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const ORDERS = 450
const routes = routesWith(...orderRoutes, ...reportRoutes)

let world: World
let http: HttpWorld
let merchantId: number
let token: string
let stranger: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routes, (app) => serveFileLinks(app, world.services))
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  for (let i = 0; i < ORDERS; i += 1) await addOrder(db, machine, new Date(NOON.getTime() - i * 60_000), 100 + i)
  token = await signIn(['order.read', 'report.read'])
  stranger = await signIn(['report.read'])
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function signIn(grants: string[]): Promise<string> {
  const user = await addUser(world.services.db, { merchantId, grants })
  return addSession(world.services.db, user.id, NOON)
}

const wanted = { list: 'trade.listOrders', query: {}, columns: ['orderNo', 'occurredAt', 'method', 'paidFen'] }

async function ask(more: Record<string, unknown>): Promise<number> {
  const answer = await http.call(requestReport, { ...wanted, ...more }, { token })
  expect(answer.body.code).toBe('H0000')
  return (answer.body.data as { id: number }).id
}

async function download(id: number): Promise<Buffer> {
  await makeReport(world.services, routes, id)
  const link = await http.call(getReportLink, { id }, { token })
  const { url } = link.body.data as { url: string }
  const response = await http.app.inject({ method: 'GET', url })
  expect(response.statusCode).toBe(200)
  return response.rawPayload
}

test('a download that was broken off goes on where it stopped, also when its address begins no other', async () => {
  const id = await ask({ format: 'csv' })
  const whole = await download(id)
  const link = await http.call(getReportLink, { id }, { token })
  const { url } = link.body.data as { url: string }
  const get = (range?: string) => http.app.inject({ method: 'GET', url, headers: range ? { range } : {} })
  const first = await get('bytes=0-99')
  expect([first.statusCode, first.headers['content-range']]).toEqual([206, `bytes 0-99/${whole.length}`])
  world.setNow(new Date(NOON.getTime() + 10 * 60_000))
  const rest = await get('bytes=100-')
  expect(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(whole)).toBe(true)
  expect([(await get()).statusCode, (await get('bytes=0-')).statusCode]).toEqual([404, 404])
  expect((await get(`bytes=${whole.length}-`)).statusCode).toBe(416)
  world.setNow(new Date(NOON.getTime() + 2 * 3_600_000))
  expect((await get('bytes=100-')).statusCode).toBe(404)
  world.setNow(NOON)
})

const stateOf = async (id: number) => {
  const answer = await http.call(listReportRequests, {}, { token })
  const { items } = answer.body.data as { items: { id: number; state: string; rowsDone: number }[] }
  return items.find((item) => item.id === id)
}

test('a csv holds every row of the filter with the words of the person, and opens in a spreadsheet', async () => {
  const id = await ask({ format: 'csv', query: { method: 'alipay' } })
  const text = (await download(id)).toString('utf8')
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe('\ufeff订单号,时间,支付方式,实收 (CNY)')
  expect(lines).toHaveLength(ORDERS + 1)
  expect(lines[1]).toMatch(/,2026-11-20 12:00:00,支付宝,1$/)
  expect(await stateOf(id)).toMatchObject({ state: 'done', rowsDone: ORDERS })
})

test('a sheet holds amounts as numbers', async () => {
  const id = await ask({ format: 'xlsx' })
  const { sheets } = await readXlsx(await download(id))
  // With a head above and the sum below.
  expect(sheets[0]?.rows).toHaveLength(ORDERS + 2)
  expect(sheets[0]?.rows[2]?.[3]).toBe(1.01)
})

test('who may not open the list can not have it as a file, nor when the right was taken meanwhile', async () => {
  const refused = await http.call(requestReport, { ...wanted, format: 'csv' }, { token: stranger })
  expect(refused.body.code).toBe('request.notPermitted')
  const id = await ask({ format: 'csv' })
  await sql`delete from role_permission where permission = 'order.read'`.execute(world.services.db)
  await makeReport(world.services, routes, id)
  await sql`insert into role_permission select ur.role_id, 'order.read' from session s
    join user_role ur on ur.user_id = s.user_id join role_permission p on p.role_id = ur.role_id
    where p.permission = 'report.read' order by s.user_id limit 1`.execute(world.services.db)
  expect(await stateOf(id)).toMatchObject({ state: 'failed' })
})

test('an unknown list, filter or column is refused', async () => {
  const odd = [
    { list: 'trade.listNothing' },
    { query: { colour: 'red' } },
    ...['password', '__proto__', 'toString'].map((name) => ({ columns: [name] })),
  ]
  const codes = await Promise.all(
    odd.map(
      async (more) => (await http.call(requestReport, { ...wanted, format: 'csv', ...more }, { token })).body.code,
    ),
  )
  expect(codes).toEqual(['report.unknownList', ...Array<string>(4).fill('request.invalid')])
})

test('a cancelled report is not made, and its file is nobody’s', async () => {
  const id = await ask({ format: 'csv' })
  expect((await http.call(cancelReport, { id }, { token })).status).toBe(200)
  await makeReport(world.services, routes, id)
  expect(await stateOf(id)).toMatchObject({ state: 'cancelled' })
  expect((await http.call(getReportLink, { id }, { token })).body.code).toBe('report.notReady')
  expect(() => readFileSync(join(world.services.dataDir, 'exports', `${id}.csv`))).toThrow('ENOENT')
})

test('an address gives the file for a minute and to nobody without it', async () => {
  const id = await ask({ format: 'csv' })
  await makeReport(world.services, routes, id)
  expect((await http.call(getReportLink, { id }, { token: stranger })).status).toBe(404)
  const { url } = (await http.call(getReportLink, { id }, { token })).body.data as { url: string }
  world.setNow(new Date(NOON.getTime() + 61_000))
  expect((await http.app.inject({ method: 'GET', url })).statusCode).toBe(404)
  world.setNow(NOON)
})
