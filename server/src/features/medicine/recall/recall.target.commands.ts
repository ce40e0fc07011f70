import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { acknowledgeTarget, giveUpTarget, pullTarget, TargetState } from '@aisle/contract/medicine/recall'
import type { CommandContext } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { must } from '../../../kernel/must'
import { FREE_SLOTS, type Move, outsidePlaces, recordMoves } from '../../stock/public'
import { type HeldTarget, holdTarget, recordRecall, targets } from './recall.store'

type Settled = { id: number; state: TargetState }

export async function acknowledge(
  ctx: CommandContext,
  { id, note }: InputOf<typeof acknowledgeTarget>,
): Promise<Settled> {
  const target = await holdTarget(ctx, id)
  const state = await targets.move(ctx.tx, target, 'acknowledge', { note, acknowledgedAt: ctx.now() })
  return settled(ctx, target, { verb: 'acknowledge', note, state })
}

export async function giveUp(ctx: CommandContext, { id, note }: InputOf<typeof giveUpTarget>): Promise<Settled> {
  const target = await holdTarget(ctx, id)
  const change = { note, settledAt: ctx.now(), settledBy: ctx.actor.userId }
  const state = await targets.move(ctx.tx, target, 'giveUp', change)
  return settled(ctx, target, { verb: 'giveUp', note, state })
}

/** What was found goes to scrap; what the books had more or less is counted there. A drill moves nothing. */
export async function pull(ctx: CommandContext, { id, pulled, note }: InputOf<typeof pullTarget>): Promise<Settled> {
  const target = await holdTarget(ctx, id)
  const change = { pulled, note, settledAt: ctx.now(), settledBy: ctx.actor.userId }
  const state = await targets.move(ctx.tx, target, 'pull', change)
  if (!target.isDrill) {
    await recordMoves(ctx.tx, await movesOf(ctx, target, pulled))
    await addJob(ctx.tx, FREE_SLOTS, { placeIds: target.placeId })
  }
  return settled(ctx, target, { verb: 'pull', note, state, quantity: pulled })
}

async function movesOf(ctx: CommandContext, target: HeldTarget, pulled: number): Promise<Move[]> {
  const scraps = await outsidePlaces(ctx.tx, 'scrap', [target.merchantId])
  const scrapId = must(scraps.get(target.merchantId), 'place of scrap')
  const { merchantId, productId, batch, placeId, there } = target
  const common = { merchantId, productId, batch, movedAt: ctx.now(), reference: `recall/${target.recallId}` }
  const own = { ...common, userId: ctx.actor.userId }
  const out = { ...own, fromPlaceId: placeId, toPlaceId: scrapId }
  const back = { ...own, fromPlaceId: scrapId, toPlaceId: placeId }
  const moves: Move[] = [
    { ...(pulled > there ? back : out), cause: 'count', quantity: Math.abs(pulled - there) },
    { ...out, cause: 'scrap', quantity: pulled },
  ]
  return moves.filter(({ quantity }) => quantity > 0)
}

type Deed = { verb: string; note: string; state: TargetState; quantity?: number }

async function settled(ctx: CommandContext, target: HeldTarget, deed: Deed): Promise<Settled> {
  const { id, recallId, recallMerchantId, name, there } = target
  const { verb, note, state, quantity = 0 } = deed
  const told = [quantity > 0 || verb === 'pull' ? `${name} × ${quantity}` : name, note].filter(Boolean).join(': ')
  const facts = { before: { target: id, state: target.state, there }, after: { target: id, state, quantity, note } }
  await recordRecall(ctx, { id: recallId, merchantId: recallMerchantId }, { verb, note: told, quantity, ...facts })
  return { id, state }
}
