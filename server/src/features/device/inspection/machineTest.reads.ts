import type { getTest, listTests, MachineTest } from '@aisle/contract/device/machineTest'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { iso } from '../command/command.reads'

const rowsInSight = (sight: Sight): RawBuilder<MachineTest> => sql`
  select t.id, t.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", t.scope, t.state,
    t.puts_back as "putsBack", t.reason, u.display_name as "startedBy", ${iso(sql`t.started_at`)} as "startedAt",
    ${iso(sql`t.ended_at`)} as "endedAt", t.note, l.slots, l.passed, l.failed
  from machine_test t join machine m on m.id = t.machine_id left join app_user u on u.id = t.started_by
  cross join lateral (select count(*) as slots, count(*) filter (where state = 'passed') as passed,
    count(*) filter (where state = 'failed') as failed from machine_test_slot where test_id = t.id) l
  where ${machineInSight(sight, sql`t.machine_id`)}`

export function listTestsIn(sight: Sight, filter: InputOf<typeof listTests>): Listing<MachineTest> {
  const { machineId, machineCode, state } = filter
  const where = allOf([
    machineId && sql`"machineId" = ${machineId}`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    isAnyOf(sql`state`, state),
  ])
  return listRows({ rows: rowsInSight(sight), where, order: { by: sql`id`, type: 'bigint', newestFirst: true } })
}

type Detail = OutputOf<typeof getTest>

export async function findMachineTestDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'results'>>`select * from (${rowsInSight(sight)}) seen where id = ${id}`.execute(
    db,
  )
  const [test] = found.rows
  if (!test) return undefined
  const results = await sql<Detail['results'][number]>`
    select l.slot_code as slot, s.layer, p.name as "productName", l.state, l.motor_code as "motorCode",
      l.sensor_code as "sensorCode", l.duration_ms as "durationMs", l.detail
    from machine_test_slot l join slot s on s.id = l.slot_id left join product p on p.id = l.product_id
    where l.test_id = ${id} order by l.place`.execute(db)
  return { ...test, results: results.rows }
}
