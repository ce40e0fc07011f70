import {
  type CareTask,
  correctCare,
  getCareSheet,
  getCareTask,
  listCareTasks,
  signCare,
  summariseCare,
} from '@aisle/contract/medicine/care'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { planCare } from './care.jobs'
import { routes } from './care.routes'

/** Noon in Shanghai. */
const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
let world: World
let http: HttpWorld
let userId: number
let stranger: string
let machine: BuiltMachine
let batchId: number
const signer = { name: '' }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [product], licenceMode: 'retail', stock: 0 })
  const grants = ['careRecord.*']
  const user = await addUser(db, { merchantId, kind: 'ordinary', grants, machineIds: [machine.id] })
  signer.name = user.account
  userId = user.id
  stranger = await addSession(db, (await addUser(db, { merchantId: otherId, grants })).id, NOON)
  const made = await sql<{ id: number }>`insert into medicine_batch (product_id, number, produced_on, expires_on,
      changed_at)
    values (${product.id}, 'B1', '2025-01-01', '2028-01-01', ${NOON}) returning id`.execute(db)
  batchId = made.rows[0]?.id ?? 0
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  world.setNow(NOON)
  await sql`alter table care_record disable trigger user`.execute(db)
  await sql`delete from care_record`.execute(db)
  await sql`alter table care_record enable trigger user`.execute(db)
  await sql`delete from care_task`.execute(db)
  await sql`update medicine_batch set state = default`.execute(db)
  await move(-1)
})

/** The slot holds so many of the batch; -1 brings what is there to six, that came on October 1. */
async function move(quantity: number): Promise<void> {
  const { db } = world.services
  const [slot] = machine.slots
  const there = await sql<{ quantity: number }>`select quantity from batch_level
    where place_id = ${slot?.placeId}`.execute(db)
  const change = (quantity < 0 ? 6 : quantity) - (there.rows[0]?.quantity ?? 0)
  if (change === 0) return
  const places = await sql<{ id: number }>`select id from place
    where merchant_id = ${machine.merchantId} and kind = 'supplier'`.execute(db)
  if (places.rows.length === 0) {
    await sql`insert into place (merchant_id, kind) values (${machine.merchantId}, 'supplier')`.execute(db)
    return move(quantity)
  }
  const outside = places.rows[0]?.id
  const [from, to] = change > 0 ? [outside, slot?.placeId] : [slot?.placeId, outside]
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference, batch)
    values (${machine.merchantId}, '2026-10-01T04:00:00Z', ${slot?.productId}, ${Math.abs(change)}, ${from}, ${to},
      ${change > 0 ? 'fill' : 'remove'}, 'test', 'B1')`.execute(db)
}

/** Signed in anew each time: the clock is moved by weeks. */
const call = async (...args: Parameters<HttpWorld['call']>) =>
  http.call(args[0], args[1], { token: await addSession(world.services.db, userId, world.services.clock.now()) })
const at = (day: string) => world.setNow(new Date(`${day}T04:00:00Z`))
const plan = () => planCare(world.services)
const tasks = async (input: Record<string, unknown> = {}) =>
  ((await call(listCareTasks, input)).body.data as { items: CareTask[] }).items
const batchState = async () =>
  (await sql<{ state: string }>`select state from medicine_batch where id = ${batchId}`.execute(world.services.db))
    .rows[0]?.state

test('a batch in a machine has one task, due a quarter after it came, however often the plan is made', async () => {
  await plan()
  await plan()
  expect(await tasks()).toMatchObject([
    { batch: 'B1', machineCode: machine.code, kind: 'normal', dueOn: '2027-01-01', daysLeft: 42, quantity: 6 },
  ])
  expect((await http.call(listCareTasks, {}, { token: stranger })).body.data).toMatchObject({ items: [] })
})

test('who signs, when and what was measured can not be typed, and a record is never changed', async () => {
  await plan()
  const [task] = await tasks()
  const { db } = world.services
  for (const [hours, celsius, humidity] of [
    [30, 185, 480],
    [20, 243, 610],
    // Before the period.
    [24 * 80, 390, 900],
  ] as const) {
    const measuredAt = new Date(NOON.getTime() - hours * 3_600_000)
    await sql`insert into temperature_record (merchant_id, machine_id, day, place, at, received_at, msg_id, probe,
        celsius_tenths, humidity_tenths, hash)
      values (${machine.merchantId}, ${machine.id}, ${measuredAt}::timestamptz::date, 1, ${measuredAt}, ${measuredAt},
        ${`m${hours}`}, 0, ${celsius}, ${humidity}, '\\x00')`.execute(db)
  }
  const measured = { lowestC: 18.5, highestC: 24.3, lowestHumidity: 48, highestHumidity: 61, readings: 2 }
  expect((await call(getCareTask, { id: task?.id })).body.data).toMatchObject({ ...measured, records: [] })
  const forged = await call(signCare, { id: task?.id, result: 'ok', signedAt: '2026-10-01T00:00:00Z' })
  expect(forged.status).toBe(422)
  const signed = await call(signCare, { id: task?.id, result: 'ok', measures: '通风' })
  expect(signed.body.data).toMatchObject({ state: 'done', isLocked: false })
  const record = { result: 'ok', measures: '通风', signedBy: signer.name, quantity: 6 }
  const shown = (await call(getCareTask, { id: task?.id })).body.data as { records: { id: number; signedAt: string }[] }
  expect(shown.records).toMatchObject([{ ...record, ...measured, correctedBy: null }])
  expect(Date.parse(shown.records[0]?.signedAt ?? '')).toBe(NOON.getTime())
  expect((await call(signCare, { id: task?.id, result: 'ok' })).body.code).toBe('care.state')
  await expect(sql`update care_record set measures = 'nothing'`.execute(db)).rejects.toThrow()
  await expect(sql`delete from care_record`.execute(db)).rejects.toThrow()
  expect(await batchState()).not.toBe('locked')

  const wrong = shown.records[0]?.id
  const right = { id: task?.id, record: wrong, result: 'ok', measures: '除湿', reason: '写错措施' }
  expect((await call(correctCare, right)).status).toBe(200)
  expect((await call(correctCare, right)).body.code).toBe('care.corrected')
  const both = (await call(getCareTask, { id: task?.id })).body.data as { records: { correctedBy: number | null }[] }
  expect(both.records).toMatchObject([{ measures: '除湿', correctedBy: null }, { measures: '通风' }])
  expect(both.records[1]?.correctedBy).not.toBeNull()
  expect((await http.call(signCare, { id: task?.id, result: 'ok' }, { token: stranger })).status).toBe(404)
})

test('what has to be kept cold from now on is due earlier', async () => {
  await plan()
  const { db } = world.services
  const [slot] = machine.slots
  await sql`insert into medicine (product_id, storage) values (${slot?.productId}, 'cold')`.execute(db)
  await plan()
  expect(await tasks()).toMatchObject([{ kind: 'key', keyReasons: ['cold'] }])
  expect((await tasks())[0]?.dueOn.localeCompare('2027-01-01')).toBe(-1)
  await sql`delete from medicine where product_id = ${slot?.productId}`.execute(db)
})

test('what nobody looked at in time stays as missed, and is made up for within a month', async () => {
  await plan()
  at('2027-01-04')
  await plan()
  expect(await tasks({ due: 'overdue' })).toMatchObject([{ state: 'open', daysLeft: -3 }])
  at('2027-01-09')
  await plan()
  expect(await tasks()).toMatchObject([
    { state: 'open', kind: 'key', keyReasons: ['missed'], dueOn: '2027-02-01' },
    { state: 'missed', dueOn: '2027-01-01', signedAt: null, result: null },
  ])
  const missed = (await tasks({ state: 'missed' }))[0]
  expect((await call(signCare, { id: missed?.id, result: 'ok' })).body.code).toBe('care.state')
  expect((await call(summariseCare)).body.data).toMatchObject({ month: '2027-01', missedThisMonth: 1, overdue: 0 })
})

test('what is not in order is sold no longer, and what left the machine asks for nothing', async () => {
  await plan()
  const [task] = await tasks()
  const held = await call(signCare, { id: task?.id, result: 'hold', measures: '外包装受潮' })
  expect(held.body.data).toMatchObject({ isLocked: true })
  expect(await batchState()).toBe('locked')
  await plan()
  expect(await tasks()).toMatchObject([{ state: 'open', dueOn: '2027-02-20' }, { result: 'hold' }])
  await move(0)
  await plan()
  expect(await tasks({ state: 'gone' })).toMatchObject([{ dueOn: '2027-02-20', signedAt: null }])
})

test('the sheet of a month has what was done, what was missed and what is still open', async () => {
  await plan()
  const [task] = await tasks()
  await call(signCare, { id: task?.id, result: 'ok', measures: '' })
  const november = (await call(getCareSheet, { month: '2026-11' })).body.data
  expect(november).toMatchObject({ total: 1, items: [{ batch: 'B1', signedBy: signer.name, result: 'ok' }] })
  expect((await call(getCareSheet, { month: '2026-12' })).body.data).toMatchObject({ total: 0, items: [] })
  expect((await call(listCareTasks, { month: '2026-13' })).status).toBe(422)
  world.setNow(new Date(NOON.getTime() + DAY_MS))
})
