import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { MachineRef } from './trade.types'

const machines = (where: RawBuilder<unknown>) => sql<MachineRef>`
  select m.id, m.code, m.merchant_id as "merchantId", m.point_id as "pointId", m.time_zone as "timeZone",
    operation_of(m, c) as operation, m.licence_mode as "licenceMode", c.collects_payment as "collectsPayment",
    m.auto_refund as "autoRefund", m.lottery_permille as "lotteryPermille",
    m.uplift_permille as "upliftPermille"
  from machine m join merchant c on c.id = m.merchant_id where ${where}`

export async function findMachines(db: Reader, codes: readonly string[]): Promise<Map<string, MachineRef>> {
  const found = await machines(sql`m.code = any(${[...new Set(codes)]}::text[])`).execute(db)
  return new Map(found.rows.map((row) => [row.code, row]))
}

export async function findMachinesById(db: Reader, ids: readonly number[]): Promise<Map<number, MachineRef>> {
  const found = await machines(sql`m.id = any(${[...new Set(ids)]}::bigint[])`).execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}
