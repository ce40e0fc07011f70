import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { isGranted } from '@aisle/contract/identity/permissions'
import type * as contract from '@aisle/contract/purchase/plan'
import { medicineMarginDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, Tx } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { grouped, must, only } from '../../../kernel/must'
import { dayAt } from '../../../kernel/platformDays'
import { existing, refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { holdWarehouse, nextNo } from '../../stock/public'
import { add as addOrder } from '../order/order.commands'
import { type HeldPlan, holdPlan, optionsFor, priceFor, purchasePlans } from './plan.store'
import { type NewLine, propose } from './propose'

const audit = auditAs('purchasePlan')
type Id = { id: number }
/** Whoever has nothing to do with medicine plans and orders none. */
const seesMedicine = (ctx: CommandContext) => isGranted(ctx.actor.grants, 'medicine.read')

export async function add(ctx: CommandContext, input: InputOf<typeof contract.addPurchasePlan>) {
  const { warehouseId, horizonDays, coverDays, note } = input
  const { merchantId, name: warehouse } = await holdWarehouse(ctx, warehouseId, true)
  const now = ctx.now()
  const { today } = only(
    await sql<{ today: string }>`select to_char(${dayAt(now, sql`m.time_zone`)}, 'YYYY-MM-DD') as today from merchant m
      where m.id = ${merchantId}`.execute(ctx.tx),
  )
  const hasMedicine = seesMedicine(ctx)
  const marginDays = await settingOf(ctx.tx, medicineMarginDays, merchantId)
  const asked = { merchantId, warehouseId, today, now, horizonDays, coverDays, hasMedicine, marginDays }
  const lines = await propose(ctx.tx, asked)
  if (lines.length === 0) refuse('purchasePlan.noMachines', { name: warehouse })
  const no = await nextNo(ctx.tx, merchantId, 'JH', now)
  const { userId, displayName } = ctx.actor
  const slots = lines.reduce((sum, line) => sum + line.slots, 0)
  const made =
    await sql<Id>`insert into purchase_plan (merchant_id, no, warehouse_id, from_on, horizon_days, cover_days,
      has_medicine, machines, slots, note, made_by, maker, made_at)
    select ${merchantId}, ${no}, ${warehouseId}, ${today}, ${horizonDays}, ${coverDays}, ${hasMedicine},
      count(*), ${slots}::int, ${note}, ${userId}, ${displayName}, ${now}
    from machine where merchant_id = ${merchantId} and retired_at is null returning id`.execute(ctx.tx)
  const { id } = only(made)
  await putLines(ctx.tx, id, lines)
  const toOrder = lines.filter(({ packs }) => packs > 0).length
  await audit(ctx, { id, merchantId }, null, { no, warehouse, horizonDays, coverDays, lines: lines.length, toOrder })
  return { id, no }
}

async function putLines(tx: Tx, planId: number, lines: readonly NewLine[]): Promise<void> {
  const given = lines.map(({ behind: _behind, week, ...line }) => ({ ...line, week: `{${week.join(',')}}` }))
  const made = await sql<{ id: number; productId: number }>`insert into purchase_plan_line (plan_id, product_id,
      machines, slots, weekday, need_days, forecast, safety, slot_target, in_slots, in_store, in_bags, coming, unusable,
      hindrance, supplier_product_id, pack_units, price_fen, proposed_packs, packs, short)
    select ${planId}, l.product_id, l.machines, l.slots, l.week::real[], l.need_days, l.forecast, l.safety,
      l.slot_target, l.in_slots, l.in_store, l.in_bags, l.coming, l.unusable, l.hindrance, l.supplier_product_id,
      l.pack_units, l.price_fen, l.proposed_packs, l.packs, l.short
    from ${rows('l', given, {
      productId: 'bigint',
      machines: 'int',
      slots: 'int',
      week: 'text',
      needDays: 'int',
      forecast: 'real',
      safety: 'int',
      slotTarget: 'int',
      inSlots: 'int',
      inStore: 'int',
      inBags: 'int',
      coming: 'int',
      unusable: 'int',
      hindrance: 'text',
      supplierProductId: 'bigint',
      packUnits: 'int',
      priceFen: 'bigint',
      proposedPacks: 'int',
      packs: 'int',
      short: 'int',
    })} returning id, product_id as "productId"`.execute(tx)
  const ids = new Map(made.rows.map(({ id, productId }) => [productId, id]))
  const behind = lines.flatMap((line) =>
    line.behind.map((one) => ({ ...one, lineId: must(ids.get(line.productId), 'the line of a product') })),
  )
  await sql`insert into purchase_plan_machine (line_id, machine_id, slots, per_day, forecast, there, slot_target)
    select b.line_id, b.machine_id, b.slots, b.per_day, b.forecast, b.there, b.slot_target
    from ${rows('b', behind, {
      lineId: 'bigint',
      machineId: 'bigint',
      slots: 'int',
      perDay: 'real',
      forecast: 'real',
      there: 'int',
      slotTarget: 'int',
    })}`.execute(tx)
}

type HeldLine = {
  id: number
  planId: number
  productId: number
  isMedicine: boolean
  supplierProductId: number | null
  packs: number
  version: number
}

export async function change(ctx: CommandContext, input: InputOf<typeof contract.changePurchasePlanLine>) {
  const { id, version, supplierProductId, packs } = input
  const planOf = await sql<{ planId: number }>`select l.plan_id as "planId" from purchase_plan_line l
    join purchase_plan p on p.id = l.plan_id
    where l.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}`.execute(ctx.tx)
  // The plan first, as whoever orders it does.
  const plan = await holdPlan(ctx, existing(planOf.rows[0]).planId, null)
  const found = await sql<HeldLine>`select l.id, l.plan_id as "planId", l.product_id as "productId",
      p.kind = 'medicine' as "isMedicine", l.supplier_product_id as "supplierProductId", l.packs, l.version
    from purchase_plan_line l join product p on p.id = l.product_id where l.id = ${id}`.execute(ctx.tx)
  const line = only(found)
  const before = { supplierProductId: line.supplierProductId, packs: line.packs }
  refuseStale(ctx, { version }, line, before, { supplierProductId, packs })
  purchasePlans.must(plan, 'order')
  if (line.isMedicine && !seesMedicine(ctx)) refuse('purchasePlan.medicine')
  const about = { warehouseId: plan.warehouseId, now: ctx.now() }
  const options = (await optionsFor(ctx.tx, about, [line.productId])).get(line.productId) ?? []
  const option = options.find((one) => one.supplierProductId === supplierProductId)
  const priceFen = option ? priceFor(option, packs) : null
  // None may be ordered of whoever it is; some only of who can deliver it today.
  const isAble = packs > 0 ? option?.hindrance === null && priceFen !== null : option || supplierProductId === null
  if (!isAble) refuse('purchasePlan.supplier', { no: plan.no })
  await sql`update purchase_plan_line set packs = ${packs}, supplier_product_id = ${supplierProductId},
      pack_units = ${option?.packUnits ?? null}, price_fen = ${priceFen}, hindrance = case
        when ${packs}::int > 0 or short = 0 then null else ${option ? option.hindrance : 'noSupplier'} end,
      changed_by = ${ctx.actor.userId}, changer = ${ctx.actor.displayName}, changed_at = ${ctx.now()},
      version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, plan, { line: id, ...before }, { line: id, supplierProductId, packs })
  return { id, packs }
}

type ToOrder = {
  id: number
  productId: number
  supplierProductId: number | null
  packs: number
  isMedicine: boolean
}
/** As many lines as an order takes. */
const MOST_LINES = 100

export async function order(ctx: CommandContext, { id }: Id) {
  const plan = await holdPlan(ctx, id, 'order')
  const found = await sql<ToOrder>`select l.id, l.product_id as "productId",
      l.supplier_product_id as "supplierProductId", l.packs, p.kind = 'medicine' as "isMedicine"
    from purchase_plan_line l join product p on p.id = l.product_id
    where l.plan_id = ${id} and l.packs > 0 order by p.name, l.id`.execute(ctx.tx)
  if (found.rows.some(({ isMedicine }) => isMedicine) && !seesMedicine(ctx)) refuse('purchasePlan.medicine')
  const able = await ableOf(ctx, plan, found.rows)
  if (able.length === 0) refuse('purchasePlan.nothing', { no: plan.no })
  let orders = 0
  for (const [supplierId, lines] of grouped(able, (line) => line.supplierId)) {
    for (let at = 0; at < lines.length; at += MOST_LINES) {
      await draft(ctx, plan, { supplierId, lines: lines.slice(at, at + MOST_LINES) })
      orders += 1
    }
  }
  const { displayName } = ctx.actor
  const state = await purchasePlans.move(ctx.tx, plan, 'order', { ender: displayName, endedAt: ctx.now() })
  const leftOut = found.rows.length - able.length
  await audit(ctx, plan, { state: plan.state }, { state, orders, lines: able.length, leftOut })
  return { id, state, orders, leftOut }
}

/** What can be ordered as things stand now; of the others it is noted why not. */
async function ableOf(ctx: CommandContext, { warehouseId }: HeldPlan, lines: readonly ToOrder[]) {
  const ids = lines.map(({ productId }) => productId)
  const options = await optionsFor(ctx.tx, { warehouseId, now: ctx.now() }, ids)
  const judged = lines.map((line) => {
    const option = options.get(line.productId)?.find((one) => one.supplierProductId === line.supplierProductId)
    const hindrance = !option ? 'noSupplier' : (option.hindrance ?? (priceFor(option, line.packs) ? null : 'noPrice'))
    const { supplierId = 0, supplierProductId = 0 } = option ?? {}
    return { ...line, supplierId, supplierProductId, hindrance }
  })
  const out = judged.filter(({ hindrance }) => hindrance !== null)
  await sql`update purchase_plan_line l set packs = 0, hindrance = o.hindrance, version = version + 1
    from ${rows(
      'o',
      out.map(({ id, hindrance }) => ({ id, hindrance })),
      { id: 'bigint', hindrance: 'text' },
    )} where l.id = o.id`.execute(ctx.tx)
  return judged.filter(({ hindrance }) => hindrance === null)
}

type Draft = { supplierId: number; lines: readonly (ToOrder & { supplierProductId: number })[] }

async function draft(ctx: CommandContext, { no, warehouseId }: HeldPlan, { supplierId, lines }: Draft): Promise<void> {
  const asked = lines.map(({ supplierProductId, packs }) => ({ supplierProductId, packs, priceFen: null }))
  const made = await addOrder(ctx, { supplierId, warehouseId, dueOn: null, note: no, lines: asked })
  await sql`update purchase_plan_line set order_id = ${made.id}
    where id = any(${lines.map((line) => line.id)}::bigint[])`.execute(ctx.tx)
}

export async function discard(ctx: CommandContext, { id, reason }: InputOf<typeof contract.discardPurchasePlan>) {
  const plan = await holdPlan(ctx, id, 'discard')
  const ended = { ender: ctx.actor.displayName, endedAt: ctx.now(), endReason: reason }
  const state = await purchasePlans.move(ctx.tx, plan, 'discard', ended)
  await audit(ctx, plan, { state: plan.state }, { state, reason })
  return { id, state }
}
