import { commandState, type CommandType } from '@aisle/contract/device/commands'
import { machineOperation, type MachineOperation, type ShownOperation } from '@aisle/contract/fleet/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { announce } from '../../../kernel/announce'
import type { Tx } from '../../../kernel/context'
import type { Ended } from './command.store'
import { statesIn } from '../../../kernel/states'
import { learnOperations, moveOperations, takeBackOperations } from '../../fleet/public'

const verbs: Partial<Record<CommandType, keyof typeof machineOperation.moves>> = {
  stop_sale: 'stopSale',
  resume_sale: 'resumeSale',
}
export const isOperation = (type: CommandType): boolean => verbs[type] !== undefined
/** The choice that a command makes, if it makes one. */
export const operationBy = (type: CommandType): MachineOperation | undefined => {
  const verb = verbs[type]
  return verb && machineOperation.to(verb)
}

/** A choice that holds here at once, whenever its machine hears of it: orders are refused by the server from now on. */
export async function makeChoices(tx: Tx, type: CommandType, machineIds: readonly number[]): Promise<void> {
  const verb = verbs[type]
  if (verb) await moveOperations(tx, verb, machineIds)
}

const operations = sql`('stop_sale', 'resume_sale')`
const asks = sql`case c.type when 'stop_sale' then 'stopped' else 'in_operation' end`

/**
 * Over `machine m` and its merchant: it doesn't go by what holds, and its newest command about that is not on its way.
 * @param lately what it refused or failed at since then is left as it is; null: nothing is
 */
export const owesOperation = (merchant: string, lately: Date | null) => sql<boolean>`(
  operation_of(m, ${sql.ref(merchant)}) <> m.operation_told and not coalesce((
    select ${asks} = operation_of(m, ${sql.ref(merchant)}) and (c.state in ${statesIn(commandState, 'waiting')}
      or ${lately !== null} and c.state in ${statesIn(commandState, 'bad')}
        and c.finished_at > ${lately ?? new Date(0)})
    from device_command c where c.machine_id = m.id and c.type in ${operations} order by c.seq desc limit 1), false))`

export async function findShownOperation(tx: Tx, id: number): Promise<ShownOperation> {
  const found = await sql<{ operation: ShownOperation }>`select operation_shown(m, c) as operation
    from machine m join merchant c on c.id = m.merchant_id where m.id = ${id}`.execute(tx)
  return found.rows[0]?.operation ?? 'in_operation'
}

type OwedOperation = { id: number; merchantId: number; type: 'stop_sale' | 'resume_sale'; reason: string | null }

/** @param machineIds those that have just come back; null: all that are connected */
export async function findOwedOperations(
  tx: Tx,
  machineIds: readonly number[] | null,
  lately: Date,
): Promise<OwedOperation[]> {
  const which = machineIds ? sql`m.id = any(${[...machineIds]}::bigint[])` : sql`s.is_connected`
  const owed = await sql<OwedOperation>`select m.id, m.merchant_id as "merchantId", w.type,
      (select c.reason from device_command c where c.machine_id = m.id and c.type = w.type order by c.seq desc limit 1)
    from machine m join merchant o on o.id = m.merchant_id join machine_state s on s.machine_id = m.id
    cross join lateral (
      select case operation_of(m, o) when 'stopped' then 'stop_sale' else 'resume_sale' end as type) w
    where ${which} and m.retired_at is null and ${owesOperation('o', lately)}
    order by m.id for no key update of m`.execute(tx)
  return owed.rows
}

/** Machines that stopped or sell again, by their own word, on time or late; a later word knows better. */
export async function learnChoices(tx: Tx, ended: readonly Ended[]): Promise<void> {
  const done = ended
    .filter(({ state, type }) => commandState.is(state, 'done') && isOperation(type))
    .map(({ id }) => ({ id }))
  if (done.length === 0) return
  const told = sql`select c.machine_id, ${asks} as operation
    from ${rows('e', done, { id: 'uuid' })} join device_command c on c.id = e.id
    where not exists (select 1 from device_command n
      where n.machine_id = c.machine_id and n.type in ${operations} and n.seq > c.seq
        and 'done' in (n.state, n.late_state))`
  await announce(tx, { topic: 'machines', machineIds: await learnOperations(tx, told) })
}

/** A stop or start that was cancelled before anybody took it never was: the choice goes back. */
export async function takeBackChoices(tx: Tx, ended: readonly Ended[]): Promise<void> {
  const cancelled = ended.filter(({ type }) => isOperation(type)).map(({ id }) => ({ id }))
  if (cancelled.length === 0) return
  const chosen = sql`select c.machine_id, ${asks} as operation
    from ${rows('e', cancelled, { id: 'uuid' })} join device_command c on c.id = e.id
    where not exists (select 1 from device_command n
      where n.machine_id = c.machine_id and n.type in ${operations} and n.seq > c.seq)`
  await announce(tx, { topic: 'machines', machineIds: await takeBackOperations(tx, chosen) })
}
