import * as order from '@aisle/contract/purchase/order'
import { listPayables, paySupplier } from '@aisle/contract/purchase/payable'
import { addPurchasePlan, getPurchasePlan, orderPurchasePlan } from '@aisle/contract/purchase/plan'
import { acceptGoodsReceipt, addGoodsReceipt } from '@aisle/contract/purchase/receipt'
import { addPaper, addSupplier, approveSupplier, submitSupplier } from '@aisle/contract/purchase/supplier'
import { addSupplierReturn, approveSupplierReturn, sendSupplierReturn } from '@aisle/contract/purchase/supplierReturn'
import { addSupplierProduct } from '@aisle/contract/purchase/supplierProduct'
import { addWarehouse } from '@aisle/contract/stock/warehouse'
import { listLyingGoods, writeOffGoods } from '@aisle/contract/stock/writeOff'
import { sql } from 'kysely'
import { DAY_MS } from '../calendar'
import { papersOf, type Source, sources } from '../data/purchases'
import type { Past } from './within'

/** Suppliers with papers and prices; plans; orders that are drafted, awaited and partly here; and something owed. */
export async function buyGoods(past: Past): Promise<void> {
  for (const source of sources) {
    const merchantId = past.idOf('merchant', source.merchant)
    past.at(past.latestMs - 6 * DAY_MS)
    const supplierId = await qualify(past, merchantId, source)
    const warehouseId = (await past.as('merchant', addWarehouse, { merchantId, name: source.warehouse })).id
    const goods = await listGoods(past, { merchantId, supplierId, source })
    const wanted = (packs: number) =>
      goods.slice(0, BY_HAND).map(({ supplierProductId }) => ({ supplierProductId, packs }))
    const about = { supplierId, warehouseId }
    const { id: orderId } = await past.as('merchant', order.addPurchaseOrder, { ...about, lines: wanted(8) })
    await send(past, orderId)
    past.at(past.latestMs - 2 * DAY_MS)
    await send(past, (await past.as('merchant', order.addPurchaseOrder, { ...about, lines: wanted(5) })).id)
    past.at(past.latestMs)
    await past.as('merchant', order.addPurchaseOrder, { ...about, lines: wanted(12), note: '节前备货' })
    await receive(past, { orderId, warehouseId, goods, source })
    await loseSome(past, source, about)
    await payPart(past, supplierId)
    await orderPlanned(past, warehouseId)
  }
}

async function qualify({ as, day }: Past, merchantId: number, { name, kind }: Source): Promise<number> {
  const deliversMedicine = kind === 'medicine'
  const { id } = await as('merchant', addSupplier, { merchantId, name, contact: '何经理', deliversMedicine })
  const dates = { validFrom: '2024-01-01', validTo: day(400) }
  for (const paper of papersOf[kind]) {
    const number = `${paper.toUpperCase()}-${merchantId}`
    await as('merchant', addPaper, { id, kind: paper, number, ...dates, pictures: [] })
  }
  await as('merchant', submitSupplier, { id })
  await as('admin', approveSupplier, { id })
  return id
}

/** Of the goods that a supplier delivers so many are ordered by hand; plans order the others. */
const BY_HAND = 3

type Goods = { productId: number; supplierProductId: number }
type Buying = { merchantId: number; supplierId: number; source: Source }

async function listGoods({ as, tx }: Past, { merchantId, supplierId, source }: Buying): Promise<Goods[]> {
  const { kind, packUnits } = source
  const found = await sql<{ id: number; costFen: number }>`select p.id, p.cost_fen as "costFen" from merchant own
    join product p on p.merchant_id = any(own.path) left join medicine m on m.product_id = p.id
    where own.id = ${merchantId} and not p.is_unknown and p.kind = ${kind} and p.cost_fen > 0
      and coalesce(p.medicine_class, 'otc_b') = 'otc_b' and coalesce(m.storage, 'room') = 'room'
    order by (select count(*) from slot s join machine k on k.id = s.machine_id
      where s.product_id = p.id and k.merchant_id = own.id) desc, p.id limit 12`.execute(tx)
  const listed: Goods[] = []
  for (const { id: productId, costFen } of found.rows) {
    const prices = [{ fromOn: '2025-01-01', fromPacks: 1, priceFen: costFen * packUnits }]
    const said = { merchantId, supplierId, productId, packUnits, minimumPacks: 2, leadDays: 5, prices }
    listed.push({ productId, supplierProductId: (await as('merchant', addSupplierProduct, said)).id })
  }
  return listed
}

async function send({ as }: Past, id: number): Promise<void> {
  const { state } = await as('merchant', order.submitPurchaseOrder, { id })
  if (state === 'submitted') await as('admin', order.approvePurchaseOrder, { id })
  await as('merchant', order.sendPurchaseOrder, { id, how: 'mail' })
}

/** What is missing for a month is ordered as it was proposed; of what two months need, nobody has decided yet. */
async function orderPlanned({ as }: Past, warehouseId: number): Promise<void> {
  const { id } = await as('merchant', addPurchasePlan, { warehouseId, horizonDays: 30 })
  const { toOrder } = await as('merchant', getPurchasePlan, { id })
  if (toOrder > 0) await as('merchant', orderPurchasePlan, { id })
  await as('merchant', addPurchasePlan, { warehouseId, horizonDays: 60, note: '春节备货' })
}

type Coming = { orderId: number; warehouseId: number; goods: readonly Goods[]; source: Source }

/** The first goods come whole, one of them broken; the second in part, which still has to be looked at. */
async function receive({ as, day }: Past, { orderId, warehouseId, goods, source }: Coming): Promise<void> {
  const [first, second] = goods
  const lot = { batch: `2611${source.packUnits}A`, expiresOn: day(420) }
  const come = (productId: number, counted: number, more: object = {}) => {
    const about = { orderId, warehouseId, deliveryNote: `SH-${orderId}-${productId}` }
    return as('merchant', addGoodsReceipt, { ...about, lines: [{ productId, ...lot, counted, ...more }] })
  }
  if (first) {
    const all = 8 * source.packUnits
    const { id, state } = await come(first.productId, all - 1, { damaged: 1, reason: '外包装破损' })
    if (state === 'waiting') await as('admin', acceptGoodsReceipt, { id })
  }
  if (second) await come(second.productId, 2 * source.packUnits)
}

type Sent = { supplierId: number; warehouseId: number }

/** Two pieces that a count did not find, a heap whose write-off waits for another person, and a box that goes back. */
async function loseSome({ as }: Past, { warehouse }: Source, about: Sent): Promise<void> {
  const [lying] = (await as('merchant', listLyingGoods, { q: warehouse })).items
  if (!lying) return
  const { placeId, productId, batch, quantity } = lying
  const line = { placeId, productId, batch }
  const lose = (pieces: number, why: 'missing' | 'quality', note: string) =>
    as('merchant', writeOffGoods, { lines: [{ ...line, quantity: pieces }], why, note })
  await lose(2, 'missing', '盘点时少了 2 件')
  await lose(Math.floor(quantity / 2), 'quality', '整箱受潮，外包装霉变')
  const lines = [{ productId, batch, quantity: 12 }]
  const { supplierId, warehouseId: fromId } = about
  const wanted = { supplierId, fromId, lines, why: 'quality' as const, note: '外箱破损' }
  const { id } = await as('merchant', addSupplierReturn, wanted)
  await as('admin', approveSupplierReturn, { id })
  await as('merchant', sendSupplierReturn, { id })
}

async function payPart({ as, day }: Past, supplierId: number): Promise<void> {
  const [owed] = (await as('merchant', listPayables, { supplierId })).items
  if (!owed) return
  const parts = [{ payableId: owed.id, amountFen: Math.ceil(owed.amountFen / 2) }]
  const bankReference = `2026${supplierId}0001`
  await as('merchant', paySupplier, { supplierId, parts, paidOn: day(0), bankReference })
}
