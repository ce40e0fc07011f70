import { arrangements, getArrangement, getSalesNow, listRunningOut } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { routes } from './home.routes'

/** Friday, 14:20 in Shanghai. */
const NOW = new Date('2026-11-20T06:20:00Z')
const HOUR_MS = 3_600_000
let world: World
let http: HttpWorld
let platformId: number
let ours: number
let theirs: number
let machines: BuiltMachine[]
let seq = 0

/** A cash sale of a machine, told in its own hour. */
async function sell(machine: BuiltMachine, at: Date, pieces = 1): Promise<void> {
  seq += 1
  world.setNow(at)
  const items = Array.from({ length: pieces }, () => ({
    slot: 'A1',
    product: machine.slots[0]?.productCode ?? '',
    priceFen: 500,
    ok: true,
  }))
  const told = { orderNo: `H-${seq}`, method: 'cash', paidFen: 500 * pieces, items }
  await ingest(world.services, [spoken(world, machine.code, seq, 'sale', told)])
}

beforeAll(async () => {
  world = await openWorld(NOW)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  await sql`select ensure_partitions('2026-11-01'::date, '2026-12-01'::date)`.execute(db)
  platformId = await addMerchant(db)
  ours = await addMerchant(db, { parentId: platformId })
  theirs = await addMerchant(db, { parentId: platformId })
  const build = async (merchantId: number, stock: number) => {
    const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
    return addMachine(db, { merchantId, products, stock })
  }
  machines = [await build(ours, 3), await build(theirs, 40), await build(theirs, 40)]
  const [own, lent, foreign] = machines as [BuiltMachine, BuiltMachine, BuiltMachine]
  await sql`insert into machine_grant_merchant (machine_id, merchant_id) values (${lent.id}, ${ours})`.execute(db)
  const week = (ms: number) => new Date(NOW.getTime() - 7 * 24 * HOUR_MS + ms)
  // Last Friday: 10 o'clock, 14:10, 14:40 and 20 o'clock.
  for (const ms of [-4 * HOUR_MS, -10 * 60_000, 20 * 60_000, 6 * HOUR_MS]) await sell(lent, week(ms))
  await sell(foreign, week(-HOUR_MS), 4)
  await sell(own, new Date(NOW.getTime() - 3 * HOUR_MS), 2)
  await sell(lent, new Date(NOW.getTime() - 60_000))
  await sell(own, NOW)
  world.setNow(NOW)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function ask(who: Parameters<typeof addUser>[1], endpoint: Parameters<HttpWorld['call']>[0], granted?: number) {
  const { db } = world.services
  const user = await addUser(db, who)
  if (granted) {
    await sql`insert into machine_grant_user (machine_id, user_id) values (${granted}, ${user.id})`.execute(db)
  }
  const { body } = await http.call(endpoint, {}, { token: await addSession(db, user.id, NOW) })
  return body.data as Record<string, unknown>
}

test('today stands beside the same minute of the same weekday, for whoever sees what', async () => {
  const lent = machines[1]?.id ?? 0
  const [root, mine, one] = [
    await ask({ merchantId: platformId, grants: ['*'], kind: 'platform_admin' }, getSalesNow),
    await ask({ merchantId: ours, grants: ['order.read'], kind: 'merchant_admin' }, getSalesNow),
    await ask({ merchantId: ours, grants: ['order.read'], kind: 'ordinary' }, getSalesNow, lent),
  ]
  const shared = { day: '2026-11-20', lastWeekDay: '2026-11-13', hour: 14 }
  expect(root).toMatchObject({ ...shared, todayFen: 2_000, todayOrders: 3, sameTimeFen: 3_000, lastWeekFen: 4_000 })
  expect(mine).toMatchObject({ ...shared, todayFen: 2_000, todayOrders: 3, sameTimeFen: 1_000, lastWeekFen: 2_000 })
  expect(one).toMatchObject({ ...shared, todayFen: 500, todayOrders: 1, sameTimeFen: 1_000, sameTimeOrders: 2 })
  const hours = mine.hours as { fen: number; lastWeekFen: number }[]
  expect(hours.map(({ fen }) => fen)).toEqual(
    Array.from({ length: 24 }, (_, hour) => ({ 11: 1_000, 14: 1_000 })[hour] ?? 0),
  )
  expect(hours[20]?.lastWeekFen).toBe(500)
})

test('what a machine sold before it moved away is no longer in the figures of who lost it', async () => {
  const { db } = world.services
  const [own] = machines as [BuiltMachine]
  const viewer = { merchantId: ours, grants: ['order.read'], kind: 'merchant_admin' } as const
  await sql`update machine set merchant_id = ${theirs} where id = ${own.id}`.execute(db)
  const after = await ask(viewer, getSalesNow)
  const gained = await ask({ ...viewer, merchantId: theirs }, getSalesNow)
  await sql`update machine set merchant_id = ${ours} where id = ${own.id}`.execute(db)
  expect(after).toMatchObject({ todayFen: 500, todayOrders: 1, sameTimeFen: 1_000 })
  expect((after.hours as { fen: number }[])[11]?.fen).toBe(0)
  expect(gained).toMatchObject({ todayFen: 2_000, todayOrders: 3 })
})

test('a machine with another clock counts up to the same instant, not up to the same hour on its wall', async () => {
  const { db } = world.services
  const [, , foreign] = machines as [BuiltMachine, BuiltMachine, BuiltMachine]
  const viewer = { merchantId: theirs, grants: ['order.read'], kind: 'merchant_admin' } as const
  const before = await ask(viewer, getSalesNow)
  await sql`update machine set time_zone = 'Europe/Paris' where id = ${foreign.id}`.execute(db)
  // 07:10 and 09:00 in Paris, a week ago: the second is not until 16 o'clock in Shanghai.
  await sell(foreign, new Date(NOW.getTime() - 7 * 24 * HOUR_MS - 10 * 60_000))
  await sell(foreign, new Date('2026-11-13T08:00:00Z'))
  world.setNow(NOW)
  const after = await ask(viewer, getSalesNow)
  expect(after.sameTimeFen).toBe(Number(before.sameTimeFen) + 500)
  expect(after.lastWeekFen).toBe(Number(before.lastWeekFen) + 1_000)
})

test('what is empty is named with what it usually sells, and what will be with when', async () => {
  const { db } = world.services
  const [own] = machines as [BuiltMachine]
  await sql`insert into usual_slot (slot_id, fen_hour) select id, 250 from slot
    where machine_id = ${own.id} on conflict (slot_id) do update set fen_hour = 250`.execute(db)
  const found = await ask({ merchantId: ours, grants: ['machine.read'] }, listRunningOut, own.id)
  // Three of three sold from A1; three are left in the other, at half a piece an hour.
  expect(found).toMatchObject({ machines: 1, emptySlots: 1, slots: 4 })
  expect(found.items).toEqual([
    expect.objectContaining({ machineCode: own.code, emptySlots: 1, lostFenHour: 250, nextInHours: 6 }),
  ])
  const nobody = await ask({ merchantId: theirs, grants: ['machine.read'] }, listRunningOut)
  expect(nobody).toMatchObject({ machines: 0, items: [] })
})

test('what is low and lasts into tomorrow is told with its hours, what lasts longer is not', async () => {
  const { db } = world.services
  const [, lent] = machines as [BuiltMachine, BuiltMachine, BuiltMachine]
  const viewer = { merchantId: theirs, grants: ['machine.read'], kind: 'merchant_admin' } as const
  await sql`update machine_state set low_slots = 1 where machine_id = ${lent.id}`.execute(db)
  const lasting = async (fenHour: number) => {
    await sql`insert into usual_slot (slot_id, fen_hour) select id, ${fenHour}::int from slot
      where machine_id = ${lent.id} on conflict (slot_id) do update set fen_hour = excluded.fen_hour`.execute(db)
    const { items } = (await ask(viewer, listRunningOut)) as { items: { machineCode: string; nextInHours: number }[] }
    return items.find(({ machineCode }) => machineCode === lent.code)?.nextInHours
  }
  // Some forty pieces at 5 yuan.
  expect(await lasting(500)).toBeGreaterThan(24)
  expect(await lasting(300)).toBeUndefined()
})

test('the order of the panels follows what the role is for', async () => {
  const { db } = world.services
  const user = await addUser(db, { merchantId: ours, grants: ['refund.read'] })
  await sql`update role set type = 'finance' where id in (select role_id from user_role
    where user_id = ${user.id})`.execute(db)
  const { body } = await http.call(getArrangement, {}, { token: await addSession(db, user.id, NOW) })
  expect(body.data).toMatchObject({ duty: 'finance', panels: [...arrangements.finance] })
})
