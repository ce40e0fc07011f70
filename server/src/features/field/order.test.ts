import { listComingVisits } from '@aisle/contract/field/coming'
import * as contract from '@aisle/contract/field/replenishmentOrder'
import { getOutboundOrder, loadOutboundOrder } from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { takeFills } from '../stock/public'
import { openStore, type Store } from '../stock/testing.store'
import { routes } from './order.routes'
import { pickTour } from './testing.tour'

const NOON = new Date('2026-11-20T04:00:00Z')
let store: Store
let machine: BuiltMachine
let water: { id: number; code: string }
let pills: { id: number; code: string }

beforeAll(async () => {
  store = await openStore(NOON, { grants: ['replenishmentOrder.*', 'machine.read'], routes })
  const { db, merchantId } = store
  water = await addProduct(db, { merchantId })
  pills = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [water, pills], stock: 0 })
  await sql`update slot set capacity = 10 where machine_id = ${machine.id}`.execute(db)
  await store.buy({ productId: water.id, quantity: 50 })
  await store.knowBatch(pills.id, 'B1', { expiresOn: '2027-11-20' })
  await store.buy({ productId: pills.id, quantity: 50, batch: 'B1' })
})
afterAll(() => store.close())

const add = (more: Record<string, unknown> = {}) => {
  const { warehouseId, replenisher } = store
  const about = { warehouseId, replenisherId: replenisher.id, machineIds: [machine.id], coverDays: 3 }
  return store.call(contract.addReplenishmentOrder, { ...about, ...more })
}
type Detail = {
  version: number
  state: string
  planned: number
  filled: number | null
  outbound: { id: number; no: string } | null
  stops: { unplanned: number; lines: Record<string, unknown>[] }[]
}
const read = async (id: number) => (await store.call(contract.getReplenishmentOrder, { id })).data as unknown as Detail
const verb = (endpoint: Parameters<Store['call']>[0], id: number, more = {}) => store.call(endpoint, { id, ...more })
const fill = (slot: number, quantity: number, at: Date, batch: string | null = null) => {
  const { code, productCode } = machine.slots[slot] ?? { code: '', productCode: '' }
  const one = {
    machineId: machine.id,
    merchantId: store.merchantId,
    slot: code,
    product: productCode,
    quantity,
    occurredAt: at,
    batch,
    counted: { beforePieces: 0, afterPieces: quantity, replenisher: 'filler' },
    reference: `message/${machine.code}/${slot}/${at.getTime()}`,
  }
  return store.db.transaction().execute((tx) => takeFills(tx, [one]))
}
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000)

test('an order says of each slot what to bring and why, is loaded, and shows what was put in', async () => {
  const made = await add()
  expect(made).toMatchObject({ status: 200, data: { no: 'BH20261120-0001' } })
  const id = Number(made.data.id)
  const draft = await read(id)
  expect(draft).toMatchObject({ state: 'draft', planned: 20, filled: null, outbound: null })
  expect(draft.stops[0]?.lines).toMatchObject([
    { productId: water.id, there: 0, capacity: 10, bring: 10, reason: 'empty', lastsDays: null },
    { productId: pills.id, bring: 10, reason: 'empty' },
  ])
  const change = { version: 1, lines: [{ slotId: machine.slots[0]?.id, bring: 6 }] }
  expect((await verb(contract.editReplenishmentOrder, id, change)).status).toBe(200)
  expect((await verb(contract.editReplenishmentOrder, id, change)).code).toBe('edit.stale')
  const foreign = { version: 2, lines: [{ slotId: 999_999_999, bring: 6 }] }
  expect((await verb(contract.editReplenishmentOrder, id, foreign)).code).toBe('replenishmentOrder.lines')
  expect((await verb(contract.departReplenishmentOrder, id)).code).toBe('replenishmentOrder.state')
  const outboundId = await pickTour(store, id)
  expect((await verb(contract.departReplenishmentOrder, id)).code).toBe('replenishmentOrder.notLoaded')
  await store.call(loadOutboundOrder, { id: outboundId })
  expect((await verb(contract.cancelReplenishmentOrder, id, { reason: 'x' })).code).toBe('replenishmentOrder.loaded')
  await fill(0, 1, minutes(-30))
  expect((await verb(contract.departReplenishmentOrder, id)).data.state).toBe('underWay')
  await fill(0, 4, minutes(5))
  await fill(1, 12, minutes(6), 'B1')
  store.world.setNow(minutes(12))
  expect((await verb(contract.finishReplenishmentOrder, id)).data.state).toBe('done')
  // Heard long after, and of the tour all the same; what was put in after it is not.
  await fill(0, 1, minutes(10))
  await fill(0, 1, minutes(20))
  const done = await read(id)
  expect(done).toMatchObject({ state: 'done', planned: 16, filled: 17 })
  expect(done.stops[0]).toMatchObject({
    unplanned: 0,
    lines: [
      { bring: 6, filled: 5, fromBag: 5 },
      { bring: 10, filled: 12, fromBag: 10 },
    ],
  })
  const listed = (await store.call(contract.listReplenishmentOrders, { q: 'BH', state: 'done' })).data as {
    items: unknown[]
  }
  expect(listed.items).toEqual([expect.objectContaining({ id, filled: 17, machines: 1 })])
  store.world.setNow(NOON)
})

test('who sets out to a machine is the only one under way to it', async () => {
  await sql`update slot set capacity = 60, alarm_threshold = 99 where machine_id = ${machine.id}`.execute(store.db)
  const [first, second] = [Number((await add()).data.id), Number((await add()).data.id)]
  for (const id of [first, second]) {
    const few = machine.slots.map((slot) => ({ slotId: slot.id, bring: 2 }))
    await verb(contract.editReplenishmentOrder, id, { version: 1, lines: few })
    await store.call(loadOutboundOrder, { id: await pickTour(store, id) })
  }
  const answers = await Promise.all([first, second].map((id) => verb(contract.departReplenishmentOrder, id)))
  expect(answers.map(({ code }) => code)).toContain('replenishmentOrder.taken')
  const [won, lost] = answers[0]?.status === 200 ? [first, second] : [second, first]
  expect((await verb(contract.finishReplenishmentOrder, won)).status).toBe(200)
  expect((await verb(contract.departReplenishmentOrder, lost)).status).toBe(200)
  await verb(contract.finishReplenishmentOrder, lost)
})

test('what a replenisher carries already is not taken out of the warehouse again', async () => {
  const coming = async () => (await store.call(listComingVisits, { machineId: machine.id })).data
  expect(await coming()).toEqual({ items: [], nextOn: null })
  const id = Number((await add()).data.id)
  const few = machine.slots.map((slot) => ({ slotId: slot.id, bring: 2 }))
  await verb(contract.editReplenishmentOrder, id, { version: 1, lines: few })
  await verb(contract.releaseReplenishmentOrder, id)
  expect((await verb(contract.loadReplenishmentOrder, id)).data.state).toBe('loading')
  expect(await read(id)).toMatchObject({ outbound: null })
  expect(await coming()).toMatchObject({
    items: [{ orderId: id, state: 'loading', machines: 1, pieces: 4, filled: 0 }],
  })
  expect((await verb(contract.departReplenishmentOrder, id)).data.state).toBe('underWay')
  // What is in the bag is that tour’s: another is given all that it brings.
  const other = Number((await add()).data.id)
  await verb(contract.editReplenishmentOrder, other, { version: 1, lines: few })
  const outboundId = await pickTour(store, other)
  const { lines } = (await store.call(getOutboundOrder, { id: outboundId })).data as { lines: { wanted: number }[] }
  expect(lines.map(({ wanted }) => wanted)).toEqual([2, 2])
  // It may be planned anew until its goods have left.
  expect((await verb(contract.reviseReplenishmentOrder, other)).data.state).toBe('draft')
  expect((await store.call(getOutboundOrder, { id: outboundId })).data).toMatchObject({ state: 'cancelled' })
  expect((await verb(contract.finishReplenishmentOrder, id)).data.state).toBe('done')
})

test('an order that is given up takes its outbound order along while nothing is loaded', async () => {
  const id = Number((await add()).data.id)
  const outboundId = await pickTour(store, id)
  expect((await verb(contract.cancelReplenishmentOrder, id, { reason: 'Rain' })).data.state).toBe('cancelled')
  expect((await store.call(getOutboundOrder, { id: outboundId })).data).toMatchObject({ state: 'cancelled' })
  const other = Number((await add()).data.id)
  await verb(contract.releaseReplenishmentOrder, other)
  expect((await verb(contract.reviseReplenishmentOrder, other)).data.state).toBe('draft')
})

test('without machines, need or one merchant nothing is written, and others’ machines are not there', async () => {
  expect((await add({ machineIds: [] })).code).toBe('replenishmentOrder.where')
  const { db, rootId, merchantId } = store
  const sister = await addMerchant(db, { parentId: rootId })
  const theirs = await addMachine(db, { merchantId: sister, products: [await addProduct(db, { merchantId: sister })] })
  expect((await add({ machineIds: [theirs.id] })).status).toBe(404)
  const child = await addMerchant(db, { parentId: merchantId })
  const below = await addMachine(db, { merchantId: child, products: [water] })
  expect((await add({ machineIds: [below.id] })).code).toBe('replenishmentOrder.merchants')
  const full = await addMachine(db, { merchantId, products: [water], stock: 10 })
  await sql`update slot set capacity = 10 where machine_id = ${full.id}`.execute(db)
  expect((await add({ machineIds: [full.id] })).code).toBe('replenishmentOrder.noNeed')
  const route = await sql<{ id: number }>`insert into route (merchant_id, name) values (${merchantId}, 'Tour')
    returning id`.execute(db)
  const routeId = route.rows[0]?.id
  expect((await add({ routeId })).code).toBe('replenishmentOrder.where')
  await sql`update machine set route_id = ${routeId}, route_order = 1 where id = ${machine.id}`.execute(db)
  expect((await add({ routeId, machineIds: [] })).status).toBe(200)
})
