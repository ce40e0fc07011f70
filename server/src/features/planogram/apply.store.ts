import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { TemplateMachines } from '@aisle/contract/planogram/apply'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds } from '../../kernel/list'
import { machineInSight, type Sight } from '../../kernel/scope'
import { isOffline } from '../catalog/public'
import { holdsRecalled } from '../medicine/public'
import { memberFen, shownFen, struckFen } from '../promotion/public'
import type { Settings, Standing } from './template.rules'
import type { TemplateRow } from './template.store'

export type Target = Settings & {
  id: number
  code: string
  name: string
  merchantId: number
  merchantName: string
  licenceMode: 'none' | 'retail' | 'hospital'
  isRetired: boolean
  planVersion: number
  maySellAll: boolean
}

type Filter = Extract<TemplateMachines, { filter: unknown }>['filter']

const filterOf = (filter: Filter, templateId: number): RawBuilder<boolean> =>
  allOf([
    sql`m.retired_at is null`,
    filter.q &&
      sql`(${holds(sql`m.code`, filter.q)} or ${holds(sql`m.name`, filter.q)} or ${holds(sql`p.name`, filter.q)})`,
    filter.province && sql`p.province = ${filter.province}`,
    filter.category && sql`m.category = ${filter.category}`,
    filter.merchantId && sql`c.path @> array[${filter.merchantId}]::bigint[]`,
    filter.groupId &&
      sql`m.id in (select g.machine_id from machine_group_member g where g.group_id = ${filter.groupId})`,
    filter.behind &&
      sql`m.id in (select u.machine_id from template_use u join template t on t.id = u.template_id
        where t.id = ${templateId} and u.version < t.version)`,
  ])

/** Machines in sight that are meant, at most `most`; held, where a transaction is going to change them. */
export async function findTargets(
  db: Reader,
  sight: Sight,
  templateId: number,
  machines: TemplateMachines,
  how: { most: number; isHeld: boolean },
): Promise<Target[]> {
  const which =
    'machineIds' in machines
      ? sql`m.id = any(${[...new Set(machines.machineIds)]}::bigint[])`
      : filterOf(machines.filter, templateId)
  const found = await sql<Target>`
    select m.id, m.code, m.name, m.merchant_id as "merchantId", c.name as "merchantName",
      m.licence_mode as "licenceMode", m.retired_at is not null as "isRetired", m.plan_version as "planVersion",
      m.flow_alarm_mb as "flowAlarmMb", m.temperature_min_c as "temperatureMinC",
      m.temperature_max_c as "temperatureMaxC", m.humidity_min as "humidityMin", m.humidity_max as "humidityMax",
      m.thermostat, not exists (
        select 1 from template_slot s join product r on r.id = s.product_id
        where s.template_id = ${templateId} and not r.merchant_id = any(c.path)) as "maySellAll"
    from machine m join merchant c on c.id = m.merchant_id join point p on p.id = m.point_id
    where ${which} and ${machineInSight(sight, sql`m.id`)} order by m.id limit ${sql.lit(how.most)}
    ${how.isHeld ? sql`for update of m` : sql``}`.execute(db)
  return found.rows
}

export type PlacedSlot = Standing & {
  machineId: number
  placeId: number
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  isLocked: boolean
}

/** Slots of all these machines, each with what lies in it of another product than the template's. */
export async function findStanding(db: Reader, templateId: number, machineIds: readonly number[]) {
  const found = await sql<PlacedSlot>`
    select s.machine_id as "machineId", s.id, s.code, s.layer, s.position, s.place_id as "placeId",
      s.product_id as "productId", s.price_fen as "priceFen", s.capacity, s.alarm_threshold as "alarmThreshold",
      s.choice, s.is_locked as "isLocked", coalesce(held.quantity, 0)::int as held,
      s.lock_reason <> '' as "isHeld",
      awaited.id is not null as "isAwaited"
    from slot s
    left join template_slot t on t.template_id = ${templateId} and t.layer = s.layer and t.position = s.position
    left join lateral (select sum(l.quantity) as quantity from stock_level l
      where l.place_id = s.place_id and l.quantity > 0 and l.product_id is distinct from t.product_id) held on true
    left join (select distinct i.slot_id as id from orders o
      join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      where o.order_state = 'open' and i.state = 'waiting') awaited on awaited.id = s.id
    where s.machine_id is not null and s.machine_id = any(${[...machineIds]}::bigint[])
    order by s.machine_id, s.layer, s.position`.execute(db)
  const byMachine = new Map<number, PlacedSlot[]>(machineIds.map((id) => [id, []]))
  for (const slot of found.rows) byMachine.get(slot.machineId)?.push(slot)
  return byMachine
}

export type Use = { machineIds: readonly number[]; batchId: string | null; userId: number; at: Date }

export async function writeUses(tx: Tx, { id, version }: TemplateRow, { machineIds, batchId, userId, at }: Use) {
  const used = machineIds.map((machineId) => ({ machineId }))
  await sql`insert into template_use as u (machine_id, template_id, version, applied_at, applied_by, batch_id)
    select w.machine_id, ${id}, ${version}, ${at}, ${userId}, ${batchId}::uuid
    from ${rows('w', used, { machineId: 'bigint' })}
    on conflict (machine_id) do update set template_id = excluded.template_id, version = excluded.version,
      applied_at = excluded.applied_at, applied_by = excluded.applied_by,
      batch_id = coalesce(excluded.batch_id, u.batch_id)`.execute(tx)
}

export type PlannedSlot = {
  machineId: number
  code: string
  productCode: string | null
  medicineClass: MedicineClass | null
  priceFen: number | null
  struckFen: number | null
  memberFen: number | null
  capacity: number
  choice: string
  isLocked: boolean
  isRecalled: boolean
  isOffline: boolean
  alarmThreshold: number
}

/** As they stand now, to be told to the machines. */
export async function findPlans(tx: Tx, machineIds: readonly number[]): Promise<Map<number, PlannedSlot[]>> {
  const found = await sql<PlannedSlot>`select s.machine_id as "machineId", s.code, p.code as "productCode",
      p.medicine_class as "medicineClass", ${shownFen} as "priceFen", ${struckFen} as "struckFen",
      ${memberFen} as "memberFen", s.capacity, s.choice, s.is_locked as "isLocked",
      ${holdsRecalled} as "isRecalled", ${isOffline} as "isOffline", s.alarm_threshold as "alarmThreshold"
    from slot s left join product p on p.id = s.product_id
    where s.machine_id is not null and s.machine_id = any(${[...machineIds]}::bigint[])
    order by s.machine_id, s.layer, s.position`.execute(tx)
  const byMachine = new Map<number, PlannedSlot[]>(machineIds.map((id) => [id, []]))
  for (const slot of found.rows) byMachine.get(slot.machineId)?.push(slot)
  return byMachine
}
