import { randomUUID } from 'node:crypto'
import { addBatch } from '@aisle/contract/medicine/batch'
import { addRecall, listRecallTargets, pullTarget, startRecall } from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { freeSlots } from '../device/command/free.commands'
import { takeRecalled, tellRecall } from '../device/command/recall.commands'
import { routes as batchRoutes } from '../medicine/batch/batch.routes'
import { pushAfterService } from '../planogram/push.commands'
import { routes as recallRoutes } from '../medicine/recall/recall.routes'
import { spreadRecall } from '../medicine/recall/recall.spread'
import { outsidePlaces, recordMoves } from '../stock/public'
import { openPulling } from './recall.store'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: Awaited<ReturnType<typeof openHttp>>
let merchantId: number
let machine: BuiltMachine
let tokens: string[]

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...batchRoutes, ...recallRoutes))
  const { db } = world.services
  merchantId = await addMerchant(db)
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [product], stock: 0 })
  const person = async () => {
    const { id } = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['*'] })
    return addSession(db, id, NOON)
  }
  tokens = [await person(), await person()]
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function startedRecall(number = 'R7'): Promise<number> {
  const [writer, starter] = tokens
  const { db } = world.services
  const productId = machine.slots[0]?.productId ?? 0
  const batch = { productId, number, expiresOn: '2027-08' }
  const made = await http.call(addBatch, batch, { token: writer ?? '' })
  const { id: batchId } = made.body.data as { id: number }
  await db.transaction().execute(async (tx) => {
    const fromPlaceId = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const toPlaceId = machine.slots[0]?.placeId ?? 0
    const move = { merchantId, movedAt: NOON, productId, quantity: 5, fromPlaceId, toPlaceId, batch: number }
    await recordMoves(tx, [{ ...move, cause: 'fill', reference: 'test' }])
  })
  const recall = { batchId, class: 'ii', reason: 'notice of the maker' }
  const { id } = (await http.call(addRecall, recall, { token: writer ?? '' })).body.data as { id: number }
  expect((await http.call(startRecall, { id }, { token: starter ?? '' })).status).toBe(200)
  await spreadRecall(world.services, id)
  return id
}

test('a machine with the batch is told once, has one work order, and its answer is kept', async () => {
  const { db, clock } = world.services
  const recallId = await startedRecall()
  for (let time = 0; time < 2; time += 1) {
    await tellRecall(world.services, recallId)
    await openPulling(world.services, recallId)
  }
  const commands = await sql<{ type: string; data: unknown }>`select type, data from device_command
    where machine_id = ${machine.id}`.execute(db)
  expect(commands.rows).toMatchObject([{ type: 'recall_batch', data: { batch: 'R7', recall: recallId } }])
  const orders = await sql<{ source: string; kind: string }>`select source, kind from repair_order
    where recall_id = ${recallId}`.execute(db)
  expect(orders.rows).toEqual([{ source: 'recall', kind: 'maintenance' }])
  const state = async () =>
    (await http.call(listRecallTargets, { recallId }, { token: tokens[0] ?? '' })).body.data as { items: object[] }
  expect((await state()).items).toMatchObject([{ state: 'notified' }])
  const said = { type: 'recall_batch', state: 'done', isLate: false, detail: null, result: null } as const
  const answer = { ...said, id: randomUUID(), machineId: machine.id, merchantId, data: { recall: recallId } }
  await db.transaction().execute((tx) => takeRecalled(tx, [{ ...answer, at: clock.now() }]))
  expect((await state()).items).toMatchObject([{ state: 'acknowledged' }])
})

test('a slot sells again once what was recalled is out of it, and nothing else holds it', async () => {
  const { db } = world.services
  const placeIds = [machine.slots[0]?.placeId ?? 0]
  const unlocks = async () =>
    (await sql`select data from device_command where machine_id = ${machine.id} and type = 'unlock_slot'`.execute(db))
      .rows
  const pull = async (recallId: number) => {
    const found = await http.call(listRecallTargets, { recallId }, { token: tokens[0] ?? '' })
    const [target] = (found.body.data as { items: { id: number }[] }).items
    const pulled = await http.call(pullTarget, { id: target?.id, pulled: 5 }, { token: tokens[0] ?? '' })
    expect(pulled.status).toBe(200)
    await freeSlots(world.services, placeIds)
  }
  const toldLocked = async () => {
    await db.transaction().execute((tx) => pushAfterService(tx, machine.id, NOON))
    const plan = await sql<{ locked: boolean }>`select (data #>> '{slots,0,locked}')::boolean as locked
      from device_command where machine_id = ${machine.id} and type = 'push_planogram'
      order by seq desc limit 1`.execute(db)
    return plan.rows[0]?.locked
  }
  await sql`delete from device_command where machine_id = ${machine.id}`.execute(db)
  await sql`update machine set licence_mode = 'retail' where id = ${machine.id}`.execute(db)
  // What the test before had recalled still lies there.
  const [old] = (await sql<{ id: number }>`select id from recall where state = 'active'`.execute(db)).rows
  const recallId = await startedRecall('R8')
  await tellRecall(world.services, recallId)
  expect(await toldLocked()).toBe(true)
  await pull(recallId)
  expect(await unlocks()).toEqual([])
  await sql`update slot set is_locked = true, lock_reason = 'temperature' where place_id = ${placeIds[0]}`.execute(db)
  await pull(old?.id ?? 0)
  expect(await unlocks()).toEqual([])
  await sql`update slot set is_locked = false, lock_reason = '' where place_id = ${placeIds[0]}`.execute(db)
  expect(await toldLocked()).toBe(false)
  await freeSlots(world.services, placeIds)
  await freeSlots(world.services, placeIds)
  expect(await unlocks()).toEqual([{ data: { slots: ['A1'] } }])
})
