import * as contract from '@aisle/contract/purchase/order'
import { revokePaper, getSupplier } from '@aisle/contract/purchase/supplier'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../../testing/builders'
import { racing, together } from '../../../testing/races'
import { openShop, type Shop } from '../testing.shop'

const NOON = new Date('2026-11-20T04:00:00Z')
let shop: Shop
let supplierId: number
let warehouseId: number
let lines: { supplierProductId: number; packs: number; priceFen?: number | null }[]

beforeAll(async () => {
  shop = await openShop(NOON)
  supplierId = await shop.supplier()
  warehouseId = await shop.warehouse()
  const { supplierProductId } = await shop.listed(supplierId)
  lines = [{ supplierProductId, packs: 10 }]
})
afterAll(() => shop.close())

const add = (more: Record<string, unknown> = {}) =>
  shop.call(contract.addPurchaseOrder, { supplierId, warehouseId, lines, ...more })
const added = async (more: Record<string, unknown> = {}) => Number((await add(more)).data.id)
const read = async (id: number) => (await shop.call(contract.getPurchaseOrder, { id })).data
const dear = () => lines.map((line) => ({ ...line, packs: 1000 }))

test('a draft takes price and day from the list, is numbered by the day, and who saw it last changes it', async () => {
  const { data, status } = await add()
  expect([status, data.no]).toEqual([200, 'CG20261120-0001'])
  const id = Number(data.id)
  expect(await read(id)).toMatchObject({
    state: 'draft',
    dueOn: '2026-11-23',
    totalFen: 10_000,
    taxFen: 1150,
    pieces: 60,
    marks: [],
    fault: null,
    mayApprove: false,
    lines: [{ packs: 10, priceFen: 1000, listFen: 1000, received: 0, waiting: 0 }],
    story: [{ verb: 'add' }],
  })
  const few = [{ ...lines[0], packs: 1, priceFen: 1100 }]
  const edit = { id, version: 1, warehouseId, lines: few }
  expect((await shop.call(contract.editPurchaseOrder, edit)).status).toBe(200)
  expect((await shop.call(contract.editPurchaseOrder, { ...edit, lines })).code).toBe('edit.stale')
  expect(await read(id)).toMatchObject({ totalFen: 1100, marks: ['belowMinimum', 'dearer'], version: 2 })
})

test('up to the limit an order is approved by that, above it by another person than who wrote it', async () => {
  const small = await added()
  expect((await shop.call(contract.submitPurchaseOrder, { id: small })).data.state).toBe('approved')
  expect(await read(small)).toMatchObject({ approver: null })
  const id = await added({ lines: dear() })
  expect((await shop.call(contract.submitPurchaseOrder, { id })).data.state).toBe('submitted')
  expect((await shop.call(contract.approvePurchaseOrder, { id })).code).toBe('purchaseOrder.ownRequest')
  const reason = 'Too many'
  expect((await shop.call(contract.rejectPurchaseOrder, { id, reason })).data.state).toBe('draft')
  expect((await shop.call(contract.submitPurchaseOrder, { id }, { token: shop.other })).data.state).toBe('submitted')
  // Who submitted it stands for it too.
  expect((await shop.call(contract.approvePurchaseOrder, { id }, { token: shop.other })).code).toBe(
    'purchaseOrder.ownRequest',
  )
  const third = await shop.person()
  expect((await shop.call(contract.approvePurchaseOrder, { id }, { token: third })).data.state).toBe('approved')
  expect((await shop.call(contract.approvePurchaseOrder, { id }, { token: third })).code).toBe('purchaseOrder.state')
  expect((await shop.call(contract.sendPurchaseOrder, { id, how: 'mail' })).data.state).toBe('sent')
  expect(await read(id)).toMatchObject({ sentHow: 'mail', daysLeft: 3 })
})

test('what one person lets pass in a day counts together, also where it comes at once', async () => {
  const token = await shop.person()
  const part = lines.map((line) => ({ ...line, packs: 60 }))
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () =>
      shop.idOf(contract.addPurchaseOrder, { supplierId, warehouseId, lines: part }, { token }),
    ),
  )
  const answers = await Promise.all(ids.map((id) => shop.call(contract.submitPurchaseOrder, { id }, { token })))
  const states = answers.map(({ data }) => data.state)
  expect(states.filter((state) => state === 'approved')).toHaveLength(3)
  expect(states.filter((state) => state === 'submitted')).toHaveLength(5)
})

test('of 64 who draft at once no two get one number, and a key sent twice makes one order', racing, async () => {
  const answers = await together(() => add())
  const made = answers.filter(({ status }) => status === 200).map(({ data }) => data.no)
  expect(made.length).toBeGreaterThan(0)
  expect(new Set(made).size).toBe(made.length)
  const input = { supplierId, warehouseId, lines }
  const twice = [
    await shop.call(contract.addPurchaseOrder, input, { key: 'order-key-1' }),
    await shop.call(contract.addPurchaseOrder, input, { key: 'order-key-1' }),
  ]
  expect(twice[1]?.data).toEqual(twice[0]?.data)
})

test('of a supplier whose licence ended yesterday nothing is submitted, approved or sent', async () => {
  const ended = await shop.supplier({ until: '2026-11-19' })
  const { supplierProductId } = await shop.listed(ended)
  const id = await added({ supplierId: ended, lines: [{ supplierProductId, packs: 2 }] })
  expect((await shop.call(contract.submitPurchaseOrder, { id })).code).toBe('supplier.papers')
  expect(await read(id)).toMatchObject({ fault: 'supplier.papers' })
  const good = await shop.supplier()
  const its = await shop.listed(good)
  const order = await added({ supplierId: good, lines: [{ ...its, productId: undefined, packs: 1000 }] })
  await shop.call(contract.submitPurchaseOrder, { id: order })
  const { papers } = (await shop.call(getSupplier, { id: good })).data as { papers: { id: number; kind: string }[] }
  const paperId = papers.find(({ kind }) => kind === 'business')?.id
  await shop.call(revokePaper, { id: good, paperId, reason: 'Withdrawn' })
  expect((await shop.call(contract.approvePurchaseOrder, { id: order }, { token: shop.other })).code).toBe(
    'supplier.papers',
  )
})

test('medicine is ordered of who delivers it and may trade its class', async () => {
  const { supplierProductId } = await shop.listed(supplierId, { medicineClass: 'otc_b' })
  const id = await added({ lines: [{ supplierProductId, packs: 2 }] })
  expect((await shop.call(contract.submitPurchaseOrder, { id })).code).toBe('supplier.notQualified')
  const trader = await shop.supplier({ deliversMedicine: true })
  await sql`update supplier_paper set scope = '{otc_b}' where supplier_id = ${trader}`.execute(shop.db)
  const [b, rx] = [
    await shop.listed(trader, { medicineClass: 'otc_b' }),
    await shop.listed(trader, { medicineClass: 'rx' }),
  ]
  const of = (one: { supplierProductId: number }) => ({
    supplierId: trader,
    lines: [{ supplierProductId: one.supplierProductId, packs: 2 }],
  })
  const [good, bad] = [await added(of(b)), await added(of(rx))]
  expect((await shop.call(contract.submitPurchaseOrder, { id: good })).status).toBe(200)
  expect((await shop.call(contract.submitPurchaseOrder, { id: bad })).code).toBe('supplier.scope')
})

test('what is no line of the supplier, has no price, is due yesterday or for others’ stores is refused', async () => {
  const other = await shop.supplier()
  const theirs = await shop.listed(other)
  const line = { supplierProductId: theirs.supplierProductId, packs: 1 }
  expect((await add({ lines: [line] })).code).toBe('purchaseOrder.line')
  expect((await add({ lines: [...lines, ...lines] })).code).toBe('purchaseOrder.line')
  await sql`update supplier_price set from_on = '2027-01-01'
    where supplier_product_id = ${theirs.supplierProductId}`.execute(shop.db)
  expect((await add({ supplierId: other, lines: [line] })).code).toBe('purchaseOrder.noPrice')
  expect((await add({ supplierId: other, lines: [{ ...line, priceFen: 5 }] })).status).toBe(200)
  expect((await add({ dueOn: '2026-11-19' })).code).toBe('purchaseOrder.due')
  const sister = await addMerchant(shop.db, { parentId: shop.rootId })
  const store = await sql<{ id: number }>`with p as (
      insert into place (merchant_id, kind, name) values (${sister}, 'warehouse', 'Theirs') returning id)
    insert into warehouse (merchant_id, place_id, name, created_at) select ${sister}, id, 'Theirs', now() from p
    returning id`.execute(shop.db)
  expect((await add({ warehouseId: store.rows[0]?.id })).status).toBe(404)
})

test('an order is cancelled with a reason, and nothing moves it then', async () => {
  const id = await added()
  const reason = 'Bought elsewhere'
  expect((await shop.call(contract.cancelPurchaseOrder, { id, reason })).data.state).toBe('cancelled')
  for (const call of [contract.submitPurchaseOrder, contract.approvePurchaseOrder, contract.closePurchaseOrder]) {
    expect((await shop.call(call, { id })).code).toBe('purchaseOrder.state')
  }
  expect((await shop.call(contract.sendPurchaseOrder, { id, how: 'print' })).code).toBe('purchaseOrder.state')
  expect(await read(id)).toMatchObject({ endReason: reason, daysLeft: null })
  const list = (await shop.call(contract.listPurchaseOrders, { state: 'cancelled' })).data as { items: unknown[] }
  expect(list.items).toHaveLength(1)
  expect((await shop.call(contract.summarisePurchaseOrders, {})).data).toMatchObject({ partly: 0, overdue: 0 })
})
