import * as contract from '@aisle/contract/stock/outbound'
import { sendTransfer } from '@aisle/contract/stock/transfer'
import { addWarehouse, stopWarehouse } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { racing, together } from '../../../testing/races'
import { openStore, type Store } from '../testing.store'

const NOON = new Date('2026-11-20T04:00:00Z')
let store: Store
beforeAll(async () => {
  store = await openStore(NOON)
})
afterAll(() => store.close())

type Line = { productId: number; quantity: number }
const add = (lines: readonly Line[], more: Record<string, unknown> = {}) => {
  const { warehouseId, replenisher } = store
  return store.call(contract.addOutboundOrder, { warehouseId, replenisherId: replenisher.id, lines, ...more })
}
const added = async (...lines: Line[]) => Number((await add(lines)).data.id)
type Detail = {
  lines: { free: number | null; picked: number }[]
  picks: { productId: number; batch: string; quantity: number; returned: number }[]
  inBag: { productId: number; batch: string; quantity: number }[]
}
const read = async (id: number) => (await store.call(contract.getOutboundOrder, { id })).data as Detail
/** As it is proposed. */
const pick = async (id: number) => {
  const { picks } = await read(id)
  const taken = picks.map(({ productId, batch, quantity }) => ({ productId, batch, quantity }))
  return store.call(contract.pickOutboundOrder, { id, picks: taken })
}
const load = (id: number) => store.call(contract.loadOutboundOrder, { id })
const goods = async (quantity: number) => {
  const { id: productId } = await addProduct(store.db, { merchantId: store.merchantId })
  await store.buy({ productId, quantity, costFen: quantity * 10 })
  return productId
}
const medicine = async (...batches: { number: string; expiresOn: string; pieces: number; state?: string }[]) => {
  const { id: productId } = await addProduct(store.db, { merchantId: store.merchantId, medicineClass: 'otc_b' })
  for (const { number, pieces, ...about } of batches) {
    await store.knowBatch(productId, number, about)
    await store.buy({ productId, quantity: pieces, batch: number })
  }
  return productId
}
const there = async (productId: number) => {
  const found = await sql<{ quantity: number }>`select quantity from stock_level
    where place_id = ${store.placeId} and product_id = ${productId}`.execute(store.db)
  return found.rows[0]?.quantity
}

test('goods go draft, ready, out and back, and move only when they are loaded and when they return', async () => {
  const productId = await goods(10)
  const made = await add([{ productId, quantity: 6 }])
  expect(made).toMatchObject({ status: 200, data: { no: 'CH20261120-0001' } })
  const id = Number(made.data.id)
  expect(await read(id)).toMatchObject({
    state: 'draft',
    lines: [{ free: 10 }],
    picks: [{ quantity: 6 }],
    lots: [{ quantity: 10 }],
    inBag: [],
  })
  expect((await load(id)).code).toBe('outbound.state')
  expect((await pick(id)).data.state).toBe('picked')
  expect(await there(productId)).toBe(10)
  expect((await load(id)).data.state).toBe('loaded')
  expect(await there(productId)).toBe(4)
  expect((await load(id)).code).toBe('outbound.state')
  expect(await read(id)).toMatchObject({ valueFen: 60, inBag: [{ productId, quantity: 6 }] })
  const carried = (await store.call(contract.listCarriedGoods, {})).data as { items: unknown[] }
  expect(carried.items).toContainEqual(expect.objectContaining({ productId, quantity: 6, valueFen: 60 }))
  expect((await store.call(contract.cancelOutboundOrder, { id, reason: 'Late' })).code).toBe('outbound.state')
  const back = (quantity: number) => store.call(contract.closeOutboundOrder, { id, returns: [{ productId, quantity }] })
  expect((await back(7)).code).toBe('warehouse.less')
  expect((await back(2)).data.state).toBe('closed')
  expect((await back(2)).code).toBe('outbound.state')
  expect(await there(productId)).toBe(6)
  const closed = await read(id)
  expect(closed).toMatchObject({ returned: 2, picks: [{ quantity: 6, returned: 2 }], inBag: [{ quantity: 4 }] })
})

test('batches are proposed by first expiry; what is expired, locked or recalled is never taken', async () => {
  const productId = await medicine(
    { number: 'OLD', expiresOn: '2026-11-19', pieces: 5 },
    { number: 'LOCKED', expiresOn: '2026-12-30', pieces: 5, state: 'locked' },
    { number: 'RECALLED', expiresOn: '2026-12-31', pieces: 5, state: 'recalled' },
    { number: 'LATE', expiresOn: '2028-06-01', pieces: 5 },
    { number: 'SOON', expiresOn: '2027-06-01', pieces: 2 },
  )
  const id = await added({ productId, quantity: 4 })
  const { picks, lines } = await read(id)
  expect(picks.map(({ batch, quantity }) => [batch, quantity])).toEqual([
    ['SOON', 2],
    ['LATE', 2],
  ])
  expect(lines).toMatchObject([{ free: 7 }])
  for (const batch of ['OLD', 'LOCKED', 'RECALLED']) {
    const one = await store.call(contract.pickOutboundOrder, { id, picks: [{ productId, batch, quantity: 1 }] })
    expect([batch, one.code]).toEqual([batch, 'outbound.batch'])
  }
  const more = { id, picks: [{ productId, batch: 'LATE', quantity: 5 }] }
  expect((await store.call(contract.pickOutboundOrder, more)).code).toBe('outbound.lines')
  expect((await store.call(contract.pickOutboundOrder, { id, picks: [] })).code).toBe('outbound.nothing')
  const none = { id, picks: [{ productId, batch: 'NONE', quantity: 1 }] }
  expect((await store.call(contract.pickOutboundOrder, none)).code).toBe('warehouse.less')
  expect((await pick(id)).status).toBe(200)
  // Locked while it lay ready: it stays, and is picked anew.
  await store.knowBatch(productId, 'SOON', { expiresOn: '2027-06-01', state: 'locked' })
  expect((await load(id)).code).toBe('outbound.batch')
  expect((await store.call(contract.putBackOutboundOrder, { id })).data.state).toBe('draft')
  expect((await pick(id)).status).toBe(200)
  expect((await load(id)).status).toBe(200)
  expect((await read(id)).inBag.find((lot) => lot.productId === productId)).toMatchObject({
    batch: 'LATE',
    quantity: 4,
  })
})

test('what lies ready for one order is not there for another, until it is put back or given up', async () => {
  const productId = await goods(5)
  const [first, second] = [await added({ productId, quantity: 4 }), await added({ productId, quantity: 4 })]
  expect((await pick(first)).status).toBe(200)
  expect(await read(second)).toMatchObject({ lines: [{ free: 1 }], picks: [{ quantity: 1 }] })
  const all = { id: second, picks: [{ productId, quantity: 4 }] }
  expect((await store.call(contract.pickOutboundOrder, all)).code).toBe('warehouse.less')
  expect((await store.call(contract.cancelOutboundOrder, { id: first, reason: 'Not today' })).data.state).toBe(
    'cancelled',
  )
  expect((await store.call(contract.pickOutboundOrder, all)).status).toBe(200)
})

test('of 64 who pick the last pieces at once, as many have them as there are', racing, async () => {
  const productId = await goods(3)
  const ids: number[] = []
  for (let i = 0; i < 64; i += 1) ids.push(await added({ productId, quantity: 1 }))
  const open = [...ids]
  const answers = await together(() =>
    store.call(contract.pickOutboundOrder, { id: open.pop(), picks: [{ productId, quantity: 1 }] }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  for (const id of ids) await load(id)
  expect(await there(productId)).toBe(0)
})

test('a draft is changed by who saw it last, and holds each product of the line once', async () => {
  const productId = await goods(5)
  const id = await added({ productId, quantity: 1 })
  const edit = (version: number, quantity: number) =>
    store.call(contract.editOutboundOrder, { id, version, lines: [{ productId, quantity }] })
  expect((await edit(1, 3)).status).toBe(200)
  expect((await edit(1, 4)).code).toBe('edit.stale')
  const twice = [
    { productId, quantity: 1 },
    { productId, quantity: 2 },
  ]
  expect((await add(twice)).code).toBe('outbound.lines')
  expect((await add([{ productId: 999_999_999, quantity: 1 }])).status).toBe(404)
})

test('goods are given to people of the merchant alone, and others see nothing of it', async () => {
  const sister = await addMerchant(store.db, { parentId: store.rootId })
  const stranger = await addUser(store.db, { merchantId: sister, grants: ['outboundOrder.*'] })
  const productId = await goods(1)
  const lines = [{ productId, quantity: 1 }]
  expect((await add(lines, { replenisherId: stranger.id })).code).toBe('outbound.replenisher')
  const id = Number((await add(lines)).data.id)
  const token = await addSession(store.db, stranger.id, NOON)
  expect((await store.call(contract.getOutboundOrder, { id }, { token })).status).toBe(404)
  expect((await store.call(contract.cancelOutboundOrder, { id, reason: 'x' }, { token })).status).toBe(404)
  const people = (await store.call(contract.listReplenishers, {})).data as { items: { id: number }[] }
  expect(people.items.map((one) => one.id)).toContain(store.replenisher.id)
  expect(people.items.map((one) => one.id)).not.toContain(stranger.id)
})

test('a stopped warehouse still lets out, figures say what waits, a key sent twice makes one order', async () => {
  const productId = await goods(2)
  const { warehouseId, replenisher } = store
  const input = { warehouseId, replenisherId: replenisher.id, lines: [{ productId, quantity: 2 }] }
  const twice = [
    await store.call(contract.addOutboundOrder, input, { key: 'outbound-key-1' }),
    await store.call(contract.addOutboundOrder, input, { key: 'outbound-key-1' }),
  ]
  expect(twice[1]?.data).toEqual(twice[0]?.data)
  await store.call(stopWarehouse, { id: warehouseId, version: 1 })
  const id = Number(twice[0]?.data.id)
  await pick(id)
  expect((await load(id)).status).toBe(200)
  const listed = (await store.call(contract.listOutboundOrders, { state: 'loaded', q: 'CH', warehouseId })).data as {
    items: { id: number; picked: number }[]
  }
  expect(listed.items[0]).toMatchObject({ id, picked: 2 })
  expect((await store.call(contract.summariseOutboundOrders, {})).data).toMatchObject({ loaded: expect.any(Number) })
})

test('what lies ready for one order goes to no other warehouse', async () => {
  const productId = await goods(10)
  const id = await added({ productId, quantity: 8 })
  await pick(id)
  const { data } = await store.call(addWarehouse, { merchantId: store.merchantId, name: 'South' })
  const sent = (quantity: number) =>
    store.call(sendTransfer, { fromId: store.warehouseId, toId: data.id, lines: [{ productId, batch: '', quantity }] })
  expect((await sent(3)).code).toBe('warehouse.less')
  expect((await sent(2)).status).toBe(200)
  expect((await load(id)).data.state).toBe('loaded')
})
