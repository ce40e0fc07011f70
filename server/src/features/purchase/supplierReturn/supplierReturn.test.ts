import * as orders from '@aisle/contract/purchase/order'
import { listPayables, listSupplierBalances, paySupplier } from '@aisle/contract/purchase/payable'
import * as receipts from '@aisle/contract/purchase/receipt'
import * as contract from '@aisle/contract/purchase/supplierReturn'
import { getWarehouse } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../../testing/builders'
import { racing, together } from '../../../testing/races'
import { openShop, type Shop } from '../testing.shop'

const NOON = new Date('2026-11-20T04:00:00Z')
let shop: Shop
let supplierId: number
let warehouseId: number
let goods: { productId: number; supplierProductId: number }
let [keeper, other] = ['', '']

beforeAll(async () => {
  shop = await openShop(NOON)
  keeper = await shop.person(['writeOff.*'])
  other = await shop.person(['writeOff.*'])
  supplierId = await shop.supplier()
  goods = await shop.listed(supplierId)
  warehouseId = await shop.warehouse()
  await bring(12, 1000)
  await bring(6, 2000)
  await sql`insert into setting (key, merchant_id, value)
    values ('writeOff.secondPersonFen', ${shop.merchantId}, '1000')
    on conflict (key, merchant_id) do update set value = excluded.value`.execute(shop.db)
})
afterAll(() => shop.close())

/** Came at so much a pack of six. */
async function bring(pieces: number, priceFen: number): Promise<number> {
  const lines = [{ supplierProductId: goods.supplierProductId, packs: Math.ceil(pieces / 6), priceFen }]
  const id = await shop.idOf(orders.addPurchaseOrder, { supplierId, warehouseId, lines })
  await shop.call(orders.submitPurchaseOrder, { id })
  await shop.call(orders.sendPurchaseOrder, { id, how: 'print' })
  const came = [{ productId: goods.productId, counted: pieces }]
  return shop.idOf(receipts.addGoodsReceipt, { orderId: id, warehouseId, lines: came })
}
const call = (endpoint: Parameters<Shop['call']>[0], input: Record<string, unknown>, token = keeper) =>
  shop.call(endpoint, input, { token })
const draft = (quantity: number, more: Record<string, unknown> = {}) => {
  const lines = [{ productId: goods.productId, quantity }]
  return call(contract.addSupplierReturn, { supplierId, fromId: warehouseId, lines, why: 'expiring', ...more })
}
const there = async () => {
  const { pieces, valueFen } = (await call(getWarehouse, { id: warehouseId })).data
  return [pieces, valueFen]
}
/** By the ledger, and by what is open of receipts, invoices and returns. */
const owed = async () => {
  const found = await sql<{ ledger: number; open: number }>`select
      (select -balance_fen from ledger_account where kind = 'supplier_due' and key = ${String(supplierId)}) as ledger,
      (select coalesce(sum(open_fen), 0)::bigint from payable where supplier_id = ${supplierId}) as open`.execute(
    shop.db,
  )
  const { ledger = 0, open = 0 } = found.rows[0] ?? {}
  expect(ledger).toBe(open)
  return open
}

test('goods go back at what they cost, another person lets dear ones go, and what is owed falls', async () => {
  expect(await there()).toEqual([18, 4000])
  const before = await owed()
  expect((await draft(19)).code).toBe('warehouse.less')
  // Six of the newest receipt at 2000, two of the older at 1000 a pack.
  const { id } = (await draft(8)).data
  const its = { id }
  const read = async (token = keeper) => (await call(contract.getSupplierReturn, its, token)).data
  expect(await read()).toMatchObject({ no: 'TH20261120-0001', totalFen: 2333, pieces: 8, mayApprove: false })
  expect((await call(contract.approveSupplierReturn, its)).code).toBe('supplierReturn.ownRequest')
  expect((await call(contract.sendSupplierReturn, its)).code).toBe('supplierReturn.state')
  expect((await call(contract.approveSupplierReturn, its, other)).data.state).toBe('approved')
  expect(await there()).toEqual([18, 4000])
  expect((await call(contract.sendSupplierReturn, its)).data.state).toBe('sent')
  expect(await there()).toEqual([10, 1667])
  expect(await owed()).toBe(before)
  const credit = { id, creditNote: 'CN-1', creditedFen: 2334 }
  expect((await call(contract.creditSupplierReturn, credit)).code).toBe('supplierReturn.credit')
  expect((await call(contract.creditSupplierReturn, { ...credit, creditedFen: 2300 })).data.state).toBe('credited')
  expect(await owed()).toBe(before - 2300)
  expect((await call(contract.cancelSupplierReturn, { id, reason: 'Late' })).code).toBe('supplierReturn.state')
  const balances = (await call(listSupplierBalances, { supplierId })).data.items
  expect(balances).toMatchObject([{ owedFen: before - 2300 }])
})

test('a credit is used up by what is paid next', async () => {
  const items = (await call(listPayables, { supplierId, left: 'pay' })).data.items as { id: number; openFen: number }[]
  expect(items).toContainEqual(expect.objectContaining({ kind: 'return', returnNo: 'TH20261120-0001', openFen: -2300 }))
  const parts = items.map(({ id: payableId, openFen: amountFen }) => ({ payableId, amountFen }))
  const paid = await call(paySupplier, { supplierId, parts, paidOn: '2026-11-20', bankReference: 'B-1' })
  expect(paid.data.state).toBe('paid')
  expect(await owed()).toBe(0)
})

test('no more goes back than came, a receipt of which some went back is not reversed', async () => {
  const receiptId = await bring(6, 1000)
  expect((await draft(7, { receiptId })).code).toBe('supplierReturn.bought')
  const { id } = (await draft(3, { receiptId })).data
  expect((await draft(4, { receiptId })).code).toBe('supplierReturn.bought')
  const wrong = { id: receiptId, reason: 'Written wrongly' }
  expect((await call(receipts.reverseGoodsReceipt, wrong, other)).code).toBe('receipt.returned')
  // Below the limit its maker may let it go.
  expect((await call(contract.approveSupplierReturn, { id })).data.state).toBe('approved')
  await call(contract.sendSupplierReturn, { id })
  const [pieces, value] = await there()
  expect((await call(contract.cancelSupplierReturn, { id, reason: 'Not taken' })).data.state).toBe('cancelled')
  expect(await there()).toEqual([Number(pieces) + 3, Number(value) + 500])
  expect((await call(receipts.reverseGoodsReceipt, wrong, other)).data.state).toBe('reversed')
})

test('what came from somebody else, or lies with somebody else, does not go back to this supplier', async () => {
  const elsewhere = await shop.supplier()
  expect((await draft(1, { supplierId: elsewhere })).code).toBe('supplierReturn.bought')
  const strangerId = await addMerchant(shop.db, { parentId: shop.rootId })
  const found = await sql<{ id: number }>`with p as (insert into place (merchant_id, kind) values (${strangerId},
      'warehouse') returning id)
    insert into warehouse (merchant_id, place_id, name, created_at) select ${strangerId}, id, 'Far', ${NOON} from p
    returning id`.execute(shop.db)
  expect((await draft(1, { fromId: found.rows[0]?.id })).status).toBe(404)
  expect((await draft(1, { lines: [{ productId: goods.productId, batch: 'B', quantity: 1 }] })).code).toBe(
    'supplierReturn.line',
  )
})

test('64 drafts at once take no more of a receipt than came on it', racing, async () => {
  const receiptId = await bring(6, 600)
  await bring(60, 600)
  const answers = await together(() => draft(1, { receiptId }))
  const made = answers.filter(({ status }) => status === 200).length
  expect(made).toBe(6)
  const found = await sql`select returned from goods_receipt_returned where receipt_id = ${receiptId}`.execute(shop.db)
  expect(found.rows).toEqual([{ returned: 6 }])
})
