import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { addGoodsReceipt } from '@aisle/contract/purchase/receipt'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refusedBy } from '../../../kernel/constraint'
import { only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { faultyTrace } from '../../medicine/public'
import { holdWarehouse, nextNo, refuseStorage } from '../../stock/public'
import { priceOf } from '../order/order.rules'
import {
  claimLines,
  type HeldOrder,
  holdOrder,
  holdSupplier,
  linesOf,
  listedFor,
  purchaseOrders,
  refuseSupplier,
} from '../order/order.store'
import type { Standing } from '../supplier.store'
import { putAway } from './putAway.commands'
import { claimsOf, costOf, faultOfLine, secondOf } from './receipt.rules'
import { type HeldReceipt, type Line, type Product, productsOf, putReceiptLines } from './receipt.store'

type Input = InputOf<typeof addGoodsReceipt>
type Typed = Input['lines'][number]
type Read = { typed: Typed; product: Product; line: Line }

const auditReceipt = auditAs('goodsReceipt')

export async function add(ctx: CommandContext, input: Input) {
  const { orderId, warehouseId, deliveryNote, note } = input
  const order = orderId === null ? null : await holdOrder(ctx, orderId, 'comePartly')
  const supplier = await holdSupplier(ctx, order?.supplierId ?? input.supplierId ?? refuse('receipt.supplier'))
  const warehouse = await holdWarehouse(ctx, warehouseId, true)
  const { merchantId } = supplier
  if (warehouse.merchantId !== merchantId) refuse('purchaseOrder.merchants', { name: warehouse.name })
  const read = await readLines(ctx, { supplier, order }, input.lines)
  const good = read.filter(({ line }) => line.counted > 0).map(({ product }) => product)
  // What is sent back needs no licence.
  if (good.length > 0) refuseSupplier(supplier, good)
  refuseStorage(warehouse, good)
  await refuseCodes(ctx, merchantId, read)
  const second = secondOf(
    read.map(({ product, line }) => ({ isMedicine: product.medicineClass !== null, counted: line.counted })),
    order !== null,
  )
  const no = await nextNo(ctx.tx, merchantId, 'RK', ctx.now())
  const { userId, displayName } = ctx.actor
  const made = await refusedBy(
    'goods_receipt_delivery',
    sql<{ id: number }>`insert into goods_receipt (merchant_id, no, supplier_id, order_id, warehouse_id, delivery_note,
        note, second, received_by, receiver, received_at)
      values (${merchantId}, ${no}, ${supplier.id}, ${orderId}, ${warehouseId}, ${deliveryNote}, ${note},
        ${[...second]}::text[], ${userId}, ${displayName}, ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('receipt.noteTaken', { note: deliveryNote }),
  )
  const { id } = only(made)
  const lines = read.map(({ line }) => line)
  await putReceiptLines(ctx.tx, id, lines)
  if (order) {
    await claimLines(
      ctx.tx,
      order,
      claimsOf(lines).map(({ line, pieces }) => ({ line, claimed: pieces, received: 0 })),
    )
  }
  const after = { no, supplier: supplier.name, order: order?.no ?? null, deliveryNote, second, lines: lines.length }
  await auditReceipt(ctx, { id, merchantId }, null, after)
  const { placeId } = warehouse
  const held = { id, merchantId, no, supplierId: supplier.id, orderId, warehouseId, placeId, receivedBy: userId }
  const receipt: HeldReceipt = { ...held, decidedBy: null, state: 'waiting' }
  return { id, no, state: second.length > 0 ? receipt.state : await putAway(ctx, receipt, 'pass') }
}

/** Each line with what was agreed of its product. @throws Refusal for the first that can't be taken in so */
async function readLines(
  ctx: CommandContext,
  { supplier, order }: { supplier: Standing; order: HeldOrder | null },
  typed: readonly Typed[],
): Promise<Read[]> {
  const ids = [...new Set(typed.map(({ productId }) => productId))]
  const products = await productsOf(ctx.tx, supplier.merchantId, ids)
  const agreed = order ? await ofOrder(ctx, order) : await ofList(ctx, supplier, ids, typed)
  const keys = new Set(typed.map(({ productId, batch }) => `${productId}/${batch}`))
  if (keys.size < typed.length) refuse('receipt.twice')
  return typed.map((each, at) => {
    const product = products.get(each.productId)
    const terms = agreed.get(each.productId)
    if (!product || !terms) refuse('receipt.product', { name: product?.name ?? String(each.productId) })
    const isMedicine = product.medicineClass !== null
    const fault = faultOfLine(each, { isMedicine, storage: product.storage }, supplier.day)
    if (fault) refuse(fault, { name: product.name, batch: each.batch })
    const { temperatureC, announced, ...said } = each
    const line: Line = {
      ...said,
      ...terms,
      line: at + 1,
      announced: announced ?? each.counted + each.damaged + each.refused,
      temperatureTenths: temperatureC === null ? null : Math.round(temperatureC * 10),
      costFen: costOf({ ...terms, counted: each.counted }),
    }
    return { typed: each, product, line }
  })
}

type Terms = Pick<Line, 'orderLine' | 'priceFen' | 'packUnits'>

async function ofOrder(ctx: CommandContext, order: HeldOrder): Promise<Map<number, Terms>> {
  purchaseOrders.must(order, 'comePartly')
  const lines = await linesOf(ctx.tx, order.id)
  return new Map(
    lines.map(({ line, productId, priceFen, packUnits }) => [productId, { orderLine: line, priceFen, packUnits }]),
  )
}

/** What nobody ordered costs what the list asks for as many packs. */
async function ofList(
  ctx: CommandContext,
  supplier: Standing,
  ids: readonly number[],
  typed: readonly Typed[],
): Promise<Map<number, Terms>> {
  const listed = await listedFor(ctx.tx, supplier.id, ids)
  return new Map(
    listed.map(({ productId, productName, packUnits, prices }) => {
      const pieces = typed.filter((each) => each.productId === productId).reduce((sum, { counted }) => sum + counted, 0)
      const packs = Math.max(1, Math.floor(pieces / packUnits))
      const price = priceOf(prices, { day: supplier.day, packs, typedFen: null })
      if (!price) refuse('receipt.noPrice', { name: productName })
      return [productId, { orderLine: null, priceFen: price.priceFen, packUnits }]
    }),
  )
}

async function refuseCodes(ctx: CommandContext, merchantId: number, read: readonly Read[]): Promise<void> {
  for (const { product, line } of read) {
    const goods = { merchantId, productId: product.id, productCode: product.code, batch: line.batch }
    const code = await faultyTrace(ctx.tx, { ...goods, codes: line.codes })
    if (code !== null) refuse('receipt.codes', { name: product.name, batch: line.batch, code: code.slice(0, 40) })
  }
}
