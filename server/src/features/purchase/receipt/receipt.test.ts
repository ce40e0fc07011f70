import * as orders from '@aisle/contract/purchase/order'
import * as contract from '@aisle/contract/purchase/receipt'
import { getWarehouse } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../../testing/builders'
import { racing, together } from '../../../testing/races'
import { openShop, type Shop } from '../testing.shop'

const NOON = new Date('2026-11-20T04:00:00Z')
let shop: Shop
let supplierId: number
let warehouseId: number
let goods: { productId: number; supplierProductId: number }
const other = () => ({ token: shop.other })

beforeAll(async () => {
  shop = await openShop(NOON)
  supplierId = await shop.supplier()
  goods = await shop.listed(supplierId)
  warehouseId = await shop.warehouse()
})
afterAll(() => shop.close())

/** Sent: two packs of six at ten yuan, unless it says otherwise. */
async function ordered(more: Record<string, unknown> = {}, packs = 2): Promise<number> {
  const lines = [{ supplierProductId: goods.supplierProductId, packs }]
  const id = await shop.idOf(orders.addPurchaseOrder, { supplierId, warehouseId, lines, ...more })
  await shop.call(orders.submitPurchaseOrder, { id })
  await shop.call(orders.sendPurchaseOrder, { id, how: 'print' })
  return id
}
const order = async (id: number) => (await shop.call(orders.getPurchaseOrder, { id })).data
const line = (counted: number, more: Record<string, unknown> = {}) => ({ productId: goods.productId, counted, ...more })
const receive = (orderId: number | null, lines: unknown[], more: Record<string, unknown> = {}) =>
  shop.call(contract.addGoodsReceipt, { orderId, warehouseId, lines, ...more })
const there = async (id = warehouseId) => {
  const { pieces, valueFen } = (await shop.call(getWarehouse, { id })).data
  return [Number(pieces), Number(valueFen)] as const
}
const dueTo = async (supplier = supplierId): Promise<number> => {
  const found = await sql<{ fen: number }>`select balance_fen as fen from ledger_account
    where kind = 'supplier_due' and key = ${String(supplier)}`.execute(shop.db)
  return found.rows[0]?.fen ?? 0
}
const openOf = async (supplier = supplierId): Promise<number> => {
  const found = await sql<{ fen: number }>`select coalesce(sum(open_fen), 0)::bigint as fen from payable
    where supplier_id = ${supplier}`.execute(shop.db)
  return found.rows[0]?.fen ?? 0
}

test('what came is put away at the price agreed, owed for in the same breath, and moves the order on', async () => {
  const id = await ordered()
  const [pieces, value] = await there()
  const first = await receive(id, [line(5, { announced: 6, damaged: 1, reason: 'Torn' })], { deliveryNote: 'D-1' })
  expect(first).toMatchObject({ status: 200, data: { state: 'putAway', no: 'RK20261120-0001' } })
  expect(await there()).toEqual([pieces + 5, value + 833])
  expect([await dueTo(), await openOf()]).toEqual([-833, 833])
  expect(await order(id)).toMatchObject({ state: 'partly', received: 5, receipts: [{ pieces: 5, state: 'putAway' }] })
  expect((await receive(id, [line(1)], { deliveryNote: 'D-1' })).code).toBe('receipt.noteTaken')
  expect((await receive(id, [line(8)])).code).toBe('receipt.over')
  expect((await receive(id, [line(7)])).status).toBe(200)
  expect(await order(id)).toMatchObject({ state: 'received', received: 12 })
  expect((await receive(id, [line(1)])).code).toBe('receipt.over')
  expect((await shop.call(orders.closePurchaseOrder, { id })).data.state).toBe('closed')
  expect((await receive(id, [line(1)])).code).toBe('purchaseOrder.state')
})

test('the same receipt sent twice is one', async () => {
  const id = await ordered()
  const input = { orderId: id, warehouseId, lines: [line(3)] }
  const twice = [
    await shop.call(contract.addGoodsReceipt, input, { key: 'receipt-key-1' }),
    await shop.call(contract.addGoodsReceipt, input, { key: 'receipt-key-1' }),
  ]
  expect(twice[1]?.data).toEqual(twice[0]?.data)
  expect(await order(id)).toMatchObject({ received: 3 })
})

test('64 receipts at once on one line never exceed the order, nor does what is owed', racing, async () => {
  const id = await ordered({}, 3)
  const [pieces] = await there()
  const before = await openOf()
  const answers = await together(() => receive(id, [line(1)]))
  const came = answers.filter(({ status }) => status === 200).length
  expect(came).toBeLessThanOrEqual(18)
  expect(await order(id)).toMatchObject({ received: came })
  expect((await there())[0]).toBe(pieces + came)
  const rest = 18 - came
  if (rest > 0) expect((await receive(id, [line(rest)])).status).toBe(200)
  expect((await receive(id, [line(1)])).code).toBe('receipt.over')
  expect((await order(id)).state).toBe('received')
  expect(await dueTo()).toBe(-(await openOf()))
  expect((await openOf()) - before).toBeGreaterThan(0)
})

test('more than was ordered comes in within what the merchant takes above it', async () => {
  await sql`insert into setting (key, merchant_id, value, version, changed_at)
    values ('purchase.overPercent', ${shop.merchantId}, '10'::jsonb, 1, now())`.execute(shop.db)
  const id = await ordered({}, 2)
  expect((await receive(id, [line(14)])).code).toBe('receipt.over')
  expect((await receive(id, [line(13)])).status).toBe(200)
  expect(await order(id)).toMatchObject({ state: 'received', received: 13, pieces: 12 })
})

test('medicine moves nothing before another person has looked at it, and counts on the order meanwhile', async () => {
  const trader = await shop.supplier({ deliversMedicine: true })
  const medicine = await shop.listed(trader, { medicineClass: 'otc_b' })
  const store = await shop.warehouse()
  const lines = [{ supplierProductId: medicine.supplierProductId, packs: 2 }]
  const id = await ordered({ supplierId: trader, warehouseId: store, lines })
  const codes = ['81234567890123456789', '81234567890123456790']
  const came = { productId: medicine.productId, counted: 12, batch: 'B1', expiresOn: '2027-11-20', codes }
  const receipt = (more: object) => receive(id, [{ ...came, ...more }], { warehouseId: store })
  expect((await receipt({ batch: '' })).code).toBe('receipt.batch')
  expect((await receipt({ expiresOn: null })).code).toBe('receipt.dates')
  expect((await receipt({ expiresOn: '2026-11-19' })).code).toBe('receipt.expired')
  expect((await receipt({ codes: [codes[0], codes[0]] })).code).toBe('receipt.codes')
  const made = await receipt({})
  expect(made.data.state).toBe('waiting')
  expect(await there(store)).toEqual([0, 0])
  expect(await order(id)).toMatchObject({ state: 'sent', lines: [{ received: 0, waiting: 12 }] })
  expect((await receipt({ batch: 'B2' })).code).toBe('receipt.over')
  const reason = 'Late'
  expect((await shop.call(orders.cancelPurchaseOrder, { id, reason })).code).toBe('purchaseOrder.came')
  const its = { id: made.data.id }
  expect((await shop.call(contract.acceptGoodsReceipt, its)).code).toBe('receipt.ownRequest')
  expect((await shop.call(contract.acceptGoodsReceipt, its, other())).data.state).toBe('putAway')
  expect((await shop.call(contract.acceptGoodsReceipt, its, other())).code).toBe('receipt.state')
  expect(await there(store)).toEqual([12, 2000])
  const found = await sql<{ state: string }>`select state from trace_code
    where code = any(${codes}::text[]) and place_id is not null`.execute(shop.db)
  expect(found.rows.map(({ state }) => state)).toEqual(['in_stock', 'in_stock'])
  expect((await shop.call(contract.getGoodsReceipt, its)).data).toMatchObject({
    second: ['medicine'],
    marks: ['codeless'],
    lines: [{ daysLeft: 365, batch: 'B1' }],
  })
})

test('a pack that is with a merchant out of sight is not taken in, and stays where it is', async () => {
  const trader = await shop.supplier({ deliversMedicine: true })
  const medicine = await shop.listed(trader, { medicineClass: 'otc_b' })
  const store = await shop.warehouse()
  const lines = [{ supplierProductId: medicine.supplierProductId, packs: 2 }]
  const id = await ordered({ supplierId: trader, warehouseId: store, lines })
  const strangerId = await addMerchant(shop.db, { parentId: shop.rootId })
  const theirs = await addProduct(shop.db, { merchantId: strangerId })
  const code = '81234567890123456777'
  await sql`insert into trace_code (code, scheme, level, merchant_id, product_id, batch, state, added_at, changed_at)
    values (${code}, 'cn20', 1, ${strangerId}, ${theirs.id}, 'B9', 'in_stock', now(), now())`.execute(shop.db)
  const came = { productId: medicine.productId, counted: 12, batch: 'B9', expiresOn: '2027-11-20', codes: [code] }
  const made = await receive(id, [came], { warehouseId: store })
  const accepted = await shop.call(contract.acceptGoodsReceipt, { id: made.data.id }, other())
  expect(accepted.code).toBe('receipt.codes')
  const kept = await sql`select merchant_id as "merchantId" from trace_code where code = ${code}`.execute(shop.db)
  expect(kept.rows).toEqual([{ merchantId: strangerId }])
  expect(await there(store)).toEqual([0, 0])
})

test('a batch that is known with another day, or is stopped, is not taken in', async () => {
  const trader = await shop.supplier({ deliversMedicine: true })
  const { productId, supplierProductId } = await shop.listed(trader, { medicineClass: 'otc_b' })
  await sql`insert into medicine_batch (product_id, number, expires_on, state, changed_at)
    values (${productId}, 'KNOWN', '2027-05-31', 'available', now()), (${productId}, 'STOPPED', '2027-05-31', 'locked',
      now())`.execute(shop.db)
  const id = await ordered({ supplierId: trader, lines: [{ supplierProductId, packs: 2 }] })
  const accept = async (batch: string, expiresOn: string) => {
    const made = await receive(id, [{ productId, counted: 1, batch, expiresOn }])
    return shop.call(contract.acceptGoodsReceipt, { id: made.data.id }, other())
  }
  expect((await accept('KNOWN', '2027-06-30')).code).toBe('receipt.batchDates')
  expect((await accept('STOPPED', '2027-05-31')).code).toBe('receipt.batchStopped')
  expect((await accept('KNOWN', '2027-05-31')).status).toBe(200)
})

test('cold goods say how warm they came, and go where they are kept so', async () => {
  const trader = await shop.supplier({ deliversMedicine: true })
  const { productId, supplierProductId } = await shop.listed(trader, { medicineClass: 'otc_b' })
  await sql`insert into medicine (product_id, storage) values (${productId}, 'cold')
    on conflict (product_id) do update set storage = 'cold'`.execute(shop.db)
  const fridge = await shop.warehouse({ storage: 'cold', lowestC: 2, highestC: 8 })
  const id = await ordered({ supplierId: trader, lines: [{ supplierProductId, packs: 2 }] })
  const came = (more: object, to = fridge) =>
    receive(id, [{ productId, counted: 1, batch: 'C1', expiresOn: '2027-11-20', ...more }], { warehouseId: to })
  expect((await came({})).code).toBe('receipt.temperature')
  expect((await came({ temperatureC: 9 })).code).toBe('receipt.warm')
  expect((await came({ temperatureC: 5 }, warehouseId)).code).toBe('warehouse.storage')
  expect((await came({ temperatureC: 5 })).status).toBe(200)
  const refused = { counted: 0, refused: 1, reason: 'Warm', temperatureC: 12, batch: 'C2' }
  expect((await came(refused)).data.state).toBe('putAway')
})

test('what nobody ordered waits for another person, who may turn it down', async () => {
  const [pieces] = await there()
  const made = await receive(null, [line(6)], { supplierId })
  expect(made.data.state).toBe('waiting')
  const down = { id: made.data.id, reason: 'Not ours' }
  expect((await shop.call(contract.turnDownGoodsReceipt, down, other())).data.state).toBe('turnedDown')
  expect((await there())[0]).toBe(pieces)
  const again = await receive(null, [line(6)], { supplierId })
  expect((await shop.call(contract.acceptGoodsReceipt, { id: again.data.id }, other())).status).toBe(200)
  expect((await there())[0]).toBe(pieces + 6)
  expect((await receive(null, [line(6)])).code).toBe('receipt.supplier')
  const theirs = await shop.listed(await shop.supplier())
  expect((await receive(null, [{ productId: theirs.productId, counted: 1 }], { supplierId })).code).toBe(
    'receipt.product',
  )
})

test('a receipt is reversed as a whole, by another person, while it lies there and nothing was paid', async () => {
  const store = await shop.warehouse()
  const id = await ordered({ warehouseId: store })
  const made = await receive(id, [line(12)], { warehouseId: store })
  const [due, down] = [await dueTo(), { id: made.data.id, reason: 'Counted wrongly' }]
  expect((await shop.call(contract.reverseGoodsReceipt, down)).code).toBe('receipt.ownRequest')
  await sql`update payable set claimed_fen = 1 where receipt_id = ${made.data.id}`.execute(shop.db)
  expect((await shop.call(contract.reverseGoodsReceipt, down, other())).code).toBe('receipt.paid')
  await sql`update payable set claimed_fen = 0 where receipt_id = ${made.data.id}`.execute(shop.db)
  expect((await shop.call(contract.reverseGoodsReceipt, down, other())).data.state).toBe('reversed')
  expect(await there(store)).toEqual([0, 0])
  expect(await dueTo()).toBe(due + 2000)
  expect(await dueTo()).toBe(-(await openOf()))
  expect(await order(id)).toMatchObject({ state: 'sent', received: 0 })
  expect((await shop.call(contract.reverseGoodsReceipt, down, other())).code).toBe('receipt.state')
  // What has left since can't go back.
  const second = await receive(id, [line(12)], { warehouseId: store })
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference)
    select w.merchant_id, ${NOON}, ${goods.productId}, 1, w.place_id, p.id, 'return', 'test' from warehouse w
    join place p on p.merchant_id = w.merchant_id and p.kind = 'supplier' where w.id = ${store}`.execute(shop.db)
  const reason = 'Wrong'
  expect((await shop.call(contract.reverseGoodsReceipt, { id: second.data.id, reason }, other())).code).toBe(
    'warehouse.less',
  )
})

test('what is reversed leaves at the price at which it came, and its packs are in stock no longer', async () => {
  const trader = await shop.supplier({ deliversMedicine: true })
  const medicine = await shop.listed(trader, { medicineClass: 'otc_b' })
  const store = await shop.warehouse()
  const come = async (priceFen: number, codes: string[]) => {
    const lines = [{ supplierProductId: medicine.supplierProductId, packs: 2, priceFen }]
    const id = await ordered({ supplierId: trader, warehouseId: store, lines })
    const came = { productId: medicine.productId, counted: 12, batch: 'R1', expiresOn: '2027-11-20', codes }
    const receipt = { id: (await receive(id, [came], { warehouseId: store })).data.id }
    await shop.call(contract.acceptGoodsReceipt, receipt, other())
    return receipt
  }
  const first = await come(1000, ['81234567890123450001', '81234567890123450002'])
  await come(3000, ['81234567890123450003'])
  expect(await there(store)).toEqual([24, 8000])
  await shop.call(contract.reverseGoodsReceipt, { ...first, reason: 'Written twice' })
  expect(await there(store)).toEqual([12, 6000])
  const found = await sql<{ code: string; state: string; isThere: boolean }>`select right(code, 1) as code, state,
      place_id is not null as "isThere" from trace_code where code like '8123456789012345000%' order by code`.execute(
    shop.db,
  )
  expect(found.rows).toEqual([
    { code: '1', state: 'withdrawn', isThere: false },
    { code: '2', state: 'withdrawn', isThere: false },
    { code: '3', state: 'in_stock', isThere: true },
  ])
  // Written anew it is bound again.
  await come(1000, ['81234567890123450001'])
  expect(await there(store)).toEqual([24, 8000])
})

test('of a supplier whose licence ended nothing is taken in; what is sent back needs none', async () => {
  const ending = await shop.supplier()
  const { productId, supplierProductId } = await shop.listed(ending)
  const id = await ordered({ supplierId: ending, lines: [{ supplierProductId, packs: 2 }] })
  await sql`update supplier_paper set valid_to = '2026-11-19' where supplier_id = ${ending}`.execute(shop.db)
  expect((await receive(id, [{ productId, counted: 1 }])).code).toBe('supplier.papers')
  expect((await receive(id, [{ productId, counted: 0, refused: 1, reason: 'No licence' }])).status).toBe(200)
})

test('a line that counts nothing, stands twice or gives no reason is refused', async () => {
  const id = await ordered()
  expect((await receive(id, [line(0)])).code).toBe('receipt.nothing')
  expect((await receive(id, [line(1), line(1)])).code).toBe('receipt.twice')
  expect((await receive(id, [line(1, { damaged: 1 })])).code).toBe('receipt.reason')
  expect((await receive(id, [line(1, { producedOn: '2026-11-21' })])).code).toBe('receipt.dates')
})

test('what was bought lies in places or went back, to the piece', async () => {
  const sums = await sql<{ bought: number; there: number; back: number }>`select
      (select sum(l.counted)::int from goods_receipt_line l join goods_receipt r on r.id = l.receipt_id
        where r.merchant_id = ${shop.merchantId} and r.decided_at is not null and r.state <> 'turnedDown') as bought,
      (select sum(v.pieces)::int from stock_value v join place p on p.id = v.place_id
        where p.merchant_id = ${shop.merchantId}) as there,
      (select sum(m.quantity)::int from stock_move m
        where m.merchant_id = ${shop.merchantId} and m.cause = 'return') as back`.execute(shop.db)
  const { bought, there: lying, back } = sums.rows[0] ?? { bought: 0, there: -1, back: 0 }
  expect(lying + back).toBe(bought)
  const odd = await sql`select key from ledger_account a where a.kind = 'supplier_due' and a.balance_fen <> -(
    select coalesce(sum(open_fen), 0) from payable p where p.supplier_id = a.key::bigint)`.execute(shop.db)
  expect(odd.rows).toEqual([])
})
