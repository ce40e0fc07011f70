import { type CashCollection, cashCollectionState } from '@aisle/contract/field/cashCollection'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { stateful, statesIn } from '../../../kernel/states'

/** @throws Refusal cash.state */
export const collections = stateful('cashCollection', 'state', cashCollectionState, {
  versioned: false,
  refuse: () => refuse('cash.state'),
})

export type Held = {
  id: number
  merchantId: number
  machineId: number
  machineCode: string
  boxNo: string
  state: CashCollection['state']
  takenAt: Date
  bookedAt: Date
  takenBy: number
  expectedFen: number
  countedFen: number | null
  countedBy: number | null
  note: string
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdCollection(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof cashCollectionState.moves,
): Promise<Held> {
  const found = await sql<Held>`
    select c.id, c.merchant_id as "merchantId", c.machine_id as "machineId", m.code as "machineCode",
      c.box_no as "boxNo", c.state, c.taken_at as "takenAt", c.booked_at as "bookedAt", c.taken_by as "takenBy",
      c.expected_fen as "expectedFen", c.counted_fen as "countedFen", c.counted_by as "countedBy", c.note
    from cash_collection c join machine m on m.id = c.machine_id
    where c.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`c.machine_id`)} for update of c`.execute(ctx.tx)
  const held = existing(found.rows[0])
  collections.must(held, verb)
  return held
}

export type Machine = { id: number; merchantId: number; code: string }

/** In sight. */
export async function machineBy(ctx: CommandContext, code: string): Promise<Machine | undefined> {
  const found = await sql<Machine>`select m.id, m.merchant_id as "merchantId", m.code from machine m
    where m.code = ${code} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  return found.rows[0]
}

/** When a machine's box was last taken; null where none was. */
export async function lastTaken(tx: Tx, machineId: number): Promise<Date | null> {
  const found = await sql<{ at: Date | null }>`select max(taken_at) as at from cash_collection
    where machine_id = ${machineId} and state in ${statesIn(cashCollectionState, 'left')}`.execute(tx)
  return only(found).at
}

/**
 * What the books have in the machine but for what was sold after that moment. The account is held, so that two boxes of
 * one machine are taken one after the other.
 */
export async function expectedAt(tx: Tx, { id, merchantId, code }: Machine, at: Date): Promise<number> {
  const held = await sql<{ fen: number }>`select balance_fen as fen from ledger_account
    where kind = 'cash_in_machine' and merchant_id = ${merchantId} and key = ${code} for update`.execute(tx)
  const later = await sql<{ fen: number }>`select coalesce(sum(paid_fen), 0)::bigint as fen from orders
    where machine_id = ${id} and occurred_at > ${at} and method = 'cash' and paid_at is not null`.execute(tx)
  return Math.max(0, (held.rows[0]?.fen ?? 0) - only(later).fen)
}

/** Of sales while the box was in the machine, what was heard only after it had been booked as taken. */
export async function heardLate(tx: Tx, { id, machineId, takenAt, bookedAt }: Held): Promise<number> {
  const found = await sql<{ fen: number }>`select coalesce(sum(paid_fen), 0)::bigint as fen from orders
    where machine_id = ${machineId} and method = 'cash' and paid_at is not null and received_at > ${bookedAt}
      and occurred_at <= ${takenAt} and occurred_at > coalesce((select max(taken_at) from cash_collection
        where machine_id = ${machineId} and state in ${statesIn(cashCollectionState, 'left')}
          and taken_at < ${takenAt} and id <> ${id}),
        ${takenAt}::timestamptz - interval '31 days')`.execute(tx)
  return only(found).fen
}
