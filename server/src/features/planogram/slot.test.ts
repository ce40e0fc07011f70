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
import { PUSH_AFTER_SERVICE, takeFills } from '../stock/public'
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
  expect(told).toMatchObject({ type: 'push_planogram', data: { version: 1, sets: [] } })
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
  await jobs.find(({ name }) => name === PUSH_AFTER_SERVICE)?.run(world.services, { machineId: machine.id })
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

test('what the assortment of the machine recommends is offered first, and says for which slots', async () => {
  const machine = await machineWith({ stock: 0 }, 1)
  const last = await product()
  const { db } = world.services
  const { merchantId } = family.ours
  await sql`update product set name = 'Ω last by name' where id = ${last.id}`.execute(db)
  const made = await sql<{ id: number }>`insert into assortment (merchant_id, name, created_at)
    values (${merchantId}, 'Winter', ${NOON}) returning id`.execute(db)
  const id = made.rows[0]?.id
  await sql`insert into assortment_product (assortment_id, product_id) values (${id}, ${last.id})`.execute(db)
  await sql`insert into assortment_slot (assortment_id, slot_code, product_id)
    values (${id}, 'A1', ${last.id}), (${id}, 'A2', ${last.id})`.execute(db)
  const offered = async () => (await call(listPlaceable, { id: machine.id, pageSize: 2 })).data.items as object[]
  expect((await offered())[0]).not.toMatchObject({ code: last.code })
  await sql`insert into assortment_machine (assortment_id, machine_id) values (${id}, ${machine.id})`.execute(db)
  const [first, second] = await offered()
  expect(first).toMatchObject({ code: last.code, recommendedFor: ['A1', 'A2'], isInAssortment: true })
  expect(second).toMatchObject({ recommendedFor: [], isInAssortment: false })
})

test("another merchant's product is not there", async () => {
  const machine = await machineWith({ stock: 0 })
  const [slot] = await slotsOf(machine)
  const theirs = await addProduct(world.services.db, { merchantId: family.theirs.merchantId })
  const slots = [wish(slot, { productId: theirs.id })]
  expect((await call(saveSlots, { id: machine.id, slots, when: 'now' })).status).toBe(404)
})

test('a slot is out of a product only while it should hold it', async () => {
  const { db } = world.services
  const machine = await machineWith({ stock: 3 }, 4)
  const [now, next, removed, kept] = machine.slots
  const other = await product()
  const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
  const outs = async (slot: BuiltMachine['slots'][number] | undefined) =>
    (
      await sql<{ productId: number; ended: Date | null }>`select product_id as "productId", ended_at as ended
        from stock_out where place_id = ${slot?.placeId} order by began_at`.execute(db)
    ).rows
  const fill = (slot: BuiltMachine['slots'][number] | undefined, code: string, minutes: number) => {
    const { id: machineId, merchantId } = machine
    const given = { slot: slot?.code ?? '', product: code, quantity: 2, occurredAt: at(minutes), batch: null }
    return db
      .transaction()
      .execute((tx) => takeFills(tx, [{ machineId, merchantId, ...given, reference: 'message/x' }]))
  }
  await call(countSlots, { id: machine.id, counts: machine.slots.map(({ code }) => ({ code, counted: 0 })) })
  try {
    const rows = await slotsOf(machine)
    const wishes = (index: number) => [wish(rows[index], { productId: other.id })]
    world.setNow(at(1))
    await call(saveSlots, { id: machine.id, slots: wishes(0), when: 'now' })
    await call(saveSlots, { id: machine.id, slots: wishes(1), when: 'nextService' })
    await call(removeSlots, { id: machine.id, codes: [removed?.code] })
    await fill(next, other.code, 2)
    expect(await outs(now)).toEqual([{ productId: now?.productId, ended: at(1) }])
    expect(await outs(next)).toEqual([{ productId: next?.productId, ended: at(2) }])
    expect(await outs(removed)).toEqual([{ productId: removed?.productId, ended: at(1) }])
    expect(await outs(kept)).toEqual([{ productId: kept?.productId, ended: null }])
    // What comes and goes of another product than the slot's is no want of it.
    await fill(now, now?.productCode ?? '', 3)
    await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
        reference) select merchant_id, ${at(4)}, product_id, quantity, to_place_id, from_place_id, 'remove', 'test'
      from stock_move where to_place_id = ${now?.placeId} and moved_at = ${at(3)}`.execute(db)
    expect(await outs(now)).toHaveLength(1)
    const asKept = await outs(next)
    await sql`select rebuild_stock_outs()`.execute(db)
    expect(await outs(next)).toEqual(asKept)
    expect(await outs(removed)).toEqual([{ productId: removed?.productId, ended: expect.any(Date) }])
    expect(await outs(kept)).toEqual([{ productId: kept?.productId, ended: null }])
  } finally {
    world.setNow(NOON)
  }
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
  // Nor are its goods booked back into stock by putting something else there.
  const emptied = { id: machine.id, when: 'now', removeContents: true, slots: [wish(first, { productId: null })] }
  expect(await call(saveSlots, emptied)).toMatchObject({ status: 409, code: 'slot.held' })
  expect(await save({ priceFen: 700 })).toMatchObject({ status: 200 })
  const after = await slotsOf(machine)
  expect(after[0]).toMatchObject({ priceFen: 700, isLocked: true, lockReason: 'temperature' })
})
