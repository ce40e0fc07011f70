import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type {
  addPurchaseOrder,
  cancelPurchaseOrder,
  closePurchaseOrder,
  editPurchaseOrder,
  rejectPurchaseOrder,
  sendPurchaseOrder,
} from '@aisle/contract/purchase/order'
import { purchaseOverPercent, purchaseSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { must, only } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import { holdWarehouse, nextNo } from '../../stock/public'
import type { Standing } from '../supplier.store'
import { dueFrom, mostOf, needsSecond, priceOf, totalOf } from './order.rules'
import {
  type HeldOrder,
  holdOrder,
  holdSupplier,
  linesOf,
  listedOf,
  type NewLine,
  passedToday,
  purchaseOrders,
  putLines,
  recordOrder,
  refuseSupplier,
  wroteIt,
} from './order.store'

type Said = Pick<InputOf<typeof addPurchaseOrder>, 'warehouseId' | 'dueOn' | 'note' | 'lines'>
type Id = { id: number }
const changed = ({ id }: Id, state: HeldOrder['state']) => ({ id, state })

export async function add(ctx: CommandContext, { supplierId, ...said }: InputOf<typeof addPurchaseOrder>) {
  const supplier = await holdSupplier(ctx, supplierId)
  const { lines, dueOn } = await priced(ctx, supplier, said)
  const { merchantId } = supplier
  const no = await nextNo(ctx.tx, merchantId, 'CG', ctx.now())
  const { warehouseId, note } = said
  const made = await sql<Id>`insert into purchase_order (merchant_id, no, supplier_id, warehouse_id, due_on, note,
      made_by, maker, made_at)
    values (${merchantId}, ${no}, ${supplierId}, ${warehouseId}, ${dueOn}::date, ${note}, ${ctx.actor.userId},
      ${ctx.actor.displayName}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  await putLines(ctx.tx, id, lines)
  const after = { no, supplier: supplier.name, dueOn, note, totalFen: totalOf(lines), lines: lines.map(shownOf) }
  await recordOrder(ctx, { id, merchantId }, { verb: 'add', note, before: null, after })
  return { id, no }
}

const shownOf = ({
  supplierProductId,
  packs,
  priceFen,
}: Pick<NewLine, 'supplierProductId' | 'packs' | 'priceFen'>) => ({
  supplierProductId,
  packs,
  priceFen,
})

/** Lines at their prices, for a warehouse of the same merchant. @throws Refusal for what can't be ordered so */
async function priced(ctx: CommandContext, supplier: Standing, { warehouseId, dueOn, lines }: Said) {
  const warehouse = await holdWarehouse(ctx, warehouseId, true)
  if (warehouse.merchantId !== supplier.merchantId) refuse('purchaseOrder.merchants', { name: warehouse.name })
  const ids = lines.map(({ supplierProductId }) => supplierProductId)
  const listed = new Map((await listedOf(ctx.tx, supplier.id, ids)).map((one) => [one.id, one]))
  if (listed.size < ids.length) refuse('purchaseOrder.line', { name: supplier.name })
  const overPercent = await settingOf(ctx.tx, purchaseOverPercent, supplier.merchantId)
  const all = lines.map(({ supplierProductId, packs, priceFen: typedFen }) => {
    const one = must(listed.get(supplierProductId), 'a product of the supplier')
    const { productId, packUnits, taxPermille, productName } = one
    const price = priceOf(one.prices, { day: supplier.day, packs, typedFen })
    if (!price) refuse('purchaseOrder.noPrice', { name: productName })
    const most = mostOf(packs * packUnits, overPercent)
    return { supplierProductId, productId, packs, packUnits, taxPermille, most, ...price }
  })
  const due =
    dueOn ??
    dueFrom(
      supplier.day,
      [...listed.values()].map(({ leadDays }) => leadDays),
    )
  if (due < supplier.day) refuse('purchaseOrder.due')
  return { lines: all, dueOn: due }
}

export async function edit(ctx: CommandContext, { id, version, ...said }: InputOf<typeof editPurchaseOrder>) {
  const order = await holdOrder(ctx, id, null)
  const supplier = await holdSupplier(ctx, order.supplierId)
  const { warehouseId, note } = said
  const { lines, dueOn } = await priced(ctx, supplier, said)
  const kept = await linesOf(ctx.tx, id)
  const before = {
    warehouseId: order.warehouseId,
    dueOn: order.dueOn,
    note: order.note,
    lines: kept.map(shownOf),
  }
  const after = { warehouseId, dueOn, note, lines: lines.map(shownOf) }
  refuseStale(ctx, { version }, order, before, after)
  purchaseOrders.must(order, 'submit')
  await sql`update purchase_order set warehouse_id = ${warehouseId}, due_on = ${dueOn}::date, note = ${note},
    version = version + 1 where id = ${id}`.execute(ctx.tx)
  await putLines(ctx.tx, id, lines)
  await recordOrder(ctx, order, { verb: 'edit', before, after })
  return changed(order, order.state)
}

/** Held with supplier and lines; what speaks against buying from it today is refused whichever step is asked for. */
async function holdAbleOrder(ctx: CommandContext, id: number, verb: 'submit' | 'approve' | 'send') {
  const order = await holdOrder(ctx, id, verb)
  const supplier = await holdSupplier(ctx, order.supplierId)
  const lines = await linesOf(ctx.tx, id)
  refuseSupplier(supplier, lines)
  return { order, lines }
}

export async function submit(ctx: CommandContext, { id }: Id) {
  const { order, lines } = await holdAbleOrder(ctx, id, 'submit')
  const limitFen = await settingOf(ctx.tx, purchaseSecondPerson, order.merchantId)
  const totalFen = totalOf(lines)
  // One at a time of a merchant, so that two at once do not both pass below the limit.
  await sql`select from merchant where id = ${order.merchantId} for no key update`.execute(ctx.tx)
  const passedTodayFen = await passedToday(ctx, order.merchantId)
  const at = ctx.now()
  const verb = needsSecond({ totalFen, passedTodayFen, limitFen }) ? 'submit' : 'pass'
  const more = verb === 'pass' ? { approvedAt: at } : {}
  const state = await purchaseOrders.move(ctx.tx, order, verb, { submittedAt: at, ...more })
  await recordOrder(ctx, order, { verb, before: { state: order.state }, after: { state, totalFen } })
  return changed(order, state)
}

export async function approve(ctx: CommandContext, { id }: Id) {
  const { order } = await holdAbleOrder(ctx, id, 'approve')
  const { userId, displayName } = ctx.actor
  const own = await sql<{ is: boolean }>`select ${wroteIt(id, userId)} as is`.execute(ctx.tx)
  if (only(own).is) refuse('purchaseOrder.ownRequest')
  const by = { approvedBy: userId, approver: displayName, approvedAt: ctx.now() }
  const state = await purchaseOrders.move(ctx.tx, order, 'approve', by)
  await recordOrder(ctx, order, { verb: 'approve', before: { state: order.state }, after: { state } })
  return changed(order, state)
}

export async function reject(ctx: CommandContext, { id, reason }: InputOf<typeof rejectPurchaseOrder>) {
  const order = await holdOrder(ctx, id, 'reject')
  const state = await purchaseOrders.move(ctx.tx, order, 'reject', { submittedAt: null })
  await recordOrder(ctx, order, {
    verb: 'reject',
    note: reason,
    before: { state: order.state },
    after: { state, reason },
  })
  return changed(order, state)
}

export async function send(ctx: CommandContext, { id, how, note }: InputOf<typeof sendPurchaseOrder>) {
  const { order } = await holdAbleOrder(ctx, id, 'send')
  const state = await purchaseOrders.move(ctx.tx, order, 'send', { sentHow: how, sentAt: ctx.now() })
  await recordOrder(ctx, order, { verb: 'send', note, before: { state: order.state }, after: { state, how, note } })
  return changed(order, state)
}

export async function close(ctx: CommandContext, { id, reason }: InputOf<typeof closePurchaseOrder>) {
  const order = await holdOrder(ctx, id, 'close')
  const lines = await linesOf(ctx.tx, id)
  if (lines.some(({ claimed, received }) => claimed > received)) refuse('purchaseOrder.came', { no: order.no })
  const short = lines.filter(({ pieces, received }) => received < pieces)
  if (short.length > 0 && !reason) refuse('purchaseOrder.short', { no: order.no, count: short.length })
  return end(ctx, order, 'close', reason)
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelPurchaseOrder>) {
  const order = await holdOrder(ctx, id, 'cancel')
  const lines = await linesOf(ctx.tx, id)
  if (lines.some(({ claimed }) => claimed > 0)) refuse('purchaseOrder.came', { no: order.no })
  return end(ctx, order, 'cancel', reason)
}

async function end(ctx: CommandContext, order: HeldOrder, verb: 'close' | 'cancel', reason: string) {
  const state = await purchaseOrders.move(ctx.tx, order, verb, { endedAt: ctx.now(), endReason: reason })
  await recordOrder(ctx, order, { verb, note: reason, before: { state: order.state }, after: { state, reason } })
  return changed(order, state)
}
