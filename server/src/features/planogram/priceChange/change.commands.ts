import { isGranted } from '@aisle/contract/identity/permissions'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type addPriceChange,
  type PriceChangeState,
  priceChangeState,
  pricedState,
} from '@aisle/contract/planogram/priceChange'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, Tx } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { only } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { statesFrom } from '../../../kernel/states'
import { word } from '../../../kernel/words'
import { setProductPrices } from '../../catalog/public'
import { findChosen, judgeSlots, type Line, placeOf } from './choice.reads'
import * as store from './change.store'

export const PRICE_CHANGE_JOB = 'planogram.priceChange'
const NAMES_SAID = 3
const STALE_SAID = 20

const audit = auditAs('priceChange')
type Wish = InputOf<typeof addPriceChange>
type Id = { id: number }

/** Nothing changes yet: what stands here is what the person looks at before it does. */
export async function add(ctx: CommandContext, wish: Wish): Promise<Id> {
  refuseIncomplete(ctx, wish)
  if (wish.changesProducts) refuseProducts(ctx)
  const { rule, roundTo, scope, changesProducts, reason } = wish
  const isByPercent = rule === 'raisePercent' || rule === 'cutPercent'
  const by = {
    rule,
    roundTo,
    amountFen: isByPercent ? null : wish.amountFen,
    percent: isByPercent ? wish.percent : null,
  }
  const products = await findChosen(ctx, wish)
  const { where, scopeName } = await placeOf(ctx, wish)
  const ids = products.map(({ id }) => id)
  const lines = await judgeSlots(ctx, by, sql`s.product_id = any(${ids}::bigint[]) and ${where}`)
  if (lines.length === 0) refuse('priceChange.nothing')
  const names = products.slice(0, NAMES_SAID).map(({ name }) => name)
  const { merchantId, userId: createdBy } = ctx.actor
  const made = await ctx.tx
    .insertInto('priceChange')
    .values({
      ...by,
      merchantId,
      scope,
      scopeName,
      changesProducts,
      reason,
      createdBy,
      products: names.join('、'),
      productCount: products.length,
      createdAt: ctx.now(),
    })
    .returning('id')
    .execute()
  const { id } = only({ rows: made })
  await store.writeLines(ctx.tx, id, lines)
  if (changesProducts) await store.writeProducts(ctx.tx, id, by, products)
  await audit(ctx, { id, merchantId }, null, { ...by, scope, scopeName, products: names, reason, ...countOf(lines) })
  return { id }
}

const countOf = (lines: readonly Line[]) => ({
  slots: lines.length,
  planned: lines.filter(({ why }) => why === null).length,
})

function refuseIncomplete({ language }: CommandContext, { rule, amountFen, percent }: Wish): void {
  const isByPercent = rule === 'raisePercent' || rule === 'cutPercent'
  if (isByPercent ? percent !== null : amountFen !== null) return
  const msg = word(language, 'kernel', 'field.required')
  refuse('priceChange.incomplete', {}, [{ path: isByPercent ? 'percent' : 'amountFen', reason: 'required', msg }])
}

/** What a product costs itself is its keeper's to say. */
function refuseProducts(ctx: CommandContext): void {
  if (!isGranted(ctx.actor.grants, 'product.write')) refuse('priceChange.mayNotProducts')
}

/** From what is there now; slots that hold something else by now are out of it. */
export async function redraft(ctx: CommandContext, { id }: Id) {
  const change = await store.hold(ctx, id, 'apply')
  const kept = sql`exists (select 1 from price_change_slot l where l.change_id = ${id} and l.slot_id = s.id
    and l.machine_id = s.machine_id and l.product_id = s.product_id and l.is_next = s.is_next)`
  const lines = await judgeSlots(ctx, change, kept)
  if (lines.length === 0) refuse('priceChange.nothing')
  const products = await ctx.tx
    .selectFrom('priceChangeProduct as l')
    .innerJoin('product as p', 'p.id', 'l.productId')
    .select(['p.id', 'p.name', 'p.priceFen', sql<boolean>`true`.as('isOwn')])
    .where('l.changeId', '=', id)
    .execute()
  await store.forgetLines(ctx.tx, id)
  await store.writeLines(ctx.tx, id, lines)
  await store.writeProducts(ctx.tx, id, change, products)
  await audit(ctx, change, null, { redrafted: true, ...countOf(lines) })
  return { id, state: change.state }
}

export async function discard(ctx: CommandContext, { id }: Id) {
  const change = await store.hold(ctx, id, 'discard')
  const state = await store.priceChanges.move(ctx.tx, change, 'discard')
  await store.forgetLines(ctx.tx, id)
  await audit(ctx, change, { state: change.state }, { state })
  return { id, state }
}

/** Machines have their turn behind the answer, a bunch at a time, so that nobody waits for thousands of them. */
export async function apply(ctx: CommandContext, { id }: Id) {
  const change = await store.hold(ctx, id, 'apply')
  if (change.changesProducts) refuseProducts(ctx)
  const stale = await store.findStale(ctx.tx, id, STALE_SAID)
  if (stale.length > 0) {
    const fields = stale.map(({ machine, slot, nowFen }) => {
      const now = nowFen === null ? '–' : `¥${(nowFen / 100).toFixed(2)}`
      const msg = `${machine} ${slot}: ${word(ctx.language, 'kernel', 'field.changed', { now })}`
      return { path: `slots.${machine}.${slot}`, reason: 'changed', msg }
    })
    refuse('priceChange.stale', { slots: stale.map(({ machine, slot }) => `${machine} ${slot}`).join(', ') }, fields)
  }
  const slots = await store.queueMachines(ctx, id, 'set')
  const products = await changeProducts(ctx, id, change.reason, 'set')
  if (slots + products === 0) refuse('priceChange.nothing')
  const by = { appliedBy: ctx.actor.userId, appliedAt: ctx.now() }
  const state = await store.priceChanges.move(ctx.tx, change, 'apply', by)
  await addJob(ctx.tx, PRICE_CHANGE_JOB, { changeId: id })
  await audit(ctx, change, { state: change.state }, { state, slots, products, reason: change.reason })
  return { id, state }
}

export async function undo(ctx: CommandContext, { id }: Id) {
  const change = await store.hold(ctx, id, 'undo')
  const slots = await store.queueMachines(ctx, id, 'undo')
  const products = await changeProducts(ctx, id, change.reason, 'undo')
  if (slots + products === 0) refuse('priceChange.nothing')
  const by = { undoneBy: ctx.actor.userId, undoneAt: ctx.now() }
  const state = await store.priceChanges.move(ctx.tx, change, 'undo', by)
  await addJob(ctx.tx, PRICE_CHANGE_JOB, { changeId: id })
  await audit(ctx, change, { state: change.state }, { state, slots, products })
  return { id, state }
}

/**
 * The slots of an applied change have their former prices back, also without a person: whoever set them for a time
 * said so then. One that is still being set is asked again later. @returns whether they are on their way
 */
export async function takeBack(tx: Tx, id: number, undone: { undoneBy?: number; undoneAt: Date }): Promise<boolean> {
  const found = await sql<{ id: number; state: PriceChangeState }>`select id, state from price_change
    where id = ${id} for update`.execute(tx)
  const change = only(found)
  if (!priceChangeState.can(change.state, 'undo')) return !priceChangeState.is(change.state, 'running')
  await store.queue(tx, id, 'undo')
  await store.priceChanges.move(tx, change, 'undo', undone)
  await addJob(tx, PRICE_CHANGE_JOB, { changeId: id })
  return true
}

/** Only those that still cost what the change says. @returns how many */
async function changeProducts(ctx: CommandContext, id: number, reason: string, verb: 'set' | 'undo') {
  const lines = await ctx.tx
    .selectFrom('priceChangeProduct')
    .select(['productId', 'beforeFen', 'afterFen'])
    .where('changeId', '=', id)
    .where('state', 'in', [...pricedState.from(verb)])
    .execute()
  if (lines.length === 0) return 0
  const wanted = lines.map(({ productId, beforeFen, afterFen }) =>
    verb === 'set'
      ? { productId, fromFen: beforeFen, toFen: afterFen }
      : { productId, fromFen: afterFen, toFen: beforeFen },
  )
  const word = { by: ctx.actor.userId, at: ctx.now(), reason }
  const done = await setProductPrices(ctx.tx, wanted, word)
  const [to, other] = verb === 'set' ? (['set', 'skip'] as const) : (['undo', 'keep'] as const)
  await sql`update price_change_product set state = case when product_id = any(${done}::bigint[])
      then ${sql.lit(pricedState.to(to))} else ${sql.lit(pricedState.to(other))} end
    where change_id = ${id} and state in ${statesFrom(pricedState, verb)}`.execute(ctx.tx)
  return done.length
}
