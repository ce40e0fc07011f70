import * as orders from '@aisle/contract/purchase/order'
import * as contract from '@aisle/contract/purchase/payable'
import { addGoodsReceipt, reverseGoodsReceipt } from '@aisle/contract/purchase/receipt'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { racing, together } from '../../../testing/races'
import { bookFaults } from '../../settlement/check.reads'
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

type Owed = { id: number; receiptId: number }

/** Goods for so many packs at ten yuan have come. */
async function owed(packs: number): Promise<Owed> {
  const lines = [{ supplierProductId: goods.supplierProductId, packs }]
  const orderId = await shop.idOf(orders.addPurchaseOrder, { supplierId, warehouseId, lines })
  await shop.call(orders.submitPurchaseOrder, { id: orderId })
  await shop.call(orders.approvePurchaseOrder, { id: orderId }, other())
  await shop.call(orders.sendPurchaseOrder, { id: orderId, how: 'mail' })
  const came = [{ productId: goods.productId, counted: packs * 6 }]
  const receiptId = await shop.idOf(addGoodsReceipt, { orderId, warehouseId, lines: came })
  const found = await sql<{ id: number }>`select id from payable where receipt_id = ${receiptId}`.execute(shop.db)
  return { id: found.rows[0]?.id ?? 0, receiptId }
}
const read = async (id: number) => {
  const { data } = await shop.call(contract.listPayables, { supplierId, pageSize: 200 })
  return (data as { items: contract.Payable[] }).items.find((each) => each.id === id)
}
let reference = 0
const pay = (parts: { payableId: number; amountFen: number }[], more: Record<string, unknown> = {}, as = {}) => {
  reference += 1
  const input = { supplierId, parts, paidOn: '2026-11-20', bankReference: `BANK-${reference}`, ...more }
  return shop.call(contract.paySupplier, input, as)
}
const invoice = (payableIds: number[], amountFen: number, number: string) =>
  shop.call(contract.addSupplierInvoice, { supplierId, payableIds, number, issuedOn: '2026-11-20', amountFen })

/** Books and open items say the same, at any time. */
const isEven = async (): Promise<boolean> => (await bookFaults(shop.db)).length === 0

test('what is owed is due by the terms and is paid in parts, each with its reference at the bank', async () => {
  const { id, receiptId } = await owed(2)
  expect(await read(id)).toMatchObject({
    state: 'open',
    amountFen: 2000,
    openFen: 2000,
    payBy: '2026-12-20',
    marks: [],
  })
  expect((await pay([{ payableId: id, amountFen: 500 }])).data.state).toBe('paid')
  expect(await read(id)).toMatchObject({ state: 'partly', paidFen: 500, openFen: 1500 })
  expect((await pay([{ payableId: id, amountFen: 1501 }])).code).toBe('payable.most')
  expect((await pay([{ payableId: id, amountFen: 1500 }], { bankReference: 'BANK-1' })).code).toBe(
    'supplierPayment.referenceTaken',
  )
  expect((await pay([{ payableId: id, amountFen: 1500 }])).status).toBe(200)
  expect(await read(id)).toMatchObject({ state: 'paid', openFen: 0 })
  const back = { id: receiptId, reason: 'Wrong' }
  expect((await shop.call(reverseGoodsReceipt, back, other())).code).toBe('receipt.paid')
  expect(await isEven()).toBe(true)
})

test('64 payments of one item at once never pay more than is owed', racing, async () => {
  const { id } = await owed(2)
  const answers = await together((nth) => pay([{ payableId: id, amountFen: 400 }], { bankReference: `RACE-${nth}` }))
  const paid = answers.filter(({ status }) => status === 200).length
  expect(paid).toBeLessThanOrEqual(5)
  expect(await read(id)).toMatchObject({ paidFen: paid * 400 })
  expect(await isEven()).toBe(true)
})

test('above the limit another person agrees; until then nothing is paid, and no more can be', async () => {
  const [{ id }, token] = [await owed(600), await shop.person()]
  const parts = [{ payableId: id, amountFen: 600_000 }]
  const made = await pay(parts, {}, { token })
  expect(made.data.state).toBe('waiting')
  expect(await read(id)).toMatchObject({ state: 'open', waitingFen: 600_000, openFen: 600_000 })
  expect((await pay([{ payableId: id, amountFen: 1 }])).code).toBe('payable.most')
  const its = { id: made.data.id }
  expect((await shop.call(contract.approveSupplierPayment, its, { token })).code).toBe('supplierPayment.ownRequest')
  expect((await shop.call(contract.approveSupplierPayment, its, other())).data.state).toBe('paid')
  expect((await shop.call(contract.approveSupplierPayment, its, other())).code).toBe('supplierPayment.state')
  expect(await isEven()).toBe(true)
  const reason = 'The bank brought it back'
  expect((await shop.call(contract.takeBackSupplierPayment, { ...its, reason }, other())).code).toBe(
    'supplierPayment.ownRequest',
  )
  expect((await shop.call(contract.takeBackSupplierPayment, { ...its, reason })).data.state).toBe('returned')
  expect(await read(id)).toMatchObject({ state: 'open', waitingFen: 0, openFen: 600_000 })
  expect(await isEven()).toBe(true)
  const again = await pay(parts, {}, { token })
  expect((await shop.call(contract.refuseSupplierPayment, { id: again.data.id, reason: 'No' })).data.state).toBe(
    'refused',
  )
  expect(await read(id)).toMatchObject({ waitingFen: 0 })
})

test('an invoice for what is owed is accepted; another waits for another person and is booked then', async () => {
  const [first, second] = [await owed(2), await owed(3)]
  expect((await invoice([first.id], 2000, 'INV-1')).data.state).toBe('accepted')
  expect((await invoice([first.id], 2000, 'INV-2')).code).toBe('supplierInvoice.invoiced')
  expect((await invoice([second.id], 3000, 'INV-1')).code).toBe('supplierInvoice.taken')
  const dearer = await invoice([second.id], 3300, 'INV-3')
  expect(dearer.data.state).toBe('waiting')
  expect(await read(second.id)).toMatchObject({ marks: ['invoiceWaits'] })
  expect((await pay([{ payableId: second.id, amountFen: 3000 }])).code).toBe('payable.invoiceWaits')
  const its = { id: dearer.data.id }
  expect((await shop.call(contract.acceptSupplierInvoice, its)).code).toBe('supplierInvoice.ownRequest')
  expect((await shop.call(contract.acceptSupplierInvoice, its, other())).data.state).toBe('accepted')
  expect((await shop.call(contract.getSupplierInvoice, its)).data).toMatchObject({
    differenceFen: 300,
    lines: [{ amountFen: 3000 }, { amountFen: 300, kind: 'difference' }],
  })
  expect(await isEven()).toBe(true)
  const back = { id: first.receiptId, reason: 'Wrong' }
  expect((await shop.call(reverseGoodsReceipt, back, other())).code).toBe('receipt.paid')
})

test('a cheaper invoice is a credit that makes a payment less; one that is refused frees its receipts', async () => {
  const { id } = await owed(2)
  const refused = await invoice([id], 1900, 'INV-4')
  const no = { id: refused.data.id, reason: 'Wrong receipt' }
  expect((await shop.call(contract.refuseSupplierInvoice, no)).data.state).toBe('refused')
  const made = await invoice([id], 1900, 'INV-4')
  await shop.call(contract.acceptSupplierInvoice, { id: made.data.id }, other())
  const { lines } = (await shop.call(contract.getSupplierInvoice, { id: made.data.id })).data as {
    lines: { id: number; kind: string }[]
  }
  const credit = lines.find(({ kind }) => kind === 'difference')?.id ?? 0
  expect((await pay([{ payableId: credit, amountFen: -100 }])).code).toBe('payable.amount')
  const parts = [
    { payableId: id, amountFen: 2000 },
    { payableId: credit, amountFen: -100 },
  ]
  const paid = await pay(parts)
  expect((await shop.call(contract.getSupplierPayment, { id: paid.data.id })).data).toMatchObject({ amountFen: 1900 })
  expect([await read(id), await read(credit)]).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  expect(await isEven()).toBe(true)
})

test('what is overdue is marked, and the balance of a supplier is the ledger’s', async () => {
  const { id } = await owed(2)
  await sql`update payable set due_on = '2026-11-19' where id = ${id}`.execute(shop.db)
  expect(await read(id)).toMatchObject({ marks: ['overdue'] })
  const balances = (await shop.call(contract.listSupplierBalances, {})).data as { items: contract.SupplierBalance[] }
  const its = balances.items.find((each) => each.supplierId === supplierId)
  const open = await sql<{ fen: number }>`select sum(open_fen)::bigint as fen from payable
    where supplier_id = ${supplierId}`.execute(shop.db)
  expect(its).toMatchObject({ owedFen: open.rows[0]?.fen, overdueFen: 2000 })
  expect((await pay([{ payableId: id, amountFen: 1 }], { paidOn: '2026-11-21' })).code).toBe('supplierPayment.day')
  expect((await pay([{ payableId: 0x7fff_ffff, amountFen: 1 }])).code).toBe('payable.unknown')
  const theirs = await shop.supplier()
  expect((await pay([{ payableId: id, amountFen: 1 }], { supplierId: theirs })).code).toBe('payable.unknown')
})
