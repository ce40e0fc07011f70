import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type callBackTransfer,
  type receiveTransfer,
  type sendTransfer,
  type Transfer,
  transferState,
} from '@aisle/contract/stock/transfer'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { must, only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'
import { nextNo } from './documentNo'
import { holdGoods, refuseLess } from './goods.store'
import { withoutPicked } from './outbound/outbound.store'
import { type Move, outsidePlaces, recordMoves } from './stock.store'
import { faultOfLines, lostOf } from './transfer.rules'
import { holdWarehouse, refuseStorage } from './warehouse'

const audit = auditAs('transfer')
const transfers = stateful('transfer', 'state', transferState, {
  versioned: false,
  refuse: ({ no }: Held) => refuse('transfer.state', { no }),
})

export async function send(ctx: CommandContext, input: InputOf<typeof sendTransfer>) {
  const { fromId, toId, lines, note } = input
  if (fromId === toId) refuse('transfer.same')
  // In one order, whichever way the goods go, so that two transfers across do not wait for each other.
  const [first, second] = [Math.min(fromId, toId), Math.max(fromId, toId)]
  const held = [await holdWarehouse(ctx, first, first === toId), await holdWarehouse(ctx, second, second === toId)]
  const from = must(
    held.find(({ id }) => id === fromId),
    'where it leaves',
  )
  const to = must(
    held.find(({ id }) => id === toId),
    'where it goes',
  )
  if (from.merchantId !== to.merchantId) refuse('transfer.merchants', { from: from.name, to: to.name })
  const goods = await holdGoods(ctx.tx, from.placeId, lines)
  const fault = faultOfLines(goods)
  if (fault) refuse(fault)
  refuseLess(await withoutPicked(ctx.tx, fromId, goods))
  refuseStorage(to, goods)
  const { merchantId } = from
  const no = await nextNo(ctx.tx, merchantId, 'DB', ctx.now())
  const made = await sql<{
    id: number
  }>`insert into transfer (merchant_id, no, from_id, to_id, note, sent_by, sender, sent_at)
    values (${merchantId}, ${no}, ${fromId}, ${toId}, ${note}, ${ctx.actor.userId}, ${ctx.actor.displayName},
      ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  const numbered = lines.map((line, at) => ({ ...line, line: at + 1 }))
  await sql`insert into transfer_line (transfer_id, line, product_id, batch, quantity)
    select ${id}, l.line, l.product_id, l.batch, l.quantity
    from ${rows('l', numbered, { line: 'int', productId: 'bigint', batch: 'text', quantity: 'int' })}`.execute(ctx.tx)
  const transit = must((await outsidePlaces(ctx.tx, 'transit', [merchantId])).get(merchantId), 'place on the way')
  await recordMoves(
    ctx.tx,
    numbered.map((line) => moved(ctx, { merchantId, no }, line, from.placeId, transit)),
  )
  await audit(ctx, { id, merchantId }, null, { no, from: from.name, to: to.name, lines: lines.length, note })
  return { id, no }
}

type Held = {
  id: number
  merchantId: number
  no: string
  state: Transfer['state']
  fromPlaceId: number
  toPlaceId: number
}
type Line = { line: number; productId: number; batch: string; quantity: number }

async function hold(ctx: CommandContext, id: number): Promise<Held & { lines: Line[]; transit: number }> {
  const found = await sql<Held>`select t.id, t.merchant_id as "merchantId", t.no, t.state, f.place_id as "fromPlaceId",
      w.place_id as "toPlaceId"
    from transfer t join warehouse f on f.id = t.from_id join warehouse w on w.id = t.to_id
    where t.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`t.merchant_id`)} for update of t`.execute(ctx.tx)
  const held = existing(found.rows[0])
  const lines = await sql<Line>`select line, product_id as "productId", batch, quantity from transfer_line
    where transfer_id = ${id} order by line`.execute(ctx.tx)
  const places = await outsidePlaces(ctx.tx, 'transit', [held.merchantId])
  return { ...held, lines: lines.rows, transit: must(places.get(held.merchantId), 'place on the way') }
}

export async function receive(ctx: CommandContext, { id, lines: counted }: InputOf<typeof receiveTransfer>) {
  const held = await hold(ctx, id)
  transfers.must(held, 'arrive')
  const lost = lostOf(held.lines, counted)
  if (!lost) refuse('transfer.lines')
  const { merchantId, transit, toPlaceId } = held
  const scrap = must((await outsidePlaces(ctx.tx, 'scrap', [merchantId])).get(merchantId), 'place of scrap')
  const arrived = held.lines.map((line) => ({ ...line, quantity: line.quantity - (lost.get(line.line) ?? 0) }))
  const missing = held.lines.map((line) => ({ ...line, quantity: lost.get(line.line) ?? 0 }))
  await recordMoves(ctx.tx, [
    ...arrived.filter(isAnyOf).map((line) => moved(ctx, held, line, transit, toPlaceId)),
    ...missing.filter(isAnyOf).map((line) => ({ ...moved(ctx, held, line, transit, scrap), cause: 'count' as const })),
  ])
  await sql`update transfer_line l set arrived = a.arrived
    from ${rows(
      'a',
      arrived.map(({ line, quantity }) => ({ line, arrived: quantity })),
      { line: 'int', arrived: 'int' },
    )}
    where l.transfer_id = ${id} and l.line = a.line`.execute(ctx.tx)
  return end(ctx, held, 'arrive', { missing: missing.reduce((sum, { quantity }) => sum + quantity, 0) })
}

export async function callBack(ctx: CommandContext, { id }: InputOf<typeof callBackTransfer>) {
  const held = await hold(ctx, id)
  transfers.must(held, 'callBack')
  await recordMoves(
    ctx.tx,
    held.lines.map((line) => moved(ctx, held, line, held.transit, held.fromPlaceId)),
  )
  return end(ctx, held, 'callBack', {})
}

const isAnyOf = ({ quantity }: { quantity: number }) => quantity > 0

async function end(ctx: CommandContext, held: Held, verb: 'arrive' | 'callBack', facts: Record<string, unknown>) {
  const { userId, displayName } = ctx.actor
  const state = await transfers.move(ctx.tx, held, verb, { endedBy: userId, ender: displayName, endedAt: ctx.now() })
  await audit(ctx, held, { state: held.state }, { state, ...facts })
  return { id: held.id, state }
}

const moved = (
  ctx: CommandContext,
  { merchantId, no }: { merchantId: number; no: string },
  { productId, batch, quantity }: Omit<Line, 'line'>,
  fromPlaceId: number,
  toPlaceId: number,
): Move => ({
  merchantId,
  movedAt: ctx.now(),
  productId,
  quantity,
  fromPlaceId,
  toPlaceId,
  cause: 'transfer',
  reference: no,
  batch: batch || null,
  userId: ctx.actor.userId,
})
