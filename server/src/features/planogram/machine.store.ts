import { sql } from 'kysely'
import type { CommandContext, Reader } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { must } from '../../kernel/must'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { raisePlans } from '../fleet/public'

export type PlanMachine = {
  id: number
  code: string
  merchantId: number
  licenceMode: 'none' | 'retail' | 'hospital'
  isRetired: boolean
  planVersion: number
}

const columns = sql`m.id, m.code, m.merchant_id as "merchantId", m.licence_mode as "licenceMode",
  m.retired_at is not null as "isRetired", m.plan_version as "planVersion"`

export async function findMachine(db: Reader, sight: Sight, id: number): Promise<PlanMachine | undefined> {
  const found = await sql<PlanMachine>`select ${columns} from machine m
    where m.id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}

/** Held until the end: of two who change one cabinet, the second sees what the first made of it. */
export async function holdMachine(ctx: CommandContext, id: number): Promise<PlanMachine> {
  const found = await sql<PlanMachine>`select ${columns} from machine m
    where m.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)} for update of m`.execute(ctx.tx)
  const machine = existing(found.rows[0])
  if (machine.isRetired) refuse('slot.retired', { code: machine.code })
  return machine
}

/** @returns the new version of what should stand in the machine */
export const raisePlan = async ({ tx }: CommandContext, machineId: number): Promise<number> =>
  must((await raisePlans(tx, [machineId])).get(machineId), 'machine')

const AT_ONCE = 500

/** @param merchantId only those of its subtree */
type Holding = { productIds: readonly number[]; merchantId?: number }

/** Machines that any of these stand in by plan, some at a time by their ids. @param after the last known */
export async function machinesHolding(
  db: Reader,
  { productIds, merchantId }: Holding,
  after: number,
): Promise<number[]> {
  const isBelow =
    merchantId === undefined
      ? sql`true`
      : sql`exists (select from machine m join merchant o on o.id = m.merchant_id
          where m.id = slot.machine_id and ${merchantId} = any(o.path))`
  const found = await sql<{ id: number }>`select distinct machine_id as id from slot
    where product_id = any(${[...productIds]}::bigint[]) and machine_id > ${after} and ${isBelow}
    order by 1 limit ${sql.lit(AT_ONCE)}`.execute(db)
  return found.rows.map(({ id }) => id)
}
