import { commandState } from '@aisle/contract/device/commands'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getTemplateRun } from '@aisle/contract/planogram/apply'
import type { getTemplate, listTemplates, Template } from '@aisle/contract/planogram/template'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Listing } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { templateColumns, type TemplateRow } from './template.store'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listTemplates>
type Detail = OutputOf<typeof getTemplate>

/** Machines that are counted are those in sight. */
const rowsInSight = (sight: Sight): RawBuilder<Template> => sql`
  select t.id, t.name, t.remark, t.merchant_id as "merchantId", c.name as "merchantName", lines.slots as "slotCount",
    lines.products as "productCount", used.machines as "machineCount", used.behind as "behindCount",
    to_json(t.updated_at) #>> '{}' as "updatedAt", t.updated_at as updated_on, who.display_name as "updatedBy"
  from template t join merchant c on c.id = t.merchant_id
  left join app_user who on who.id = t.updated_by and ${merchantInSight(sight, sql`who.merchant_id`)}
  cross join lateral (select count(*)::int as slots, count(distinct s.product_id)::int as products
    from template_slot s where s.template_id = t.id) lines
  cross join lateral (select count(*)::int as machines, count(*) filter (where u.version < t.version)::int as behind
    from template_use u where u.template_id = t.id and ${machineInSight(sight, sql`u.machine_id`)}) used
  where ${merchantInSight(sight, sql`t.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  updated: { by: sql`updated_on`, type: 'timestamptz', newestFirst: true },
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
}

export function listTemplatesIn(sight: Sight, filter: Filter): Listing<Template> {
  const where = allOf([
    filter.q && sql`(${holds(sql`name`, filter.q)} or ${holds(sql`remark`, filter.q)})`,
    filter.merchantId &&
      sql`"merchantId" in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
  ])
  return listRows({ rows: rowsInSight(sight), where, order: orders[filter.sort] })
}

export async function findTemplateDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Template & TemplateRow>`select seen.*, own.* from (${rowsInSight(sight)}) seen
    join (select ${templateColumns} from template t) own on own.id = seen.id where seen.id = ${id}`.execute(db)
  const template = found.rows[0]
  if (!template) return undefined
  return {
    ...template,
    slots: await findSlots(db, id),
    machines: await findMachines(db, sight, template),
    runs: await findRuns(db, sight, id),
  }
}

async function findSlots(db: Reader, id: number): Promise<Detail['slots']> {
  const found = await sql<Detail['slots'][number]>`select s.layer, s.position, s.product_id as "productId",
      p.code as "productCode", p.name as "productName", p.picture, p.medicine_class as "medicineClass",
      s.price_fen as "priceFen", s.capacity, s.alarm_threshold as "alarmThreshold"
    from template_slot s left join product p on p.id = s.product_id
    where s.template_id = ${id} order by s.layer, s.position`.execute(db)
  return found.rows
}

async function findMachines(db: Reader, sight: Sight, { id, version }: TemplateRow): Promise<Detail['machines']> {
  const found = await sql<Detail['machines'][number]>`select m.id, m.code, m.name, p.name as "pointName",
      u.version = ${version} as "isNewest", to_json(u.applied_at) #>> '{}' as "appliedAt"
    from template_use u join machine m on m.id = u.machine_id join point p on p.id = m.point_id
    where u.template_id = ${id} and ${machineInSight(sight, sql`m.id`)}
    order by u.version, m.code limit 200`.execute(db)
  return found.rows
}

/** Commands that count are those of machines in sight: nobody learns how many others there are. */
const ofBatch = (sight: Sight, batchId: RawBuilder<unknown>) => sql`
  from device_command d join machine m on m.id = d.machine_id
  where d.batch_id = ${batchId} and ${machineInSight(sight, sql`d.machine_id`)}`

async function findRuns(db: Reader, sight: Sight, id: number): Promise<Detail['runs']> {
  const found = await sql<Detail['runs'][number]>`
    select b.id as "batchId", to_json(b.created_at) #>> '{}' as "createdAt", who.display_name as "createdBy", b.reason,
      counted.*
    from command_batch b
    left join app_user who on who.id = b.created_by and ${merchantInSight(sight, sql`who.merchant_id`)}
    cross join lateral (select count(*)::int as total,
      count(*) filter (where d.state in ${statesIn(commandState, 'waiting')})::int as waiting,
      count(*) filter (where d.state = 'done')::int as done,
      count(*) filter (where d.state in ${statesIn(commandState, 'ended')})::int as failed
      ${ofBatch(sight, sql`b.id`)}) counted
    where b.type = 'push_template' and (b.data ->> 'templateId')::bigint = ${id} and counted.total > 0
    order by b.created_at desc limit 10`.execute(db)
  return found.rows
}

type Run = OutputOf<typeof getTemplateRun>

export async function findRun(db: Reader, sight: Sight, id: number, batch: string): Promise<Run | undefined> {
  const states = await sql<{ state: string; count: number }>`
    select d.state, count(*)::int as count ${ofBatch(sight, sql`${batch}::uuid`)}
      and exists (select 1 from command_batch b join template t on t.id = (b.data ->> 'templateId')::bigint
        where b.id = d.batch_id and b.type = 'push_template' and t.id = ${id}
          and ${merchantInSight(sight, sql`t.merchant_id`)})
    group by d.state`.execute(db)
  if (states.rows.length === 0) return undefined
  const items = await sql<Run['items'][number]>`
    select m.id, m.code, m.name, d.state, d.detail, to_json(d.finished_at) #>> '{}' as "finishedAt"
    ${ofBatch(sight, sql`${batch}::uuid`)}
    order by array_position(array['failed', 'refused', 'expired', 'cancelled', 'queued', 'sent', 'received', 'done'],
      d.state), m.code limit 200`.execute(db)
  return {
    total: states.rows.reduce((sum, { count }) => sum + count, 0),
    states: Object.fromEntries(states.rows.map(({ state, count }) => [state, count])),
    items: items.rows,
  }
}
