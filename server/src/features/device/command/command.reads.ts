import type { getCommand, listCommands, MachineCommand } from '@aisle/contract/device/command'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { withinDays } from '../../../kernel/platformDays'
import { machineInSight, type Sight } from '../../../kernel/scope'

type Filter = InputOf<typeof listCommands>
type Detail = OutputOf<typeof getCommand>

export const iso = (at: RawBuilder<unknown>) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const rowsInSight = (sight: Sight): RawBuilder<MachineCommand> => sql`
  select c.seq as id, c.id as "cmdId", c.type, c.state, c.late_state as "lateState", c.machine_id as "machineId",
    m.code as "machineCode", m.name as "machineName", owner.name as "merchantName", c.reason, c.detail,
    u.display_name as "createdBy", b.seq as "batchId", c.created_by is not null as "isPersons",
    c.created_at, ${iso(sql`c.created_at`)} as "createdAt", ${iso(sql`c.expires_at`)} as "expiresAt",
    ${iso(sql`c.sent_at`)} as "sentAt", ${iso(sql`c.received_at`)} as "receivedAt",
    ${iso(sql`c.finished_at`)} as "finishedAt", c.data, c.result
  from device_command c join machine m on m.id = c.machine_id join merchant owner on owner.id = m.merchant_id
  left join app_user u on u.id = c.created_by left join command_batch b on b.id = c.batch_id
  where ${machineInSight(sight, sql`c.machine_id`)}`

export function listCommandsIn(sight: Sight, filter: Filter): Listing<MachineCommand> {
  const { machineCode, machineId, type, state, by, createdBy, batchId } = filter
  const where = allOf([
    machineCode && sql`"machineCode" = ${machineCode}`,
    machineId && sql`"machineId" = ${machineId}`,
    isAnyOf(sql`type`, type),
    isAnyOf(sql`state`, state),
    by && sql`"isPersons" = ${by === 'person'}`,
    createdBy && holds(sql`"createdBy"`, createdBy),
    batchId && sql`"batchId" = ${batchId}`,
    ...withinDays(sql`created_at`, filter),
  ])
  return listRows({ rows: rowsInSight(sight), where, order: { by: sql`id`, type: 'bigint', newestFirst: true } })
}

export async function findCommandDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail>`select * from (${rowsInSight(sight)}) seen where id = ${id}`.execute(db)
  return found.rows[0]
}
