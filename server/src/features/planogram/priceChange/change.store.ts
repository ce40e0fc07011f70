import { priceChangeState, pricedState, type PriceChangeState } from '@aisle/contract/planogram/priceChange'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { announce } from '../../../kernel/announce'
import type { CommandContext, Reader, Tx } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful, statesFrom, stateTo } from '../../../kernel/states'
import type { Line, Product } from './choice.reads'
import { priceBy, type PriceRule } from './price.rules'

/** @throws Refusal priceChange.state */
export const priceChanges = stateful('priceChange', 'state', priceChangeState, {
  versioned: true,
  refuse: () => refuse('priceChange.state'),
})

export type Held = PriceRule & {
  id: number
  merchantId: number
  state: PriceChangeState
  changesProducts: boolean
  reason: string
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function hold(ctx: CommandContext, id: number, verb: keyof typeof priceChangeState.moves): Promise<Held> {
  const found = await sql<Held>`select c.id, c.merchant_id as "merchantId", c.state, c.rule, c.percent,
      c.amount_fen as "amountFen", c.round_to as "roundTo", c.changes_products as "changesProducts", c.reason
    from price_change c where c.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`c.merchant_id`)}
    for update of c`.execute(ctx.tx)
  const held = existing(found.rows[0])
  priceChanges.must(held, verb)
  return held
}

export async function writeLines(tx: Tx, changeId: number, lines: readonly Line[]): Promise<void> {
  await sql`insert into price_change_machine (change_id, machine_id)
    select distinct ${changeId}::bigint, w.machine_id from ${rows('w', lines, { machineId: 'bigint' })}`.execute(tx)
  await sql`insert into price_change_slot
      (change_id, machine_id, slot_id, slot_code, product_id, is_next, before_fen, after_fen, state, why)
    select ${changeId}, w.* from ${rows('w', lines, {
      machineId: 'bigint',
      slotId: 'bigint',
      slotCode: 'text',
      productId: 'bigint',
      isNext: 'boolean',
      beforeFen: 'bigint',
      afterFen: 'bigint',
      state: 'text',
      why: 'text',
    })}`.execute(tx)
}

/** What the person's own products would cost themselves. */
export async function writeProducts(tx: Tx, changeId: number, rule: PriceRule, products: readonly Product[]) {
  const lines = products.flatMap(({ id, priceFen, isOwn }) => {
    const { afterFen, why } = priceBy(rule, priceFen)
    return isOwn && why === null ? [{ productId: id, beforeFen: priceFen, afterFen }] : []
  })
  if (lines.length === 0) return
  const columns = { productId: 'bigint', beforeFen: 'bigint', afterFen: 'bigint' } as const
  await sql`insert into price_change_product (change_id, product_id, before_fen, after_fen)
    select ${changeId}, w.* from ${rows('w', lines, columns)}`.execute(tx)
}

export async function forgetLines(tx: Tx, changeId: number): Promise<void> {
  await sql`delete from price_change_slot where change_id = ${changeId}`.execute(tx)
  await sql`delete from price_change_machine where change_id = ${changeId}`.execute(tx)
  await sql`delete from price_change_product where change_id = ${changeId}`.execute(tx)
}

export type Stale = { machine: string; slot: string; nowFen: number | null }

/** Slots of a draft that are no longer as it says, at most `most`. */
export async function findStale(db: Reader, changeId: number, most: number): Promise<Stale[]> {
  const found = await sql<Stale>`select m.code as machine, l.slot_code as slot, ${nowFen} as "nowFen"
    from price_change_slot l join slot s on s.id = l.slot_id join machine m on m.id = l.machine_id
    where l.change_id = ${changeId} and l.state in ${statesFrom(pricedState, 'set')} and ${isOther}
    limit ${sql.lit(most)}`.execute(db)
  return found.rows
}

/** What the slot of a line costs now, or will at its next service. */
export const nowFen = sql`case when l.is_next then s.next_price_fen else s.price_fen end`

/** A line whose slot hangs elsewhere, holds or awaits something else, or costs something else by now. */
export const isOther = sql`(s.machine_id, case when l.is_next then s.next_product_id else s.product_id end, ${nowFen})
  is distinct from (l.machine_id, l.product_id, l.before_fen)`

/** As `queue`, but those that who asks doesn't see stay out of it. */
export async function queueMachines(ctx: CommandContext, changeId: number, verb: 'set' | 'undo'): Promise<number> {
  const unseen = sql`change_id = ${changeId} and not ${machineInSight(sightOf(ctx.actor), sql`machine_id`)}`
  if (verb === 'set') {
    await sql`update price_change_slot set state = ${stateTo(pricedState, 'skip')}, why = 'unseen'
      where ${unseen} and state in ${statesFrom(pricedState, 'skip')}`.execute(ctx.tx)
  }
  if (verb === 'undo') {
    await sql`update price_change_slot set state = ${stateTo(pricedState, 'keep')}, why = 'unseen'
      where ${unseen} and state in ${statesFrom(pricedState, 'keep')}`.execute(ctx.tx)
  }
  return queue(ctx.tx, changeId, verb)
}

/** The machines whose lines the verb leads on from have their turn. @returns how many slots they are */
export async function queue(tx: Tx, changeId: number, verb: 'set' | 'undo'): Promise<number> {
  const meant = await sql<{ slots: number }>`with meant as (
      select machine_id, count(*) as slots from price_change_slot
      where change_id = ${changeId} and state in ${statesFrom(pricedState, verb)} group by machine_id),
    queued as (update price_change_machine m set is_waiting = true from meant
      where m.change_id = ${changeId} and m.machine_id = meant.machine_id)
    select coalesce(sum(slots), 0)::int as slots from meant`.execute(tx)
  return meant.rows[0]?.slots ?? 0
}

/** For who looks on, as a person's own write would tell them. */
export async function announceChange(tx: Tx, merchantId: number, machineIds: readonly number[]): Promise<void> {
  const found = await sql<{ above: number[] }>`select path as above from merchant where id = ${merchantId}`.execute(tx)
  const above = found.rows[0]?.above ?? []
  await announce(tx, { topic: 'changes', kinds: ['priceChange', 'product'], merchantIds: [merchantId], above })
  if (machineIds.length === 0) return
  await announce(tx, { topic: 'machines', machineIds: [...machineIds] })
  await announce(tx, { topic: 'commands', machineIds: [...machineIds] })
}
