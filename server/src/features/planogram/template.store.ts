import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { Thermostat } from '@aisle/contract/fleet/thermostat'
import type { TemplateSlot } from '@aisle/contract/planogram/template'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import { refusal } from '../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

export type TemplateRow = {
  id: number
  merchantId: number
  name: string
  remark: string
  flowAlarmMb: number | null
  temperatureMinC: number | null
  temperatureMaxC: number | null
  humidityMin: number | null
  humidityMax: number | null
  thermostat: Thermostat | null
  version: number
}
export type TemplateFacts = Omit<TemplateRow, 'id' | 'merchantId' | 'version'>

export const templateColumns: RawBuilder<unknown> = sql`t.id, t.merchant_id as "merchantId", t.name, t.remark,
  t.flow_alarm_mb as "flowAlarmMb", t.temperature_min_c as "temperatureMinC", t.temperature_max_c as "temperatureMaxC",
  t.humidity_min as "humidityMin", t.humidity_max as "humidityMax", t.thermostat, t.version`

/** @param isHeld until the end of the transaction */
export async function findTemplate(
  db: Reader,
  sight: Sight,
  id: number,
  isHeld: boolean,
): Promise<TemplateRow | undefined> {
  const found = await sql<TemplateRow>`select ${templateColumns} from template t
    where t.id = ${id} and ${merchantInSight(sight, sql`t.merchant_id`)} ${isHeld ? sql`for update of t` : sql``}
  `.execute(db)
  return found.rows[0]
}

export const factsOf = ({
  id: _id,
  merchantId: _merchantId,
  version: _version,
  ...facts
}: TemplateRow): TemplateFacts => facts

export type TemplateLine = TemplateSlot & { medicineClass: MedicineClass | null }

export async function findLines(db: Reader, id: number): Promise<TemplateLine[]> {
  const found = await sql<TemplateLine>`select s.layer, s.position, s.product_id as "productId",
      p.medicine_class as "medicineClass", s.price_fen as "priceFen", s.capacity, s.alarm_threshold as "alarmThreshold"
    from template_slot s left join product p on p.id = s.product_id
    where s.template_id = ${id} order by s.layer, s.position`.execute(db)
  return found.rows
}

export async function insertTemplate(
  ctx: CommandContext,
  merchantId: number,
  facts: TemplateFacts,
  slots: readonly TemplateSlot[],
): Promise<number> {
  const made = await unlessTaken(
    facts.name,
    sql<{ id: number }>`insert into template (merchant_id, name, remark, flow_alarm_mb, temperature_min_c,
        temperature_max_c, humidity_min, humidity_max, thermostat, created_at, updated_at, updated_by)
      values (${merchantId}, ${facts.name}, ${facts.remark}, ${facts.flowAlarmMb}, ${facts.temperatureMinC},
        ${facts.temperatureMaxC}, ${facts.humidityMin}, ${facts.humidityMax}, ${jsonOf(facts.thermostat)},
        ${ctx.now()}, ${ctx.now()}, ${ctx.actor.userId}) returning id`.execute(ctx.tx),
  )
  const id = only(made).id
  await insertLines(ctx, id, slots)
  return id
}

export async function updateTemplate(
  ctx: CommandContext,
  id: number,
  facts: TemplateFacts,
  slots: readonly TemplateSlot[],
): Promise<void> {
  await unlessTaken(
    facts.name,
    sql`update template set name = ${facts.name}, remark = ${facts.remark}, flow_alarm_mb = ${facts.flowAlarmMb},
      temperature_min_c = ${facts.temperatureMinC}, temperature_max_c = ${facts.temperatureMaxC},
      humidity_min = ${facts.humidityMin}, humidity_max = ${facts.humidityMax},
      thermostat = ${jsonOf(facts.thermostat)}, version = version + 1, updated_at = ${ctx.now()},
      updated_by = ${ctx.actor.userId} where id = ${id}`.execute(ctx.tx),
  )
  await sql`delete from template_slot where template_id = ${id}`.execute(ctx.tx)
  await insertLines(ctx, id, slots)
}

const jsonOf = (value: Thermostat | null) => (value === null ? null : JSON.stringify(value))

async function insertLines(ctx: CommandContext, id: number, slots: readonly TemplateSlot[]): Promise<void> {
  await sql`insert into template_slot (template_id, layer, position, product_id, price_fen, capacity, alarm_threshold)
    select ${id}::bigint, s.* from ${rows('s', slots, {
      layer: 'int',
      position: 'int',
      productId: 'bigint',
      priceFen: 'bigint',
      capacity: 'int',
      alarmThreshold: 'int',
    })}`.execute(ctx.tx)
}

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('template_name', write, () => refusal('template.nameTaken', { name }))

/** The template that the machine of a slot follows, in sight, where it holds the same there. `s` is the slot. */
export const templateOfSlot = (sight: Sight): RawBuilder<unknown> => sql`
  select t.id, t.name, l.layer, l.position,
    (select count(*)::int from template_use n
      where n.template_id = t.id and ${machineInSight(sight, sql`n.machine_id`)}) as machines
  from template_use u join template t on t.id = u.template_id and ${merchantInSight(sight, sql`t.merchant_id`)}
  join template_slot l on l.template_id = t.id and l.layer = s.layer and l.position = s.position
    and l.product_id is not distinct from s.product_id
  where u.machine_id = s.machine_id`
