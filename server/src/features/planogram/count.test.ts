import { countSlots, getPlanogram, saveSlots } from '@aisle/contract/planogram/slot'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { takeFills } from '../stock/public'
import { routes } from './slot.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let userId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const grants = ['machine.read', 'slot.write']
  userId = (await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })).id
  token = await addSession(world.services.db, userId, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { body } = await http.call(endpoint, input, { token })
  return { data: body.data as Record<string, unknown> }
}
const product = (medicineClass?: 'rx') =>
  addProduct(world.services.db, { merchantId: family.ours.merchantId, ...(medicineClass ? { medicineClass } : {}) })
const machineWith = async (more: Partial<Parameters<typeof addMachine>[1]>, count = 2) => {
  const products = await Promise.all(Array.from({ length: count }, () => product()))
  return addMachine(world.services.db, { merchantId: family.ours.merchantId, products, ...more })
}
const slotsOf = async ({ id }: BuiltMachine) =>
  (await call(getPlanogram, { id })).data.slots as Record<string, unknown>[]
const commandsOf = async ({ id }: BuiltMachine) =>
  (
    await sql<{ type: string; data: Record<string, unknown> }>`select type, data from device_command
      where machine_id = ${id} order by created_at, seq`.execute(world.services.db)
  ).rows
const movesOf = async (placeId: number | undefined) =>
  (
    await sql`select quantity, user_id, to_place_id = ${placeId ?? 0} as is_in from stock_move
      where cause = 'count' and ${placeId ?? 0} in (from_place_id, to_place_id) order by id`.execute(world.services.db)
  ).rows
/** What the machine said last; its goods were put in before, by the database's clock, which is finer than ours. */
const justNow = () => new Date(Date.now() + 1_000)
const report = (machine: BuiltMachine, slots: Record<string, unknown>[], at = justNow()) =>
  sql`update machine_state set snapshot = ${JSON.stringify({ slots })}, snapshot_at = ${at}
    where machine_id = ${machine.id}`.execute(world.services.db)

test('a count corrects the books by a move with a name, and leaves alone what fits', async () => {
  const machine = await machineWith({ stock: 7 })
  const [a, b] = machine.slots
  await report(machine, machine.slots.map(saying(7)))
  const counts = [
    { code: a?.code, counted: 5 },
    { code: b?.code, counted: 7 },
  ]
  const counted = await call(countSlots, { id: machine.id, counts })
  expect(counted.data.corrections).toEqual([{ code: a?.code, before: 7, counted: 5 }])
  await call(countSlots, { id: machine.id, counts: [{ code: a?.code, counted: 9 }] })
  expect(await movesOf(a?.placeId)).toEqual([
    { quantity: 2, user_id: userId, is_in: false },
    { quantity: 4, user_id: userId, is_in: true },
  ])
  expect(await movesOf(b?.placeId)).toEqual([])
  expect((await slotsOf(machine)).map(({ stock }) => stock)).toEqual([9, 7])
})

test('a count, or a size, that does not fit together is asked about, and taken once somebody is sure', async () => {
  const machine = await machineWith({ stock: 7 })
  const [a] = machine.slots
  const counts = [{ code: a?.code, counted: 100 }]
  const ask = (...[endpoint, input]: Parameters<HttpWorld['call']>) => http.call(endpoint, input, { token })
  const asked = await ask(countSlots, { id: machine.id, counts })
  expect([asked.status, asked.body.code, asked.body.fields]).toMatchObject([
    409,
    'slot.overCapacity',
    [{ path: `slots.${a?.code}`, reason: 'overCapacity' }],
  ])
  expect(JSON.stringify(asked.body.fields)).toMatch(/10.*100/)
  expect(await movesOf(a?.placeId)).toEqual([])
  expect((await ask(countSlots, { id: machine.id, counts, isSure: true })).status).toBe(200)
  expect((await slotsOf(machine)).map(({ stock }) => stock)).toEqual([100, 7])
  // The other way round: a size that is smaller than what lies in the slot.
  const [, b] = await slotsOf(machine)
  const { code, version, productId, priceFen, alarmThreshold, choice, isLocked } = Object(b)
  const slots = [{ code, version, productId, priceFen, alarmThreshold, choice, isLocked, capacity: 5 }]
  const sized = await ask(saveSlots, { id: machine.id, when: 'now', slots })
  expect([sized.status, sized.body.code]).toEqual([409, 'slot.overCapacity'])
  expect((await ask(saveSlots, { id: machine.id, when: 'now', slots, isSure: true })).status).toBe(200)
})

const saying =
  (stock: number) =>
  ({ code, productCode }: BuiltMachine['slots'][number]) => ({
    code,
    product: productCode,
    priceFen: 500,
    capacity: 10,
    stock,
    status: 'normal',
  })

test('the machine is told what was counted where it counts otherwise, and its snapshot confirms it', async () => {
  const machine = await machineWith({ stock: 7 })
  const [a, b] = machine.slots
  const driftsOf = async () =>
    (await slotsOf(machine)).map(({ reportedStock, stockDrift }) => [reportedStock, stockDrift])
  expect(await driftsOf()).toEqual([
    [null, null],
    [null, null],
  ])
  await report(machine, machine.slots.map(saying(7)))
  const count = (counts: Record<string, unknown>[]) => call(countSlots, { id: machine.id, counts })
  const fits = await count([{ code: a?.code, counted: 7 }])
  expect([fits.data, await commandsOf(machine)]).toEqual([{ corrections: [], commandId: null, isUnlawful: false }, []])
  const counts = [
    { code: a?.code, counted: 5 },
    { code: b?.code, counted: 7 },
  ]
  const corrected = await count(counts)
  expect(corrected.data.commandId).toEqual(expect.any(String))
  const [told] = await commandsOf(machine)
  expect(told?.type).toBe('push_planogram')
  const slots = Object(told).data.slots as Record<string, unknown>[]
  expect(slots.map(({ code, counted }) => [code, counted])).toEqual([
    [a?.code, { pieces: 5, at: NOON.toISOString() }],
    [b?.code, undefined],
  ])
  expect(await driftsOf()).toEqual([
    [7, -2],
    [7, 0],
  ])
  await report(machine, [saying(5)(a!), saying(7)(b!)])
  expect(await driftsOf()).toEqual([
    [5, 0],
    [7, 0],
  ])
})

test('what was filled after the report is no difference, and a machine with an unlawful plan is not told', async () => {
  const machine = await machineWith({ stock: 7, licenceMode: 'retail' }, 1)
  const [slot] = machine.slots
  const saidAt = justNow()
  await report(machine, [saying(7)(slot!)], saidAt)
  const later = { slot: slot?.code ?? '', product: slot?.productCode ?? '', quantity: 2, batch: null, reference: 'm/1' }
  const occurredAt = new Date(saidAt.getTime() + 60_000)
  const { id: machineId, merchantId } = machine
  const { db } = world.services
  await db.transaction().execute((tx) => takeFills(tx, [{ ...later, machineId, merchantId, occurredAt }]))
  expect((await slotsOf(machine))[0]).toMatchObject({ stock: 9, reportedStock: 7, stockDrift: 0 })
  const rx = await product('rx')
  await sql`update slot set product_id = ${rx.id} where machine_id = ${machine.id}`.execute(db)
  const counted = await call(countSlots, { id: machine.id, counts: [{ code: slot?.code, counted: 3 }] })
  expect(counted.data).toMatchObject({ corrections: [{ counted: 3 }], commandId: null, isUnlawful: true })
  expect(await commandsOf(machine)).toEqual([])
})
