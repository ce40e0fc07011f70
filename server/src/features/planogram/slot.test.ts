import {
  addSlots,
  cancelNextPlan,
  countSlots,
  getPlanogram,
  listPlaceable,
  pushPlanogram,
  removeSlots,
  saveSlots,
} from '@aisle/contract/planogram/slot'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { takeFills } from '../stock/public'
import { jobs } from './planogram.jobs'
import { routes } from './slot.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let person: { id: number; account: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const grants = ['machine.read', 'slot.write']
  person = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  token = await addSession(world.services.db, person.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown>, fields: body.fields }
}
const product = (medicineClass?: 'rx' | 'otc_b') =>
  addProduct(world.services.db, { merchantId: family.ours.merchantId, ...(medicineClass ? { medicineClass } : {}) })
const machineWith = async (more: Partial<Parameters<typeof addMachine>[1]> = {}, count = 2) => {
  const products = await Promise.all(Array.from({ length: count }, () => product()))
  return addMachine(world.services.db, { merchantId: family.ours.merchantId, products, ...more })
}
type Slot = { code: string; version: number; productId: number | null } & Record<string, unknown>
const slotsOf = async ({ id }: BuiltMachine) => (await call(getPlanogram, { id })).data.slots as Slot[]
const wish = (slot: Slot | undefined, more: Record<string, unknown>) => {
  const { code, version, productId, priceFen, capacity, alarmThreshold, choice, isLocked } = slot ?? ({} as Slot)
  return { code, version, productId, priceFen, capacity, alarmThreshold, choice, isLocked, ...more }
}
const commandsOf = async ({ id }: BuiltMachine) =>
  (
    await sql<{ type: string; data: Record<string, unknown> }>`select type, data from device_command
      where machine_id = ${id} order by created_at, seq`.execute(world.services.db)
  ).rows
const movesOf = async (cause: string, placeId: number | undefined) =>
  (
    await sql<{ quantity: number; user_id: number | null; is_in: boolean }>`
      select quantity, user_id, to_place_id = ${placeId ?? 0} as is_in from stock_move
      where cause = ${cause} and ${placeId ?? 0} in (from_place_id, to_place_id) order by id`.execute(world.services.db)
  ).rows
const report = (machine: BuiltMachine, slots: Record<string, unknown>[]) =>
  sql`update machine_state set snapshot = ${JSON.stringify({ slots })}, snapshot_at = ${NOON}
    where machine_id = ${machine.id}`.execute(world.services.db)

test('a new price is told alone, and the slot is pending until the machine says the same', async () => {
  const machine = await machineWith()
  const [first, second] = machine.slots
  const said = machine.slots.map(({ code, productCode }) => ({
    code,
    product: productCode,
    priceFen: 500,
    capacity: 10,
    stock: 9,
    status: 'normal',
  }))
  expect((await slotsOf(machine)).map(({ sync }) => sync)).toEqual(['unknown', 'unknown'])
  await report(machine, said)
  const [slot] = await slotsOf(machine)
  const saved = await call(saveSlots, { id: machine.id, slots: [wish(slot, { priceFen: 650 })], when: 'now' })
  expect([saved.status, saved.data.changed]).toEqual([200, 1])
  expect(await commandsOf(machine)).toEqual([
    { type: 'push_prices', data: { prices: [{ slot: first?.code, priceFen: 650 }] } },
  ])
  const after = await slotsOf(machine)
  expect(after.map(({ sync }) => sync)).toEqual(['pending', 'in_sync'])
  expect(after[0]).toMatchObject({
    differences: [{ field: 'priceFen', desired: 650, reported: 500 }],
    reportedStock: 9,
  })
  await sql`update device_command set state = 'expired', finished_at = ${NOON}
    where machine_id = ${machine.id}`.execute(world.services.db)
  expect((await slotsOf(machine))[0]?.sync).toBe('differs')
  await report(machine, [{ ...said[0], priceFen: 650 }, { ...said[1] }])
  expect((await slotsOf(machine))[0]?.sync).toBe('in_sync')
  expect(second).toBeDefined()
})

test('what somebody saved meanwhile is not overwritten, and a wish for what is there is none', async () => {
  const machine = await machineWith()
  const [slot] = await slotsOf(machine)
  const save = (more: Record<string, unknown>) =>
    call(saveSlots, { id: machine.id, slots: [wish(slot, more)], when: 'now' })
  expect((await save({})).code).toBe('slot.nothingChanged')
  expect((await save({ capacity: 12 })).status).toBe(200)
  const stale = await save({ capacity: 14 })
  expect([stale.status, stale.code]).toEqual([409, 'edit.stale'])
  expect(stale.fields).toEqual([expect.objectContaining({ path: `slots.${slot?.code}` })])
})

test('another product goes in once the old one is out, and what is taken out is a move with a name', async () => {
  const machine = await machineWith({ stock: 4 })
  const [slot] = await slotsOf(machine)
  const other = await product()
  const save = (more: Record<string, unknown> = {}) =>
    call(saveSlots, { id: machine.id, slots: [wish(slot, { productId: other.id })], when: 'now', ...more })
  const refused = await save()
  expect([refused.status, refused.code]).toEqual([409, 'slot.holdsStock'])
  expect((await save({ removeContents: true })).status).toBe(200)
  expect(await movesOf('remove', machine.slots[0]?.placeId)).toEqual([
    { quantity: 4, user_id: person.id, is_in: false },
  ])
  expect((await slotsOf(machine))[0]).toMatchObject({ productCode: other.code, stock: 0, state: 'out_of_stock' })
  const [told] = await commandsOf(machine)
  expect(told).toMatchObject({ type: 'push_planogram', data: { version: 1 } })
  const [said] = Object(told).data.slots
  expect(said).toEqual({
    code: slot?.code,
    product: other.code,
    priceFen: 500,
    capacity: 10,
    choice: 'none',
    locked: false,
    alarmThreshold: 1,
  })
})

test('a product for the next service begins with its fill, and the machine is told then', async () => {
  const machine = await machineWith({ stock: 3 })
  const [slot] = await slotsOf(machine)
  const other = await product()
  const plan = wish(slot, { productId: other.id, priceFen: 700, capacity: 6 })
  const saved = await call(saveSlots, { id: machine.id, slots: [plan], when: 'nextService' })
  expect(saved.data).toEqual({ changed: 0, planned: 1, commandId: null })
  expect((await slotsOf(machine))[0]).toMatchObject({
    productCode: machine.slots[0]?.productCode,
    stock: 3,
    next: { productCode: other.code, priceFen: 700, capacity: 6, by: person.account },
  })
  const fill = {
    machineId: machine.id,
    merchantId: machine.merchantId,
    slot: slot?.code ?? '',
    quantity: 5,
    occurredAt: NOON,
    batch: null,
    reference: 'message/test',
  }
  const { db } = world.services
  const old = machine.slots[0]?.productCode ?? ''
  await db.transaction().execute((tx) => takeFills(tx, [{ ...fill, product: old, quantity: 1 }]))
  expect((await slotsOf(machine))[0]).toMatchObject({ stock: 4, next: { productCode: other.code } })
  await db.transaction().execute((tx) => takeFills(tx, [{ ...fill, product: other.code }]))
  expect((await slotsOf(machine))[0]).toMatchObject({
    productCode: other.code,
    priceFen: 700,
    capacity: 6,
    stock: 5,
    next: null,
  })
  expect(await movesOf('remove', machine.slots[0]?.placeId)).toMatchObject([{ quantity: 4, user_id: null }])
  await jobs[0]?.run(world.services, { machineId: machine.id })
  expect((await commandsOf(machine)).map(({ type }) => type)).toEqual(['push_planogram'])
})

test('a plan for the next service is forgotten when somebody says so', async () => {
  const machine = await machineWith()
  const [slot] = await slotsOf(machine)
  const other = await product()
  await call(saveSlots, { id: machine.id, slots: [wish(slot, { productId: other.id })], when: 'nextService' })
  expect((await call(cancelNextPlan, { id: machine.id, codes: [slot?.code] })).data).toEqual({ cancelled: 1 })
  expect((await slotsOf(machine))[0]).toMatchObject({ next: null })
  expect((await call(cancelNextPlan, { id: machine.id, codes: [slot?.code] })).code).toBe('slot.nothingChanged')
})

test('what the licence forbids is refused in slot and push by the same words, and marked in the list', async () => {
  const machine = await machineWith({ licenceMode: 'retail', stock: 0 })
  const [slot] = await slotsOf(machine)
  const [rx, otcB] = [await product('rx'), await product('otc_b')]
  const put = (productId: number) =>
    call(saveSlots, { id: machine.id, slots: [wish(slot, { productId })], when: 'nextService' })
  const refused = await put(rx.id)
  expect([refused.status, refused.code]).toEqual([422, 'slot.unlawful'])
  const words = (refused.fields as { msg: string }[])[0]?.msg
  const found = await call(listPlaceable, { id: machine.id, pageSize: 200 })
  const items = found.data.items as { code: string; unlawful: string | null }[]
  expect(items.find(({ code }) => code === rx.code)?.unlawful).toBe('otcBOnly')
  expect(items.find(({ code }) => code === otcB.code)?.unlawful).toBeNull()
  expect((await put(otcB.id)).status).toBe(200)
  // As after a change of the licence mode.
  await sql`update slot set product_id = ${rx.id} where machine_id = ${machine.id} and code = ${slot?.code}`.execute(
    world.services.db,
  )
  const pushed = await call(pushPlanogram, { id: machine.id, what: 'prices' })
  expect([pushed.code, (pushed.fields as { msg: string }[])[0]?.msg]).toEqual(['slot.unlawful', words])
})

test("another merchant's product is not there", async () => {
  const machine = await machineWith({ stock: 0 })
  const [slot] = await slotsOf(machine)
  const theirs = await addProduct(world.services.db, { merchantId: family.theirs.merchantId })
  const slots = [wish(slot, { productId: theirs.id })]
  expect((await call(saveSlots, { id: machine.id, slots, when: 'now' })).status).toBe(404)
})

test('a count corrects the books by a move with a name, and leaves alone what fits', async () => {
  const machine = await machineWith({ stock: 7 })
  const [a, b] = machine.slots
  const counts = [
    { code: a?.code, counted: 5 },
    { code: b?.code, counted: 7 },
  ]
  const counted = await call(countSlots, { id: machine.id, counts })
  expect(counted.data).toEqual({ corrections: [{ code: a?.code, before: 7, counted: 5 }] })
  await call(countSlots, { id: machine.id, counts: [{ code: a?.code, counted: 9 }] })
  expect(await movesOf('count', a?.placeId)).toEqual([
    { quantity: 2, user_id: person.id, is_in: false },
    { quantity: 4, user_id: person.id, is_in: true },
  ])
  expect(await movesOf('count', b?.placeId)).toEqual([])
  expect((await slotsOf(machine)).map(({ stock }) => stock)).toEqual([9, 7])
})

test('a cabinet grows by slots and layers up to ten each, and loses only what is empty', async () => {
  const machine = await machineWith({ stock: 0 })
  expect((await call(addSlots, { id: machine.id, layer: 2, count: 3 })).data).toEqual({ codes: ['B01', 'B02', 'B03'] })
  expect((await call(addSlots, { id: machine.id, layer: 1, count: 9 })).code).toBe('slot.layerFull')
  expect((await call(addSlots, { id: machine.id, layer: 0, count: 1 })).status).toBe(422)
  expect((await call(addSlots, { id: machine.id, layer: 11, count: 1 })).status).toBe(422)
  const [a, b] = machine.slots
  await call(countSlots, { id: machine.id, counts: [{ code: a?.code, counted: 1 }] })
  expect((await call(removeSlots, { id: machine.id, codes: [a?.code] })).code).toBe('slot.holdsStock')
  expect((await call(removeSlots, { id: machine.id, codes: [b?.code, 'B01', 'B03'] })).data).toEqual({ removed: 3 })
  expect((await slotsOf(machine)).map(({ code }) => code)).toEqual([a?.code, 'B02'])
  await call(countSlots, { id: machine.id, counts: [{ code: a?.code, counted: 0 }] })
  expect((await call(removeSlots, { id: machine.id, codes: [a?.code, 'B02'] })).code).toBe('slot.lastOne')
  // The place is free again, under the same name.
  expect((await call(addSlots, { id: machine.id, layer: 2, count: 1 })).data).toEqual({ codes: ['B01'] })
})

test('a locked slot sells nothing, and says so', async () => {
  const machine = await machineWith()
  const [slot] = await slotsOf(machine)
  await call(saveSlots, { id: machine.id, slots: [wish(slot, { isLocked: true })], when: 'now' })
  expect((await slotsOf(machine))[0]).toMatchObject({ isLocked: true, state: 'stopped_sale' })
})

test('a slot that an excursion holds is not unlocked with the plan', async () => {
  const machine = await machineWith()
  await sql`update slot set is_locked = true, lock_reason = 'temperature' where machine_id = ${machine.id}
    and code = 'A1'`.execute(world.services.db)
  const [first] = await slotsOf(machine)
  const save = (more: Record<string, unknown>) =>
    call(saveSlots, { id: machine.id, when: 'now', slots: [wish(first, more)] })
  expect(await save({ isLocked: false })).toMatchObject({ status: 409, code: 'slot.held' })
  expect(await save({ priceFen: 700 })).toMatchObject({ status: 200 })
  const after = await slotsOf(machine)
  expect(after[0]).toMatchObject({ priceFen: 700, isLocked: true, lockReason: 'temperature' })
})
