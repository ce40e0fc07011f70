import { pullBatches } from '@aisle/contract/maintenance/pull'
import { type ExpiryRow, listExpiring, lockExpiring, summariseExpiry } from '@aisle/contract/medicine/expiry'
import { approveWriteOff, listWriteOffs, refuseWriteOff, writeOffBatches } from '@aisle/contract/stock/writeOff'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as maintenanceRoutes } from '../maintenance/maintenance.routes'
import { tellExpiry } from '../notice/notice.jobs'
import { outsidePlaces, recordMoves } from '../stock/public'
import { routes as stockRoutes } from '../stock/writeOff.routes'
import { nearFromIn } from './expiry.reads'
import { routes } from './expiry.routes'
import { nearFrom } from './expiry.rules'

/** Noon in Shanghai. */
const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let platformId: number
let merchantId: number
let machine: BuiltMachine
let pharmacist: string
let colleague: string
let stranger: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...stockRoutes, ...maintenanceRoutes))
  platformId = await addMerchant(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  const products = [
    await addProduct(db, { merchantId, medicineClass: 'otc_b' }),
    await addProduct(db, { merchantId, medicineClass: 'rx' }),
  ]
  machine = await addMachine(db, { merchantId, products, licenceMode: 'hospital', stock: 0 })
  const grants = ['batch.*', 'writeOff.*', 'repairOrder.*']
  const signedIn = async (owner: number) => addSession(db, (await addUser(db, { merchantId: owner, grants })).id, NOON)
  pharmacist = await signedIn(merchantId)
  colleague = await signedIn(merchantId)
  stranger = await signedIn(otherId)
})

/** So many of a batch go into a slot. @returns the id of where it lies */
async function fill(at: number, number: string, expiresOn: string, quantity: number): Promise<number> {
  const { db } = world.services
  const slot = machine.slots[at]
  const [placeId, productId] = [slot?.placeId ?? 0, slot?.productId ?? 0]
  await sql`insert into medicine_batch (product_id, number, produced_on, expires_on, changed_at)
    values (${productId}, ${number}, '2025-01-01', ${expiresOn}, ${NOON})`.execute(db)
  await db.transaction().execute(async (tx) => {
    const fromPlaceId = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const about = { merchantId, movedAt: NOON, productId, quantity, fromPlaceId, toPlaceId: placeId }
    await recordMoves(tx, [{ ...about, cause: 'fill', reference: 'test', batch: number }])
  })
  const found = await sql<{ id: number }>`select id from batch_level
    where place_id = ${placeId} and batch = ${number}`.execute(db)
  return found.rows[0]?.id ?? 0
}

const call = (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown> = {}, token = pharmacist) =>
  http.call(endpoint, input, { token })
const rowsOf = async (input: Record<string, unknown> = {}) =>
  ((await call(listExpiring, input)).body.data as { items: ExpiryRow[] }).items
const outcomesOf = async (...args: Parameters<typeof call>) =>
  ((await call(...args)).body.data as { outcomes: { outcome: string }[] }).outcomes.map(({ outcome }) => outcome)

test('PostgreSQL and the rule agree from when on a batch is near its expiry', async () => {
  const { db } = world.services
  const productId = machine.slots[0]?.productId
  const batches = [
    [null, '2026-12-31', null],
    [null, '2026-12-31', 30],
    [null, '2026-08-31', 730],
    ['2026-01-01', '2027-01-01', null],
    ['2026-01-01', '2027-01-02', null],
    ['2026-01-01', '2027-01-03', null],
    ['2024-02-29', '2026-08-31', 90],
  ] as const
  for (const [n, [producedOn, expiresOn, shelfLifeDays]] of batches.entries()) {
    await sql`update product set shelf_life_days = ${shelfLifeDays} where id = ${productId}`.execute(db)
    await sql`insert into medicine_batch (product_id, number, produced_on, expires_on, changed_at)
      values (${productId}, ${`N${n}`}, ${producedOn}, ${expiresOn}, ${NOON})`.execute(db)
    const found = await sql<{ day: string }>`select to_char(${nearFromIn}, 'YYYY-MM-DD') as day
      from medicine_batch b join product p on p.id = b.product_id left join medicine d on d.product_id = p.id
      join merchant m on m.id = ${merchantId}
      where b.product_id = ${productId} and b.number = ${`N${n}`}`.execute(db)
    expect(found.rows).toEqual([{ day: nearFrom({ producedOn, expiresOn, shelfLifeDays }, 6) }])
  }
})

test('what ends first stands first; an expired front piece shows the money that is stuck behind it', async () => {
  await fill(0, 'OLD', '2026-11-19', 2)
  await fill(0, 'NEW', '2028-01-01', 5)
  await fill(1, 'LAST', '2026-11-20', 3)
  // In which order its pieces stand is not known: what is good still blocks nothing.
  const last = machine.slots[1]
  await sql`insert into layer_doubt (place_id, product_id, reason, since)
    values (${last?.placeId}, ${last?.productId}, 'otherBatch', ${NOON}) on conflict do nothing`.execute(
    world.services.db,
  )
  const rows = await rowsOf()
  expect(rows).toMatchObject([
    { batch: 'OLD', standing: 'expired', daysLeft: -1, quantity: 2, valueFen: 1000, costFen: 400, isBlocking: true },
    { batch: 'LAST', standing: 'near', daysLeft: 0, isBlocking: false, trapped: 0 },
  ])
  expect(rows[0]).toMatchObject({ trapped: 5, trappedFen: 2500, machineCode: machine.code, slotCode: 'A1' })
  expect(await rowsOf({ blocking: 'yes' })).toHaveLength(1)
  expect(await rowsOf({ within: '7' })).toMatchObject([{ batch: 'LAST' }])
  const sums = { expired: 1, expiredFen: 1000, near: 1, within30: 1, blocking: 1, trappedFen: 2500 }
  expect((await call(summariseExpiry)).body.data).toMatchObject(sums)
  expect((await call(listExpiring, {}, stranger)).body.data).toMatchObject({ items: [] })
})

test('a batch is locked once, everywhere; a stranger finds nothing there', async () => {
  const id = await fill(0, 'OLD', '2026-11-19', 2)
  const reason = 'Expired'
  expect((await call(lockExpiring, { ids: [id], reason }, stranger)).status).toBe(404)
  expect(await outcomesOf(lockExpiring, { ids: [id, 999_999], reason })).toEqual(['done', 'notFound'])
  expect(await outcomesOf(lockExpiring, { ids: [id], reason })).toEqual(['stoppedBefore'])
  expect(await rowsOf()).toMatchObject([{ stop: 'locked' }])
})

test('the field is asked once to take it out, one order a machine', async () => {
  const ids = [await fill(0, 'OLD', '2026-11-19', 2), await fill(1, 'LAST', '2026-11-20', 3)]
  expect(await outcomesOf(pullBatches, { ids, dueOn: '2026-11-21' })).toEqual(['done', 'done'])
  expect(await outcomesOf(pullBatches, { ids })).toEqual(['pulledAlready', 'pulledAlready'])
  const { db } = world.services
  const orders = await sql`select problem, due_on::text as due from repair_order
    where machine_id = ${machine.id}`.execute(db)
  expect(orders.rows).toEqual([{ problem: expect.stringMatching(/A1 .* OLD × 2; A2 .* LAST × 3/), due: '2026-11-21' }])
  expect(await rowsOf()).toMatchObject([{ isPulled: true }, { isPulled: true }])
  expect((await call(pullBatches, { ids }, stranger)).status).toBe(404)
})

test('a write-off moves to scrap; a dear one waits for another person, and a day is counted together', async () => {
  const { db } = world.services
  await sql`insert into setting (key, merchant_id, value) values ('writeOff.secondPersonFen', ${merchantId}, '1000')
    on conflict (key, merchant_id) do update set value = excluded.value`.execute(db)
  const ids = [await fill(0, 'OLD', '2026-11-19', 4), await fill(1, 'LAST', '2026-11-20', 3)]
  const said = { why: 'expired', note: 'Taken out and destroyed' }
  expect(await outcomesOf(writeOffBatches, { ids: [ids[0]], ...said })).toEqual(['done'])
  const scrapped = await sql`select quantity, cause, batch from stock_move
    where merchant_id = ${merchantId} and cause = 'scrap'`.execute(db)
  expect(scrapped.rows).toEqual([{ quantity: 4, cause: 'scrap', batch: 'OLD' }])
  // 800 fen before, 600 now.
  expect(await outcomesOf(writeOffBatches, { ids: [...ids], ...said })).toEqual(['gone', 'waiting'])
  expect(await outcomesOf(writeOffBatches, { ids: [ids[1]], ...said })).toEqual(['waitsAlready'])
  expect((await call(writeOffBatches, { ids, ...said }, stranger)).status).toBe(404)
  const waiting = (await call(listWriteOffs, { state: 'waiting' })).body.data as { items: { id: number }[] }
  expect(waiting.items).toMatchObject([{ batch: 'LAST', quantity: 3, costFen: 600 }])
  const id = waiting.items[0]?.id
  expect((await call(approveWriteOff, { id })).body.code).toBe('writeOff.ownRequest')
  expect((await call(approveWriteOff, { id }, stranger)).status).toBe(404)
  expect((await call(approveWriteOff, { id }, colleague)).body.data).toMatchObject({ state: 'done' })
  expect((await call(refuseWriteOff, { id, reason: 'Wrong' }, colleague)).body.code).toBe('writeOff.state')
  expect(await rowsOf()).toEqual([])
  const left = await sql<{ left: number }>`select sum(quantity)::int as left from stock_level
    where place_id = any(${machine.slots.map(({ placeId }) => placeId)}::bigint[])`.execute(db)
  expect(left.rows).toEqual([{ left: 0 }])
})

test('what is on its way between two stores is written off where it arrives, and not before', async () => {
  const { db } = world.services
  await fill(0, 'WAY', '2026-11-19', 1)
  const productId = machine.slots[0]?.productId ?? 0
  const found = await sql<{ id: number }>`insert into place (merchant_id, kind) values (${merchantId}, 'transit')
    returning id`.execute(db)
  const toPlaceId = found.rows[0]?.id ?? 0
  await db.transaction().execute(async (tx) => {
    const fromPlaceId = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const about = { merchantId, movedAt: NOON, productId, quantity: 2, fromPlaceId, toPlaceId, batch: 'WAY' }
    await recordMoves(tx, [{ ...about, cause: 'transfer', reference: 'test' }])
  })
  const level = await sql<{ id: number }>`select id from batch_level where place_id = ${toPlaceId}`.execute(db)
  const said = { ids: [level.rows[0]?.id], why: 'expired', note: 'Taken out' }
  expect(await outcomesOf(writeOffBatches, said)).toEqual(['onWay'])
  const left = await sql`select quantity from stock_level where place_id = ${toPlaceId}`.execute(db)
  expect(left.rows).toEqual([{ quantity: 2 }])
})

test('whoever may stop a batch hears of a morning once what has expired and what soon will', async () => {
  const { db } = world.services
  await fill(0, 'OLD', '2026-11-19', 4)
  await fill(1, 'SOON', '2026-12-10', 3)
  await tellExpiry(world.services)
  await tellExpiry(world.services)
  const told = await sql<{ title: string }>`select title from outbox_message
    where type = 'batch.expiry' and merchant_id = ${merchantId}`.execute(db)
  expect(told.rows).toHaveLength(2)
  expect(told.rows[0]?.title).toMatch(/1 .*1 /)
})
