import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { reverseGoodsReceipt, turnDownGoodsReceipt } from '@aisle/contract/purchase/receipt'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import { addDays } from '../../../kernel/businessDay'
import type { CommandContext } from '../../../kernel/context'
import { must, only } from '../../../kernel/must'
import { dayAt } from '../../../kernel/platformDays'
import { refuse } from '../../../kernel/refuse'
import { postTransfers } from '../../ledger/public'
import { enterBatches, receiveTraces, withdrawTraces } from '../../medicine/public'
import { holdGoods, type Move, outsidePlaces, recordMoves, refuseLess } from '../../stock/public'
import { verbAfter } from '../order/order.rules'
import { claimLines, holdOrder, linesOf, purchaseOrders, recordOrder } from '../order/order.store'
import { goodsPostings } from '../payable/payable.rules'
import { claimsOf } from './receipt.rules'
import { type HeldReceipt, holdReceipt, type KeptLine, owe, receiptLines, receipts, releaseOwed } from './receipt.store'

const auditReceipt = auditAs('goodsReceipt')

/**
 * Stock, batches, trace codes, what is owed and what has come of the order, in one transaction.
 * @param verb `pass` where nobody else had to look
 */
export async function putAway(
  ctx: CommandContext,
  receipt: HeldReceipt,
  verb: 'pass' | 'accept',
): Promise<HeldReceipt['state']> {
  const lines = (await receiptLines(ctx.tx, receipt.id)).filter(({ counted }) => counted > 0)
  const terms = await termsOf(ctx, receipt.supplierId)
  const expired = lines.find(({ expiresOn }) => expiresOn !== null && expiresOn < terms.day)
  if (expired) refuse('receipt.expired', { name: expired.productCode, batch: expired.batch })
  await refuseBatches(ctx, lines)
  const supplierPlace = await placeOf(ctx, receipt)
  await recordMoves(
    ctx.tx,
    lines.map((line) => ({
      ...movedOf(ctx, receipt, line),
      cause: 'purchase',
      fromPlaceId: supplierPlace,
      toPlaceId: receipt.placeId,
      costFen: line.costFen,
    })),
  )
  await bindCodes(ctx, receipt, lines)
  const amountFen = lines.reduce((sum, { costFen }) => sum + costFen, 0)
  if (amountFen > 0) {
    await owe(ctx, { ...receipt, amountFen, dueOn: addDays(terms.day, terms.termsDays) })
    await post(ctx, receipt, { kind: 'goods_receipt', amountFen, day: terms.day })
  }
  await settle(ctx, receipt, lines, { claimed: 0, received: 1 })
  const { userId, displayName } = ctx.actor
  const by = { decidedBy: userId, decider: displayName, decidedAt: ctx.now() }
  const state = await receipts.move(ctx.tx, receipt, verb, by)
  await auditReceipt(ctx, receipt, { state: receipt.state }, { state, amountFen })
  return state
}

type Terms = { day: string; termsDays: number }

async function termsOf(ctx: CommandContext, supplierId: number): Promise<Terms> {
  const found = await sql<Terms>`select to_char(${dayAt(ctx.now(), sql`m.time_zone`)}, 'YYYY-MM-DD') as day,
      s.terms_days as "termsDays" from supplier s join merchant m on m.id = s.merchant_id
    where s.id = ${supplierId}`.execute(ctx.tx)
  return only(found)
}

async function refuseBatches(ctx: CommandContext, lines: readonly KeptLine[]): Promise<void> {
  const came = lines.flatMap(({ isMedicine, productId, batch: number, producedOn, expiresOn }) =>
    isMedicine && expiresOn !== null ? [{ productId, number, producedOn, expiresOn }] : [],
  )
  const bad = await enterBatches(ctx, came)
  if (!bad) return
  const code = bad.fault === 'stopped' ? 'receipt.batchStopped' : 'receipt.batchDates'
  refuse(code, { batch: bad.number, day: bad.expiresOn })
}

const placeOf = async (ctx: CommandContext, { merchantId }: HeldReceipt): Promise<number> =>
  must((await outsidePlaces(ctx.tx, 'supplier', [merchantId])).get(merchantId), 'place of suppliers')

/** Batches of other goods than medicine are not told apart where they lie (docs/decisions/0054). */
const movedOf = (
  ctx: CommandContext,
  { merchantId, no }: HeldReceipt,
  { productId, isMedicine, batch, counted }: KeptLine,
): Omit<Move, 'cause' | 'fromPlaceId' | 'toPlaceId'> => ({
  merchantId,
  movedAt: ctx.now(),
  productId,
  quantity: counted,
  reference: no,
  batch: isMedicine ? batch : null,
  userId: ctx.actor.userId,
})

async function bindCodes(ctx: CommandContext, receipt: HeldReceipt, lines: readonly KeptLine[]): Promise<void> {
  const { merchantId, placeId, no: reference } = receipt
  for (const { productId, productCode, batch, codes } of lines) {
    if (codes.length === 0) continue
    const gone = await receiveTraces(ctx, { merchantId, productId, productCode, batch, codes, placeId, reference })
    if (gone !== null) refuse('receipt.codes', { name: productCode, batch, code: gone })
  }
}

type Posted = { kind: 'goods_receipt' | 'reversal'; amountFen: number; day: string }

async function post(ctx: CommandContext, receipt: HeldReceipt, { kind, amountFen, day }: Posted): Promise<void> {
  const { id, merchantId, supplierId } = receipt
  const sign = kind === 'reversal' ? -1 : 1
  const postings = goodsPostings({ merchantId, supplierId, amountFen: sign * amountFen })
  const reference = kind === 'reversal' ? `goods_receipt/${id}` : String(id)
  await postTransfers(ctx.tx, [{ kind, reference, merchantId, postedAt: ctx.now(), businessDay: day, postings }])
}

/** What counts of the order, and where it stands then. @param by how often the pieces of the receipt count */
async function settle(
  ctx: CommandContext,
  { orderId, no }: HeldReceipt,
  lines: readonly Pick<KeptLine, 'orderLine' | 'counted'>[],
  by: { claimed: -1 | 0; received: -1 | 0 | 1 },
): Promise<void> {
  if (orderId === null) return
  const order = await holdOrder(ctx, orderId, null)
  const claims = claimsOf(lines).map(({ line, pieces }) => ({
    line,
    claimed: by.claimed * pieces,
    received: by.received * pieces,
  }))
  await claimLines(ctx.tx, order, claims)
  const verb = verbAfter(order.state, await linesOf(ctx.tx, orderId))
  if (!verb) return
  const state = await purchaseOrders.move(ctx.tx, order, verb)
  await recordOrder(ctx, order, { verb, note: no, before: { state: order.state }, after: { state, receipt: no } })
}

export async function accept(ctx: CommandContext, { id }: { id: number }) {
  const receipt = await holdReceipt(ctx, id, 'accept')
  if (receipt.receivedBy === ctx.actor.userId) refuse('receipt.ownRequest')
  return { id, state: await putAway(ctx, receipt, 'accept') }
}

export async function turnDown(ctx: CommandContext, { id, reason }: InputOf<typeof turnDownGoodsReceipt>) {
  const receipt = await holdReceipt(ctx, id, 'turnDown')
  await settle(ctx, receipt, await receiptLines(ctx.tx, id), { claimed: -1, received: 0 })
  const { userId, displayName } = ctx.actor
  const by = { decidedBy: userId, decider: displayName, decidedAt: ctx.now(), endReason: reason }
  const state = await receipts.move(ctx.tx, receipt, 'turnDown', by)
  await auditReceipt(ctx, receipt, { state: receipt.state }, { state, reason })
  return { id, state }
}

/** Another person than who put it away; only what still lies there goes back, so all of it has to. */
export async function reverse(ctx: CommandContext, { id, reason }: InputOf<typeof reverseGoodsReceipt>) {
  const receipt = await holdReceipt(ctx, id, 'reverse')
  if (receipt.decidedBy === ctx.actor.userId) refuse('receipt.ownRequest')
  const amountFen = await releaseOwed(ctx, receipt)
  const lines = (await receiptLines(ctx.tx, id)).filter(({ counted }) => counted > 0)
  await refuseGone(ctx, receipt, lines)
  const toPlaceId = await placeOf(ctx, receipt)
  const { placeId, no: reference } = receipt
  const codes = lines.flatMap((line) => line.codes)
  await withdrawTraces(ctx, { codes, placeId, reference })
  await recordMoves(
    ctx.tx,
    lines.map((line) => ({
      ...movedOf(ctx, receipt, line),
      cause: 'return',
      fromPlaceId: placeId,
      toPlaceId,
      costFen: line.costFen,
    })),
  )
  const { day } = await termsOf(ctx, receipt.supplierId)
  if (amountFen > 0) await post(ctx, receipt, { kind: 'reversal', amountFen, day })
  await settle(ctx, receipt, lines, { claimed: -1, received: -1 })
  const state = await receipts.move(ctx.tx, receipt, 'reverse', { reversedAt: ctx.now(), endReason: reason })
  await auditReceipt(ctx, receipt, { state: receipt.state }, { state, reason, amountFen })
  return { id, state }
}

/** Of goods without batches all lines of a product count together. @throws Refusal warehouse.less */
async function refuseGone(ctx: CommandContext, { placeId }: HeldReceipt, lines: readonly KeptLine[]): Promise<void> {
  const wanted = new Map<string, { productId: number; batch: string; quantity: number }>()
  for (const { productId, isMedicine, batch: number, counted } of lines) {
    const batch = isMedicine ? number : ''
    const key = `${productId}/${batch}`
    wanted.set(key, { productId, batch, quantity: (wanted.get(key)?.quantity ?? 0) + counted })
  }
  refuseLess(await holdGoods(ctx.tx, placeId, [...wanted.values()]))
}
