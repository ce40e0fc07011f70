import { type RawBuilder, sql } from 'kysely'
import { valuesOf } from '../../db/rows'
import type { Reader } from '../../kernel/context'
import type { MachineRef } from './trade.types'

const machines = (wanted: RawBuilder<unknown>) => sql<MachineRef>`
  select m.id, m.code, m.merchant_id as "merchantId", m.point_id as "pointId", m.time_zone as "timeZone",
    operation_of(m, c) as operation, m.licence_mode as "licenceMode", c.collects_payment as "collectsPayment",
    m.auto_refund as "autoRefund", m.locks_stock as "locksStock", m.lottery_permille as "lotteryPermille",
    m.uplift_permille as "upliftPermille"
  from ${wanted} join merchant c on c.id = m.merchant_id`

export async function findMachines(db: Reader, codes: readonly string[]): Promise<Map<string, MachineRef>> {
  const found = await machines(sql`${valuesOf('w', 'code', 'text', codes)} join machine m on m.code = w.code`).execute(
    db,
  )
  return new Map(found.rows.map((row) => [row.code, row]))
}

export async function findMachinesById(db: Reader, ids: readonly number[]): Promise<Map<number, MachineRef>> {
  const found = await machines(sql`${valuesOf('w', 'id', 'bigint', ids)} join machine m on m.id = w.id`).execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}
