import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import {
  addBatch,
  editBatch,
  getBatch,
  listBatches,
  listBatchPlaces,
  listProductBatches,
  lockBatch,
  rejectBatch,
  releaseBatch,
  scrapBatch,
} from '@aisle/contract/medicine/batch'
import {
  addRecall,
  closeRecall,
  getRecall,
  getRecallProof,
  giveUpTarget,
  listRecalls,
  listRecallTargets,
  noteRecall,
  pullTarget,
  startRecall,
} from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { outsidePlaces, recordMoves } from '../../stock/public'
import { routes as batchRoutes } from '../batch/batch.routes'
import { routes as recallRoutes } from './recall.routes'
import { spreadRecall } from './recall.spread'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: Awaited<ReturnType<typeof openHttp>>
let merchantId: number
let product: { id: number; code: string }
let machine: BuiltMachine
let tokens: string[]

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...batchRoutes, ...recallRoutes))
  const { db } = world.services
  merchantId = await addMerchant(db)
  product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [product, product], stock: 0 })
  const person = async () => {
    const { id } = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['*'] })
    return addSession(db, id, NOON)
  }
  tokens = [await person(), await person(), await person()]
})
afterAll(async () => {
  await http.close()
  await world.close()
})

/** @param who one of three people */
const ask = async (endpoint: Endpoint, input: Record<string, unknown>, who = 0) => {
  const { status, body } = await http.call(endpoint, input, { token: tokens[who] ?? '' })
  return { status, code: body.code, data: body.data as Record<string, never> & { id: number; items: never[] } }
}
const made = async (endpoint: Endpoint, input: Record<string, unknown>, who = 0) => {
  const answer = await ask(endpoint, input, who)
  expect([answer.status, answer.code]).toEqual([200, expect.anything()])
  return answer.data
}

const fill = (slot: number, batch: string, quantity: number) =>
  world.services.db.transaction().execute(async (tx) => {
    const suppliers = await outsidePlaces(tx, 'supplier', [merchantId])
    await recordMoves(tx, [
      {
        merchantId,
        movedAt: NOON,
        productId: product.id,
        quantity,
        fromPlaceId: suppliers.get(merchantId) ?? 0,
        toPlaceId: machine.slots[slot]?.placeId ?? 0,
        cause: 'fill',
        reference: 'test',
        batch,
      },
    ])
  })

test('a batch is made by its label, corrected, locked, released, scrapped and rejected', async () => {
  const { id, expiresOn } = await made(addBatch, { productId: product.id, number: 'L1', expiresOn: '2027-02' })
  expect(expiresOn).toBe('2027-02-28')
  expect((await ask(addBatch, { productId: product.id, number: 'L1', expiresOn: '2027-03' })).code).toBe(
    'medicineBatch.numberTaken',
  )
  expect((await ask(addBatch, { productId: product.id, number: 'L0' })).code).toBe('medicineBatch.dates')
  const edit = { id, version: 1, producedOn: null, expiresOn: '2027-04-30', reason: 'mistyped' }
  await made(editBatch, edit)
  expect((await ask(editBatch, { ...edit, expiresOn: '2027-05-30' })).code).toBe('edit.stale')
  expect((await made(lockBatch, { id, reason: 'complaint' })).state).toBe('locked')
  expect((await ask(lockBatch, { id, reason: 'again' })).code).toBe('medicineBatch.state')
  expect((await made(releaseBatch, { id, reason: 'looked at' })).state).toBe('available')
  await fill(0, 'L1', 3)
  const [place] = (await made(listBatchPlaces, { batchId: id })).items as { id: number; quantity: number }[]
  expect(place).toMatchObject({ kind: 'slot', slotCode: 'A1', quantity: 3, ahead: 0, trapped: 0 })
  const scrap = { id, placeId: place?.id ?? 0, quantity: 4, reason: 'broken' }
  expect((await ask(scrapBatch, scrap)).code).toBe('medicineBatch.quantity')
  expect((await made(scrapBatch, { ...scrap, quantity: 3 })).waits).toBe(false)
  await made(rejectBatch, { id, reason: 'broken seals' })
  const detail = (await made(getBatch, { id })) as unknown as { inSlots: number; story: { verb: string }[] }
  expect(detail.inSlots).toBe(0)
  expect(detail.story.map(({ verb }) => verb)).toEqual(['reject', 'scrap', 'release', 'lock', 'edit', 'add'])
})

test('good pieces behind a locked batch are shown with what they would sell for', async () => {
  const { id } = await made(addBatch, { productId: product.id, number: 'FRONT', expiresOn: '2027-02' })
  await made(addBatch, { productId: product.id, number: 'BEHIND', expiresOn: '2027-02' })
  await fill(1, 'FRONT', 1)
  await fill(1, 'BEHIND', 4)
  expect((await made(getBatch, { id })).trapped).toEqual({ slots: 0, pieces: 0, amountFen: 0 })
  await made(lockBatch, { id, reason: 'complaint' })
  expect((await made(getBatch, { id })).trapped).toEqual({ slots: 1, pieces: 4, amountFen: 2000 })
  expect((await made(listBatchPlaces, { batchId: id })).items).toMatchObject([{ trapped: 4, trappedFen: 2000 }])
  expect((await made(listBatches, { state: 'locked', stock: 'some' })).items).toMatchObject([
    { number: 'FRONT', inSlots: 1, machineCount: 1 },
  ])
})

test('of a product every batch stands with its place, what ends first before the rest', async () => {
  const { db } = world.services
  const other = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const late = await made(addBatch, { productId: other.id, number: 'LATE', expiresOn: '2027-09' })
  const old = await made(addBatch, { productId: other.id, number: 'OLD', expiresOn: '2026-10' })
  const warehouse = await sql<{ id: number }>`insert into place (merchant_id, kind, name)
    values (${merchantId}, 'warehouse', 'Cold store') returning id`.execute(db)
  await sql`insert into batch_level (place_id, product_id, batch, quantity) values
    (${machine.slots[0]?.placeId}, ${other.id}, 'LATE', 2), (${warehouse.rows[0]?.id}, ${other.id}, 'LATE', 7),
    (${warehouse.rows[0]?.id}, ${other.id}, 'OLD', 1), (${warehouse.rows[0]?.id}, ${other.id}, 'NOBODY', 4),
    (${machine.slots[0]?.placeId}, ${other.id}, 'OLD', 0)`.execute(db)
  const store = { machineCode: null, placeName: 'Cold store', kind: 'warehouse' }
  const { items } = await made(listProductBatches, { productId: other.id })
  expect(items).toMatchObject([
    { ...store, number: 'OLD', batchId: old.id, shown: 'expired', quantity: 1, daysLeft: -20 },
    { number: 'LATE', batchId: late.id, shown: 'available', quantity: 2, machineCode: machine.code, slotCode: 'A1' },
    { ...store, number: 'LATE', quantity: 7 },
    { ...store, number: 'NOBODY', batchId: null, shown: null, expiresOn: null, quantity: 4 },
  ])
  const near = await addUser(db, {
    merchantId: await addMerchant(db, { parentId: merchantId }),
    kind: 'merchant_admin',
    grants: ['*'],
  })
  const { body } = await http.call(
    listProductBatches,
    { productId: other.id },
    { token: await addSession(db, near.id, NOON) },
  )
  expect(body.data).toMatchObject({ items: [] })
})

async function recallOf(number: string, more: Record<string, unknown> = {}) {
  const { id: batchId } = await made(addBatch, { productId: product.id, number, expiresOn: '2027-08' })
  await fill(0, number, 5)
  const { id } = await made(addRecall, { batchId, class: 'ii', reason: 'notice of the maker', ...more })
  return { id, batchId }
}

test('a recall is written, started and closed by three people, and its record is signed', async () => {
  const { id, batchId } = await recallOf('R1')
  expect((await ask(startRecall, { id })).code).toBe('recall.samePerson')
  await made(startRecall, { id }, 1)
  expect((await made(getBatch, { id: batchId })).state).toBe('recalled')
  expect((await ask(rejectBatch, { id: batchId, reason: 'so' })).code).toBe('medicineBatch.recalled')
  expect((await ask(addRecall, { batchId, class: 'i', reason: 'again' })).code).toBe('recall.batch')
  expect((await ask(closeRecall, { id, summary: 'done' }, 2)).code).toBe('recall.open')
  await spreadRecall(world.services, id)
  await spreadRecall(world.services, id)
  const targets = (await made(listRecallTargets, { recallId: id })).items as { id: number }[]
  expect(targets).toMatchObject([{ kind: 'slot', slotCode: 'A1', book: 5, state: 'pending' }])
  expect((await made(getRecall, { id })).dueAt).toBe('2026-11-23T04:00:00+00:00')
  await made(pullTarget, { id: targets[0]?.id, pulled: 4, note: 'one is missing' })
  expect((await ask(giveUpTarget, { id: targets[0]?.id, note: 'so' })).code).toBe('recall.target')
  await made(noteRecall, { id, kind: 'return', note: 'at the counter', quantity: 2 })
  expect((await ask(closeRecall, { id, summary: 'done' }, 0)).code).toBe('recall.samePerson')
  expect((await ask(closeRecall, { id, summary: 'done' }, 1)).code).toBe('recall.samePerson')
  await made(closeRecall, { id, summary: 'destroyed under D-7' }, 2)
  const moved = await sql<{ cause: string; quantity: number }>`select cause, quantity from stock_move
    where reference = ${`recall/${id}`} order by cause`.execute(world.services.db)
  expect(moved.rows).toEqual([
    { cause: 'count', quantity: 1 },
    { cause: 'scrap', quantity: 4 },
  ])
  const proof = await made(getRecallProof, { id })
  expect(proof).toMatchObject({ isWhole: true, hashBefore: '' })
  expect(proof.record).toContain('destroyed under D-7')
  await sql`update recall_target set pulled = 5 where recall_id = ${id}`.execute(world.services.db)
  expect((await made(getRecallProof, { id })).isWhole).toBe(false)
})

test('a drill stops nothing and moves nothing, and stands in no recall’s way', async () => {
  const { id, batchId } = await recallOf('D1', { isDrill: true, class: 'i' })
  await made(startRecall, { id }, 1)
  await spreadRecall(world.services, id)
  expect((await made(getBatch, { id: batchId })).state).toBe('available')
  const real = await made(addRecall, { batchId, class: 'i', reason: 'notice' })
  await made(startRecall, { id: real.id }, 1)
  const targets = (await made(listRecallTargets, { recallId: id })).items as { id: number }[]
  await made(pullTarget, { id: targets[0]?.id, pulled: 5 })
  expect((await made(listBatchPlaces, { batchId })).items).toMatchObject([{ quantity: 5 }])
  await made(closeRecall, { id, summary: 'took twenty minutes' }, 2)
  expect((await made(listRecalls, { drill: 'yes' })).items).toMatchObject([{ id, state: 'closed', pulled: 1 }])
})

test('of 64 who start a recall at once one does, and two recalls of a batch are never both active', async () => {
  const { id } = await recallOf('M1')
  const all = await Promise.all(Array.from({ length: 64 }, (_, n) => ask(startRecall, { id }, 1 + (n % 2))))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(all.map(({ code }) => code)).size).toBe(2)
  const active = await sql<{ count: number }>`select count(*)::int as count from recall
    where state = 'active' and not is_drill group by batch_id order by 1 desc limit 1`.execute(world.services.db)
  expect(active.rows).toEqual([{ count: 1 }])
})
