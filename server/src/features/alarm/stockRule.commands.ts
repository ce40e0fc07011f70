import type { editStockRule, removeStockRule, saveStockRule, StockRule } from '@aisle/contract/alarm/stockRule'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { ruleInSight } from './stockRule.reads'

type Where = { merchantId: number; pointId: number | null; machineId: number | null }

/** One rule a merchant, point or machine: saving again changes the one that is there. */
export async function save(ctx: CommandContext, input: InputOf<typeof saveStockRule>) {
  const { empty, ofSlots } = input
  refuseTooMany(input)
  const { merchantId, pointId, machineId } = await placeOf(ctx, input)
  const saved = await sql<{ id: number; version: number }>`
    insert into stock_alarm_rule as r (merchant_id, point_id, machine_id, empty, of_slots, updated_at)
    values (${merchantId}, ${pointId}, ${machineId}, ${empty}, ${ofSlots}, ${ctx.now()})
    on conflict (merchant_id, point_id, machine_id) do update
      set empty = excluded.empty, of_slots = excluded.of_slots, version = r.version + 1,
        updated_at = excluded.updated_at
    returning id, version`.execute(ctx.tx)
  const [row] = saved.rows
  if (!row) throw new Error('a saved rule without a row')
  await audit(ctx, { id: row.id, merchantId }, null, { pointId, machineId, empty, ofSlots })
  return row
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editStockRule>) {
  const { id, version, ...wanted } = input
  refuseTooMany(wanted)
  const { merchantId, ...row } = await load(ctx, id)
  const before = { empty: row.empty, ofSlots: row.ofSlots }
  refuseStale(ctx, { version }, row, before, wanted)
  await sql`update stock_alarm_rule set empty = ${wanted.empty}, of_slots = ${wanted.ofSlots},
    version = version + 1, updated_at = ${ctx.now()} where id = ${id}`.execute(ctx.tx)
  await audit(ctx, { id, merchantId }, before, wanted)
  return { id, version: row.version + 1 }
}

export async function remove(ctx: CommandContext, { id }: InputOf<typeof removeStockRule>) {
  const { merchantId, empty, ofSlots } = await load(ctx, id)
  await sql`delete from stock_alarm_rule where id = ${id}`.execute(ctx.tx)
  await audit(ctx, { id, merchantId }, { empty, ofSlots }, null)
  return { id }
}

function refuseTooMany({ empty, ofSlots }: StockRule): void {
  if (ofSlots !== null && empty > ofSlots) refuse('stockRule.moreThanSlots', { empty, ofSlots })
}

async function placeOf(ctx: CommandContext, input: InputOf<typeof saveStockRule>): Promise<Where> {
  const { scope, merchantId, pointId, machineCode } = input
  const sight = sightOf(ctx.actor)
  if (!{ merchant: merchantId, point: pointId, machine: machineCode }[scope]) refuse('stockRule.one')
  const found =
    scope === 'machine'
      ? await sql<Where>`select m.merchant_id as "merchantId", null::bigint as "pointId", m.id as "machineId"
        from machine m where m.code = ${machineCode} and ${machineInSight(sight, sql`m.id`)}`.execute(ctx.tx)
      : scope === 'point'
        ? await sql<Where>`select p.merchant_id as "merchantId", p.id as "pointId", null::bigint as "machineId"
          from point p where p.id = ${pointId} and ${merchantInSight(sight, sql`p.merchant_id`)}`.execute(ctx.tx)
        : await sql<Where>`select c.id as "merchantId", null::bigint as "pointId", null::bigint as "machineId"
          from merchant c where c.id = ${merchantId} and ${merchantInSight(sight, sql`c.id`)}`.execute(ctx.tx)
  return existing(found.rows[0])
}

type Row = StockRule & { merchantId: number; version: number }

async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`select r.merchant_id as "merchantId", r.empty, r.of_slots as "ofSlots", r.version
    from stock_alarm_rule r where r.id = ${id} and ${ruleInSight(sightOf(ctx.actor))} for update`.execute(ctx.tx)
  return existing(found.rows[0])
}

const audit = auditAs('stockRule')
