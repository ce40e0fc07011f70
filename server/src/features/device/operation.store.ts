import type { CommandType } from '@aisle/contract/device/commands'
import { machineOperation } from '@aisle/contract/fleet/states'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'

const verbs: Partial<Record<CommandType, keyof typeof machineOperation.moves>> = {
  stop_sale: 'stopSale',
  resume_sale: 'resumeSale',
}

/** A choice that holds here at once, whenever its machine hears of it: orders are refused by the server from now on. */
export async function moveOperations(tx: Tx, type: CommandType, machineIds: readonly number[]): Promise<void> {
  const verb = verbs[type]
  if (!verb) return
  await sql`update machine set operation = ${machineOperation.to(verb)}
    where id = any(${[...machineIds]}::bigint[])
      and operation = any(${[...machineOperation.from(verb)]}::text[])`.execute(tx)
}
