import type {
  acceptIntoTemplate,
  acceptRecommendation,
  ignoreRecommendation,
} from '@aisle/contract/advice/recommendation'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { WantedSlot } from '@aisle/contract/planogram/slot'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { editLine, saveSlots } from '../../planogram/public'
import { findTemplateLine, type HeldOne, hold, recommendations } from './recommend.store'

const audit = auditAs('recommendation')

/** As planogram changes any slot: with its law, its push and what waits for a filler. */
export async function accept(ctx: CommandContext, { id, when }: InputOf<typeof acceptRecommendation>) {
  const held = await hold(ctx, id, 'accept')
  const slot = await slotOf(ctx, held)
  // A slot that shall hold nothing has nothing to wait for.
  const isNow = when === 'now' || held.incomingId === null
  await saveSlots(ctx, {
    id: held.machineId,
    slots: [{ ...slot, productId: held.incomingId, priceFen: held.priceFen }],
    when: isNow ? 'now' : 'nextService',
    removeContents: isNow,
    isSure: true,
  })
  return moveToAccepted(ctx, held, { slot: slot.code, when: isNow ? 'now' : when })
}

/** The template changes, and with it what all its machines hold once it is applied. */
export async function acceptInto(ctx: CommandContext, { id }: InputOf<typeof acceptIntoTemplate>) {
  const held = await hold(ctx, id, 'accept')
  const { id: templateId, layer, position } = (await findTemplateLine(ctx, held)) ?? refuse('recommendation.noTemplate')
  await editLine(ctx, templateId, { layer, position, productId: held.incomingId, priceFen: held.priceFen })
  return moveToAccepted(ctx, held, { templateId, layer, position })
}

type Where = { slot: string; when: string } | { templateId: number; layer: number; position: number }

async function moveToAccepted(ctx: CommandContext, held: HeldOne, where: Where) {
  const templateId = 'templateId' in where ? where.templateId : null
  const by = { decidedBy: ctx.actor.userId, decidedAt: ctx.now(), templateId }
  const state = await recommendations.move(ctx.tx, held, 'accept', by)
  await audit(ctx, held, { state: held.state }, { state, ...where })
  return { id: held.id, state }
}

/** @throws Refusal recommendation.changed where something else stands there by now, or is planned */
async function slotOf(ctx: CommandContext, { slotId, machineId, outgoingId }: HeldOne): Promise<WantedSlot> {
  const found = await sql<WantedSlot>`select s.code, s.version, s.product_id as "productId", s.price_fen as "priceFen",
      s.capacity, s.alarm_threshold as "alarmThreshold", s.choice, s.is_locked as "isLocked"
    from slot s where s.id = ${slotId} and s.machine_id = ${machineId}
      and s.product_id is not distinct from ${outgoingId}::bigint and s.next_product_id is null`.execute(ctx.tx)
  return found.rows[0] ?? refuse('recommendation.changed')
}

export async function ignore(ctx: CommandContext, { id, reason }: InputOf<typeof ignoreRecommendation>) {
  const held = await hold(ctx, id, 'ignore')
  const by = { decidedBy: ctx.actor.userId, decidedAt: ctx.now() }
  const state = await recommendations.move(ctx.tx, held, 'ignore', { ...by, reason })
  await audit(ctx, held, { state: held.state }, { state, reason })
  return { id, state }
}
