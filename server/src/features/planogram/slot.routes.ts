import {
  addSlots,
  cancelNextPlan,
  countSlots,
  getPlanogram,
  listPlaceable,
  pushPlanogram,
  removeSlots,
  saveSlots,
} from '@aisle/contract/planogram/slot'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { count } from './count.commands'
import { add, remove } from './layout.commands'
import { findMachine } from './machine.store'
import { findPlanogram } from './planogram.reads'
import { findPlaceable } from './product.reads'
import { push } from './push.commands'
import { cancelNext, save } from './slot.commands'

export const routes: Route[] = [
  query(getPlanogram, async (ctx, { id }) => {
    const found = await findPlanogram(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
  ...listOf(listPlaceable, async (ctx, input) => {
    const machine = existing(await findMachine(ctx.db, sightOf(ctx.actor), input.id))
    return findPlaceable(ctx.db, machine, input)
  }),
  command(saveSlots, save),
  command(cancelNextPlan, cancelNext),
  command(countSlots, count),
  command(pushPlanogram, push),
  command(addSlots, add),
  command(removeSlots, remove),
]
