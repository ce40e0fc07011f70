import type {
  addRepairPlan,
  editRepairPlan,
  listRepairPlans,
  removeRepairPlan,
  RepairPlan,
} from '@aisle/contract/maintenance/plan'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, Reader } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { isPlanDue } from './repairOrder.rules'
import { machineByCode } from './repairOrder.store'

type Counted = Omit<RepairPlan, 'isDue'> & { days: number }
export type DuePlan = Counted & { merchantId: number; today: string }

const MOST = 200

/** Plans with what has been counted since they were last done; orders from the rollup of the machine's days. */
const counted = (now: Date, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.id, p.machine_id as "machineId", m.merchant_id as "merchantId", m.code as "machineCode",
    m.name as "machineName", p.name, p.every_days as "everyDays", p.every_orders as "everyOrders",
    to_char(p.since, 'YYYY-MM-DD') as since, p.version,
    (${now}::timestamptz at time zone m.time_zone)::date - p.since as days,
    to_char((${now}::timestamptz at time zone m.time_zone)::date, 'YYYY-MM-DD') as today,
    coalesce(r.orders, 0)::int as orders, to_char(p.since + p.every_days, 'YYYY-MM-DD') as "dueOn",
    (p.every_orders - coalesce(r.orders, 0))::int as "ordersLeft",
    (select o.id from repair_order o where o.plan_id = p.id and o.closed_at is null) as "openOrderId"
  from repair_plan p join machine m on m.id = p.machine_id
  left join lateral (select sum(d.orders) as orders from rollup_day_machine d
    where d.machine_id = p.machine_id and d.business_day > p.since and p.every_orders is not null) r on true
  where m.retired_at is null and ${which}`

/** How much of its interval is used up; the fuller the sooner. */
const used = sql`greatest(days::float / "everyDays", orders::float / "everyOrders")`

export async function list(
  db: Reader,
  sight: Sight,
  { code }: InputOf<typeof listRepairPlans>,
  now: Date,
): Promise<OutputOf<typeof listRepairPlans>> {
  const which = sql`${machineInSight(sight, sql`p.machine_id`)} and ${code ? sql`m.code = ${code}` : sql`true`}`
  const found = await sql<Counted & { total: number }>`select *, (count(*) over ())::int as total
    from (${counted(now, which)}) plans order by ${used} desc, id limit ${sql.lit(MOST)}`.execute(db)
  return { items: found.rows.map((row) => ({ ...row, isDue: isPlanDue(row) })), total: found.rows[0]?.total ?? 0 }
}

/** Those that are due and have no order yet. */
export async function findDue(db: Reader, now: Date): Promise<DuePlan[]> {
  const found = await sql<DuePlan>`select * from (${counted(now, sql`true`)}) plans
    where "openOrderId" is null and ${used} > 0.5`.execute(db)
  return found.rows.filter(isPlanDue)
}

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('repair_plan_machine_id_name_key', write, () => refusal('repairPlan.nameTaken', { name }))

export async function add(ctx: CommandContext, input: InputOf<typeof addRepairPlan>) {
  const { machineCode, name, everyDays, everyOrders, since } = input
  const machine = (await machineByCode(ctx, machineCode)) ?? refuse('repairPlan.noMachine', { code: machineCode })
  const made = await unlessTaken(
    name,
    sql<{ id: number }>`insert into repair_plan
        (merchant_id, machine_id, name, every_days, every_orders, since, created_at)
      values (${machine.merchantId}, ${machine.id}, ${name}, ${everyDays}, ${everyOrders}, ${since}::date, ${ctx.now()})
      returning id`.execute(ctx.tx),
  )
  const id = only(made).id
  await audit(ctx, { id, merchantId: machine.merchantId }, null, { machineCode, name, everyDays, everyOrders, since })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editRepairPlan>) {
  const { id, version, ...wanted } = input
  const { merchantId, version: now, ...before } = await load(ctx, id)
  refuseStale(ctx, { version }, { version: now }, before, wanted)
  await unlessTaken(
    wanted.name,
    sql`update repair_plan set name = ${wanted.name}, every_days = ${wanted.everyDays},
      every_orders = ${wanted.everyOrders}, since = ${wanted.since}::date, version = version + 1
      where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, { id, merchantId }, before, wanted)
  return { id }
}

export async function remove(ctx: CommandContext, { id }: InputOf<typeof removeRepairPlan>) {
  const { merchantId, version: _version, ...before } = await load(ctx, id)
  await sql`delete from repair_plan where id = ${id}`.execute(ctx.tx)
  await audit(ctx, { id, merchantId }, before, null)
  return { id }
}

type Row = Pick<RepairPlan, 'name' | 'everyDays' | 'everyOrders' | 'since' | 'version'> & { merchantId: number }

async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`select m.merchant_id as "merchantId", p.name, p.every_days as "everyDays",
      p.every_orders as "everyOrders", to_char(p.since, 'YYYY-MM-DD') as since, p.version
    from repair_plan p join machine m on m.id = p.machine_id
    where p.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`p.machine_id`)} for update of p`.execute(ctx.tx)
  return existing(found.rows[0])
}

const audit = auditAs('repairPlan')
