import type {
  getHospitalStatus,
  HospitalStatus,
  listHospitalStatus,
  MachineStatus,
} from '@aisle/contract/fleet/machineStatus'
import { MEASURED_HOLDS_MS } from '@aisle/contract/fleet/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, type Listing, listRows, type Order } from '../../../kernel/list'
import { must } from '../../../kernel/must'
import { merchantInSight, type Sight } from '../../../kernel/scope'
import { byBuilding, type Placed } from './hospitalStatus.rules'
import { filterOf, type StateRow, rowsInSight } from '../machine/machine.seen'
import { withStock } from '../machine/machine.status.reads'

type Filter = InputOf<typeof listHospitalStatus>

/** A cabinet that is silent or has no probe says nothing of its temperature: it counts as unknown. */
const isWarm = sql`(temperature_c < temperature_min_c or temperature_c > temperature_max_c)`
const isKnown = (now: Date) => sql`(connection = 'online' and temperature_c is not null
  and temperature_at > ${new Date(now.getTime() - MEASURED_HOLDS_MS)})`

/** Hospitals with their machines in sight counted; those without any are left out. */
const counted = (sight: Sight, filter: Filter, now: Date): RawBuilder<HospitalStatus> => sql`
  select h.id, h.name, h.city, h.province, w.*
  from hospital h join (
    select hospital_id, count(*)::int as "machineCount",
      (count(*) filter (where connection = 'online'))::int as online,
      (count(*) filter (where connection = 'offline'))::int as offline,
      (count(*) filter (where connection = 'unknown'))::int as unknown,
      (count(*) filter (where cardinality(faults) > 0))::int as faulty,
      (count(*) filter (where empty_slots > 0))::int as "stockOut",
      sum(empty_slots)::int as "emptySlots",
      (count(*) filter (where ${isKnown(now)} and ${isWarm}))::int as warm,
      (count(*) filter (where ${isKnown(now)} and ${isWarm} is not true))::int as "coolKnown",
      (count(*) filter (where not ${isKnown(now)}))::int as "coolUnknown"
    from (${rowsInSight(sight, now)}) seen
    where hospital_id is not null
      and ${filterOf({ condition: filter.condition, connection: filter.connection })}
    group by hospital_id
  ) w on w.hospital_id = h.id
  where ${merchantInSight(sight, sql`h.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  worst: {
    by: sql`-(faulty::bigint * 1000000 + warm * 100000 + (offline + unknown) * 1000 + "emptySlots")`,
    type: 'bigint',
  },
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
}

export function listHospitalStatusIn(sight: Sight, filter: Filter, now: Date): Listing<HospitalStatus> {
  const where = allOf([
    filter.hospital && sql`(${holds(sql`name`, filter.hospital)} or ${holds(sql`city`, filter.hospital)})`,
    filter.province && holds(sql`province`, filter.province),
  ])
  return listRows({ rows: counted(sight, filter, now), where, order: orders[filter.sort] })
}

type WardRow = StateRow & { building: string; floor: string }

/** Nothing for a hospital out of sight. */
export async function findStatus(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<OutputOf<typeof getHospitalStatus> | undefined> {
  const known = await sql`select 1 from hospital h
    where h.id = ${id} and ${merchantInSight(sight, sql`h.merchant_id`)}`.execute(db)
  if (known.rows.length === 0) return undefined
  const found = await sql<WardRow>`
    select seen.*, p.building, p.floor from (${rowsInSight(sight, now)}) seen join point p on p.id = seen.point_id
    where seen.hospital_id = ${id} and ${filterOf({})} order by p.building, p.floor, seen.worst, seen.code`.execute(db)
  const machines: MachineStatus[] = await withStock(db, found.rows, now)
  const places = new Map(found.rows.map((row) => [row.id, row]))
  const placed: Placed[] = machines.map((machine) => {
    const { building, floor } = must(places.get(machine.id), 'place of a machine')
    return { machine: wardMachine(machine), building, floor }
  })
  return { buildings: byBuilding(placed) }
}

const wardMachine = (each: MachineStatus): Placed['machine'] => ({
  id: each.id,
  code: each.code,
  name: each.name,
  pointName: each.pointName,
  connection: each.connection,
  lastSeenAt: each.lastSeenAt,
  operation: each.operation,
  conditions: each.conditions,
  temperature: each.temperature,
  stock: each.stock,
  emptySlots: each.emptySlots,
  faults: each.faults,
})
