import { listMachines, summariseMachines } from '@aisle/contract/fleet/machine'
import {
  getHospitalStatus,
  listHospitalStatus,
  listMachineStatus,
  mapMachines,
  type MachineStatus,
} from '@aisle/contract/fleet/machineStatus'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { sweep } from '../../alarm/alarm.jobs'
import { jobs } from './machine.jobs'
import { routes } from './machine.routes'
import { routes as statusRoutes } from './status.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const ago = (seconds: number) => new Date(NOON.getTime() - seconds * 1000)
let world: World
let http: HttpWorld
let token: string
/** By what is the matter with them. */
let machines: Record<'fine' | 'broken' | 'warm' | 'silent' | 'new' | 'empty', BuiltMachine>

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...statusRoutes))
  const { db } = world.services
  const merchantId = await addMerchant(db)
  const product = await addProduct(db, { merchantId })
  const add = (stock = 10) => addMachine(db, { merchantId, products: [product], stock })
  machines = {
    fine: await add(),
    broken: await add(),
    warm: await add(),
    silent: await add(),
    new: await add(),
    empty: await add(0),
  }
  const { fine, broken, warm, silent, empty } = machines
  await sql`update machine set temperature_min_c = 2, temperature_max_c = 8`.execute(db)
  await sql`update machine_state set last_seen_at = ${ago(20)}, beat_at = ${ago(30)}, is_connected = true,
      temperature_c = 5, temperature_at = ${ago(30)}
    where machine_id = any(${[fine, broken, warm, empty].map(({ id }) => id)}::bigint[])`.execute(db)
  await sql`update machine_state set faults = '{E12}' where machine_id = ${broken.id}`.execute(db)
  await sql`update machine_state set temperature_c = 9.5 where machine_id = ${warm.id}`.execute(db)
  // Its power went: it is still marked as connected, and what it said last was good.
  await sql`update machine_state set last_seen_at = ${ago(600)}, is_connected = true, temperature_c = 4,
      beat_at = ${ago(600)}, temperature_at = ${ago(600)}
    where machine_id = ${silent.id}`.execute(db)
  await sql`select recount_slots(array(select id from machine))`.execute(db)
  const user = await addUser(db, { merchantId, grants: ['machine.read', 'hospital.read'] })
  token = await addSession(db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const ask = async <T>(endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown> = {}): Promise<T> => {
  const { status, body } = await http.call(endpoint, input, { token })
  expect([status, body.msg]).toEqual([200, ''])
  return body.data as T
}
const nameOf = (id: number) => Object.entries(machines).find(([, each]) => each.id === id)?.[0]
const listed = async (input: Record<string, unknown> = {}) =>
  (await ask<{ items: MachineStatus[] }>(listMachineStatus, input)).items

test('the worst stands first, and what is silent stands before what is merely empty', async () => {
  await jobs[0]?.run(world.services, {})
  const order = (await listed()).map(({ id }) => nameOf(id))
  expect(order).toEqual(['broken', 'warm', 'silent', 'new', 'empty', 'fine'])
  const pages = []
  for (let cursor: string | undefined; ; ) {
    const page = await ask<{ items: { id: number }[]; nextCursor: string | null }>(listMachineStatus, {
      pageSize: 2,
      ...(cursor ? { cursor } : {}),
    })
    pages.push(...page.items.map(({ id }) => nameOf(id)))
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  expect(pages).toEqual(order)
})

test('a value stands with its age and origin, and is stale once its machine is silent', async () => {
  const [silent] = await listed({ code: machines.silent.code })
  expect(silent).toMatchObject({
    connection: 'offline',
    temperature: { value: 4, at: ago(600).toISOString(), origin: 'heartbeat', isStale: true },
  })
  const [fresh] = await listed({ code: machines.new.code })
  expect(fresh).toMatchObject({
    connection: 'unknown',
    temperature: { value: null, isStale: true },
    change: { value: null, isStale: true },
  })
  const [fine] = await listed({ code: machines.fine.code })
  expect(fine).toMatchObject({
    temperature: { value: 5, at: ago(30).toISOString(), isStale: false },
    stock: { value: 100, origin: 'books' },
    conditions: [],
  })
})

test('what was measured has its own age, and who has not beaten yet has told nothing of change or faults', async () => {
  const { db } = world.services
  const { id } = machines.fine
  await sql`update machine_state set humidity = 61.5, humidity_at = ${ago(45)}, temperature_at = ${ago(2000)}
    where machine_id = ${id}`.execute(db)
  const [measured] = await listed({ code: machines.fine.code })
  expect(measured).toMatchObject({
    connection: 'online',
    temperature: { value: 5, at: ago(2000).toISOString(), origin: 'measurement', isStale: true },
    humidity: { value: 61.5, at: ago(45).toISOString(), origin: 'measurement', isStale: false },
  })
  await sql`update machine_state set beat_at = null where machine_id = ${id}`.execute(db)
  const [quiet] = await listed({ code: machines.fine.code })
  expect(quiet).toMatchObject({
    connection: 'online',
    change: { value: null, isStale: true },
    faults: { value: null, isStale: true },
  })
  await sql`update machine_state set beat_at = ${ago(30)}, temperature_at = ${ago(30)}
    where machine_id = ${id}`.execute(db)
})

test('what is empty is a gap at once, and low stock when the rule of its alarms says so', async () => {
  const { db } = world.services
  const shortOf = async (input: Record<string, unknown>) => (await listed(input)).map(({ id }) => nameOf(id))
  expect(await shortOf({ gaps: 'yes' })).toEqual(['empty'])
  expect(await shortOf({ condition: 'low_stock' })).toEqual([])
  await sql`insert into stock_alarm_rule (merchant_id, empty, updated_at)
    select merchant_id, 1, ${NOON} from machine limit 1`.execute(db)
  await sweep(world.services)
  expect(await shortOf({ condition: 'low_stock' })).toEqual(['empty'])
  const [empty] = await listed({ code: machines.empty.code })
  expect(empty).toMatchObject({ conditions: ['low_stock'] })
})

test('connection, operation and conditions are asked together, and the figures above count the same', async () => {
  await sql`update machine set operation = 'stopped', operation_told = 'stopped'
    where id = ${machines.warm.id}`.execute(world.services.db)
  const both = await listed({ condition: 'temperature_abnormal', operation: 'stopped', connection: 'online' })
  expect(both.map(({ id }) => nameOf(id))).toEqual(['warm'])
  expect(await ask(summariseMachines)).toEqual({
    total: 6,
    online: 4,
    offline: 1,
    unknown: 1,
    stopped: 1,
    stopWanted: 0,
    fault: 1,
    temperature: 1,
    lowStock: 1,
  })
  const counted = await ask<{ total: number; sums: unknown }>(listMachines.count, { condition: 'low_stock' })
  expect(counted.total).toBe(1)
  const short = await sql<{ emptySlots: number; lowSlots: number }>`select sum(empty_slots)::int as "emptySlots",
    sum(low_slots)::int as "lowSlots" from machine_state where empty_slots + low_slots > 0`.execute(world.services.db)
  expect(counted.sums).toEqual(short.rows[0])
  const { items } = await ask<{ items: Record<string, unknown>[] }>(mapMachines, { connection: 'online' })
  expect(items).toMatchObject([{ city: '杭州', total: 4, online: 4, fault: 1, temperature: 1 }])
})

test('a hospital is told down to its floors, and a silent cabinet is never cool', async () => {
  const { db } = world.services
  const made = await sql<{ id: number }>`insert into hospital (merchant_id, name, level, province, city)
    select merchant_id, 'First', 'iii_a', '浙江', '杭州' from machine limit 1 returning id`.execute(db)
  const id = made.rows[0]?.id
  await sql`update point set hospital_id = ${id}, building = 'B1', floor = 'F' || (id % 2)`.execute(db)
  const { items } = await ask<{ items: Record<string, unknown>[] }>(listHospitalStatus)
  expect(items).toEqual([
    expect.objectContaining({
      id,
      machineCount: 6,
      online: 4,
      offline: 1,
      unknown: 1,
      faulty: 1,
      stockOut: 1,
      warm: 1,
      coolKnown: 3,
      coolUnknown: 2,
    }),
  ])
  const { buildings } = await ask<{ buildings: { name: string; machineCount: number; floors: { name: string }[] }[] }>(
    getHospitalStatus,
    { id },
  )
  expect(buildings.map(({ name, machineCount }) => [name, machineCount])).toEqual([['B1', 6]])
  expect(buildings[0]?.floors.map(({ name }) => name)).toEqual(['F0', 'F1'])
})
