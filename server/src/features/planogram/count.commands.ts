import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { countSlots } from '@aisle/contract/planogram/slot'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { must } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { countContents, holdCounted, noteCounted, outsidePlaces } from '../stock/public'
import { askOverCapacity } from './capacity'
import { holdMachine } from './machine.store'
import { pushCounts } from './push.commands'
import { unlawfulSlots } from './slot.rules'
import { findDrifting, findSlots } from './slot.store'

/**
 * What somebody counted in slots: the books follow by moves that name the person, and the machine is told where its own
 * figure is another; what fits is left alone.
 */
export async function count(
  ctx: CommandContext,
  { id, counts, remark, isSure }: InputOf<typeof countSlots>,
): Promise<OutputOf<typeof countSlots>> {
  const machine = await holdMachine(ctx, id)
  const places = await findSlots(ctx.tx, machine.id, true)
  // From here on nobody moves anything there; what is heard later of before is counted already.
  await holdCounted(
    ctx.tx,
    places.flatMap(({ placeId, productId }) => (productId === null ? [] : [{ placeId, productId }])),
  )
  const slots = await findSlots(ctx.tx, machine.id, true)
  const byCode = new Map(slots.map((slot) => [slot.code, slot]))
  const said = [...new Map(counts.map((each) => [each.code, each.counted]))]
  const lines = said.map(([code, counted]) => {
    const slot = byCode.get(code)
    // Nothing of no product can be counted.
    if (!slot || slot.productId === null) return refuse('request.notFound')
    return { ...slot, productId: slot.productId, counted }
  })
  askOverCapacity(
    ctx,
    lines.map(({ code, capacity, counted }) => ({ code, capacity, stock: counted })),
    isSure,
  )
  const common = { merchantId: machine.merchantId, userId: ctx.actor.userId, at: ctx.now() }
  const scraps = await outsidePlaces(ctx.tx, 'scrap', [machine.merchantId])
  const scrapPlaceId = must(scraps.get(machine.merchantId), 'place of scrap')
  await countContents(
    ctx.tx,
    lines.map(({ code, placeId, productId, stock, counted }) => ({
      ...common,
      placeId,
      productId,
      quantity: stock,
      counted,
      reference: `count/${machine.code}/${code}`,
    })),
  )
  await noteCounted(
    ctx.tx,
    lines.map(({ code, placeId, productId }) => ({
      ...common,
      placeId,
      productId,
      scrapPlaceId,
      reference: `count/${machine.code}/${code}`,
    })),
  )
  const corrections = lines
    .filter(({ stock, counted }) => stock !== counted)
    .map(({ code, stock, counted }) => ({ code, before: stock, counted }))
  const isUnlawful = unlawfulSlots(machine.licenceMode, slots).length > 0
  const unknown = isUnlawful ? [] : await findDrifting(ctx.tx, machine.id, new Set(said.map(([code]) => code)))
  const told = new Map(
    said.filter(([code]) => unknown.includes(code)).map(([code, pieces]) => [code, { pieces, at: ctx.now() }]),
  )
  const commandId = told.size > 0 ? await pushCounts(ctx, machine, told) : null
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'planogram',
    objectId: machine.code,
    before: Object.fromEntries(lines.map(({ code, stock }) => [code, stock])),
    after: { ...Object.fromEntries(lines.map(({ code, counted }) => [code, counted])), ...(remark ? { remark } : {}) },
  })
  await announce(ctx.tx, { topic: 'machines', machineIds: [machine.id] })
  return { corrections, commandId, isUnlawful }
}
