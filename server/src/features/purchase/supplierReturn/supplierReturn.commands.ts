import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type addSupplierReturn,
  type cancelSupplierReturn,
  type creditSupplierReturn,
  supplierReturnState,
} from '@aisle/contract/purchase/supplierReturn'
import { writeOffSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refusedBy } from '../../../kernel/constraint'
import { must, only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import { postTransfers } from '../../ledger/public'
import { holdGoods, holdWarehouse, nextNo, outsidePlaces, recordMoves, refuseLess } from '../../stock/public'
import { needsSecond } from '../order/order.rules'
import { holdSupplier } from '../order/order.store'
import { goodsPostings } from '../payable/payable.rules'
import { takenFrom } from './supplierReturn.rules'
import {
  claimReceipts,
  type HeldReturn,
  holdReturn,
  putReturnLines,
  type ReturnLine,
  returnedToday,
  returnLines,
  returns,
  sourcesOf,
} from './supplierReturn.store'

const audit = auditAs('supplierReturn')
type Input = InputOf<typeof addSupplierReturn>
type Id = { id: number }

export async function add(ctx: CommandContext, input: Input) {
  const { supplierId, fromId, why, note } = input
  const supplier = await holdSupplier(ctx, supplierId)
  const warehouse = await holdWarehouse(ctx, fromId, false)
  const { merchantId } = supplier
  if (warehouse.merchantId !== merchantId) refuse('supplierReturn.merchants', { name: warehouse.name })
  const lines = await linesFor(ctx, warehouse.placeId, input)
  const no = await nextNo(ctx.tx, merchantId, 'TH', ctx.now())
  const made =
    await sql<Id>`insert into supplier_return (merchant_id, no, supplier_id, warehouse_id, why, note, made_by,
      maker, made_at)
    values (${merchantId}, ${no}, ${supplierId}, ${fromId}, ${why}, ${note}, ${ctx.actor.userId},
      ${ctx.actor.displayName}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  await putReturnLines(ctx.tx, id, lines)
  await claimReceipts(ctx.tx, lines, 1)
  const totalFen = lines.reduce((sum, { costFen }) => sum + costFen, 0)
  await audit(ctx, { id, merchantId }, null, { no, supplier: supplier.name, why, note, totalFen, lines: lines.length })
  return { id, no }
}

/** @throws Refusal for what does not lie there, or did not come from the supplier */
async function linesFor(
  ctx: CommandContext,
  placeId: number,
  { supplierId, receiptId, lines }: Input,
): Promise<ReturnLine[]> {
  const keys = new Set(lines.map(({ productId, batch }) => `${productId}/${batch}`))
  if (keys.size < lines.length) refuse('supplierReturn.line')
  const goods = await holdGoods(ctx.tx, placeId, lines)
  const isMixed = goods.some(({ storage, batch }) => (storage !== null) !== (batch !== ''))
  if (isMixed) refuse('supplierReturn.line')
  refuseLess(goods)
  const all: ReturnLine[] = []
  for (const { productId, batch, quantity, name } of goods) {
    const sources = await sourcesOf(ctx.tx, { supplierId, receiptId, productId, batch })
    const left = sources.reduce((sum, { counted, returned }) => sum + counted - returned, 0)
    const taken = takenFrom(sources, quantity) ?? refuse('supplierReturn.bought', { name, left })
    for (const each of taken) all.push({ ...each, line: all.length + 1, productId, batch })
  }
  return all
}

export async function approve(ctx: CommandContext, { id }: Id) {
  const held = await holdReturn(ctx, id, 'approve')
  const { merchantId, totalFen, madeBy } = held
  if (madeBy === ctx.actor.userId) {
    const limitFen = await settingOf(ctx.tx, writeOffSecondPerson, merchantId)
    // One at a time of a merchant, so that two at once do not both pass below the limit.
    await sql`select from merchant where id = ${merchantId} for no key update`.execute(ctx.tx)
    const passedTodayFen = await returnedToday(ctx, merchantId)
    if (needsSecond({ totalFen, passedTodayFen, limitFen })) refuse('supplierReturn.ownRequest')
  }
  const { userId, displayName } = ctx.actor
  const by = { approvedBy: userId, approver: displayName, approvedAt: ctx.now() }
  return ended(ctx, held, await returns.move(ctx.tx, held, 'approve', by))
}

export async function send(ctx: CommandContext, { id }: Id) {
  const held = await holdReturn(ctx, id, 'send')
  await carry(ctx, held, 'out')
  const by = { sender: ctx.actor.displayName, sentAt: ctx.now() }
  return ended(ctx, held, await returns.move(ctx.tx, held, 'send', by))
}

/** All of it goes to the supplier, or comes back from there, at what it had cost. */
async function carry(ctx: CommandContext, { id, merchantId, no, placeId }: HeldReturn, way: 'out' | 'back') {
  const lines = await returnLines(ctx.tx, id)
  if (way === 'out') refuseLess(await holdGoods(ctx.tx, placeId, wantedOf(lines)))
  const suppliers = await outsidePlaces(ctx.tx, 'supplier', [merchantId])
  const supplierId = must(suppliers.get(merchantId), 'place of suppliers')
  const [fromPlaceId, toPlaceId] = way === 'out' ? [placeId, supplierId] : [supplierId, placeId]
  const about = { merchantId, movedAt: ctx.now(), fromPlaceId, toPlaceId, reference: no, userId: ctx.actor.userId }
  await recordMoves(
    ctx.tx,
    lines.map(({ productId, batch, quantity, costFen }) => {
      return { ...about, productId, quantity, cause: 'return' as const, batch: batch || null, costFen }
    }),
  )
}

/** Lines of one product and batch count together, whichever receipts they came on. */
function wantedOf(lines: readonly ReturnLine[]) {
  const wanted = new Map<string, { productId: number; batch: string; quantity: number }>()
  for (const { productId, batch, quantity } of lines) {
    const key = `${productId}/${batch}`
    wanted.set(key, { productId, batch, quantity: (wanted.get(key)?.quantity ?? 0) + quantity })
  }
  return [...wanted.values()]
}

/** A credit is owed to us like a debt below 0, and is used up by what is paid next. */
export async function credit(ctx: CommandContext, input: InputOf<typeof creditSupplierReturn>) {
  const { id, creditNote, creditedFen } = input
  const held = await holdReturn(ctx, id, 'credit')
  const { merchantId, supplierId, totalFen, day } = held
  if (creditedFen > totalFen) refuse('supplierReturn.credit')
  await sql`insert into payable (merchant_id, supplier_id, kind, return_id, amount_fen, due_on, booked_at)
    values (${merchantId}, ${supplierId}, 'return', ${id}, ${-creditedFen}, ${day}::date, ${ctx.now()})`.execute(ctx.tx)
  const postings = goodsPostings({ merchantId, supplierId, amountFen: -creditedFen })
  const about = { kind: 'supplier_return' as const, reference: String(id), merchantId, businessDay: day }
  await postTransfers(ctx.tx, [{ ...about, postedAt: ctx.now(), postings }])
  const state = await refusedBy(
    'supplier_return_credit_note',
    returns.move(ctx.tx, held, 'credit', { creditNote, creditedFen, endedAt: ctx.now() }),
    () => refusal('supplierReturn.creditNoteTaken', { number: creditNote }),
  )
  return ended(ctx, held, state, { creditNote, creditedFen })
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelSupplierReturn>) {
  const held = await holdReturn(ctx, id, 'cancel')
  if (supplierReturnState.can(held.state, 'credit')) await carry(ctx, held, 'back')
  await claimReceipts(ctx.tx, await returnLines(ctx.tx, id), -1)
  const state = await returns.move(ctx.tx, held, 'cancel', { endedAt: ctx.now(), endReason: reason })
  return ended(ctx, held, state, { reason })
}

async function ended(ctx: CommandContext, held: HeldReturn, state: HeldReturn['state'], more: object = {}) {
  await audit(ctx, held, { state: held.state }, { state, ...more })
  return { id: held.id, state }
}
