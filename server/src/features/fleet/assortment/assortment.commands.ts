import {
  type addAssortment,
  assortmentState,
  type editAssortment,
  type setAssortment,
} from '@aisle/contract/fleet/assortment'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { auditAs } from '../../../kernel/audit'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { refuseInUse, refuseStale } from '../../../kernel/edit'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { type AssortmentRow, findForUpdate, offered, usesOf } from './assortment.reads'

type Changed = { id: number }

export async function add(ctx: CommandContext, input: InputOf<typeof addAssortment>): Promise<Changed> {
  const { merchantId, name, remark } = input
  const made = await unlessTaken(
    name,
    sql<Changed>`insert into assortment (merchant_id, name, remark, created_at)
      select c.id, ${name}, ${remark}, ${ctx.now()} from merchant c
      where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)} returning id`.execute(ctx.tx),
  )
  const id = existing(made.rows[0]).id
  await audit(ctx, { id, merchantId }, null, { name, remark })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editAssortment>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const row = await load(ctx, id)
  const before = { name: row.name, remark: row.remark }
  refuseStale(ctx, { version }, row, before, wanted)
  await unlessTaken(
    wanted.name,
    sql`update assortment set name = ${wanted.name}, remark = ${wanted.remark}, version = version + 1
      where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, row, before, wanted)
  return { id }
}

type Contents = Omit<InputOf<typeof setAssortment>, 'id' | 'version'>

/** Machines and groups that the caller does not see keep it. */
export async function setContents(ctx: CommandContext, input: InputOf<typeof setAssortment>): Promise<Changed> {
  const { id, version, ...given } = input
  const row = await load(ctx, id)
  const wanted: Contents = {
    productIds: unique(given.productIds),
    slots: [...new Map(given.slots.map((each) => [each.code, each])).values()],
    groupIds: unique(given.groupIds),
    machineIds: unique(given.machineIds),
  }
  const before = await contentsOf(ctx, id)
  refuseStale(ctx, { version }, row, before, wanted)
  if (wanted.slots.some(({ productId }) => !wanted.productIds.includes(productId))) refuse('assortment.notInIt')
  await refuseForeign(ctx, row, wanted)
  await keep(ctx, id, wanted)
  await sql`update assortment set version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, before, wanted)
  return { id }
}

async function keep(ctx: CommandContext, id: number, wanted: Contents): Promise<void> {
  const { productIds, slots, groupIds, machineIds } = wanted
  const sight = sightOf(ctx.actor)
  await sql`delete from assortment_slot where assortment_id = ${id}`.execute(ctx.tx)
  await sql`delete from assortment_product where assortment_id = ${id}
    and product_id <> all(${productIds}::bigint[])`.execute(ctx.tx)
  await sql`insert into assortment_product (assortment_id, product_id)
    select ${id}, unnest(${productIds}::bigint[]) on conflict do nothing`.execute(ctx.tx)
  await sql`insert into assortment_slot (assortment_id, slot_code, product_id)
    select ${id}, s.code, s.product_id from ${rows('s', slots, { code: 'text', productId: 'bigint' })}`.execute(ctx.tx)
  await sql`delete from assortment_group a using machine_group g where a.assortment_id = ${id} and g.id = a.group_id
    and g.id <> all(${groupIds}::bigint[]) and ${merchantInSight(sight, sql`g.merchant_id`)}`.execute(ctx.tx)
  await sql`insert into assortment_group (assortment_id, group_id)
    select ${id}, unnest(${groupIds}::bigint[]) on conflict do nothing`.execute(ctx.tx)
  await sql`delete from assortment_machine a where a.assortment_id = ${id}
    and a.machine_id <> all(${machineIds}::bigint[]) and ${machineInSight(sight, sql`a.machine_id`)}`.execute(ctx.tx)
  await sql`insert into assortment_machine (assortment_id, machine_id)
    select ${id}, unnest(${machineIds}::bigint[]) on conflict do nothing`.execute(ctx.tx)
}

/** What is named must be in sight; groups and machines are of its merchant, or of one below. */
async function refuseForeign(ctx: CommandContext, { merchantId }: AssortmentRow, wanted: Contents): Promise<void> {
  const sight = sightOf(ctx.actor)
  const { productIds, groupIds, machineIds } = wanted
  const found = await sql<{ kind: string; count: number; foreign: number }>`
    select 'product' as kind, count(*) as count, 0 as "foreign" from product p
    where p.id = any(${productIds}::bigint[]) and ${offered(sight)}
    union all
    select 'group', count(*), count(*) filter (where not c.path @> array[${merchantId}]::bigint[])
    from machine_group g join merchant c on c.id = g.merchant_id
    where g.id = any(${groupIds}::bigint[]) and ${merchantInSight(sight, sql`g.merchant_id`)}
    union all
    select 'machine', count(*), count(*) filter (where not c.path @> array[${merchantId}]::bigint[])
    from machine m join merchant c on c.id = m.merchant_id
    where m.id = any(${machineIds}::bigint[]) and ${machineInSight(sight, sql`m.id`)}`.execute(ctx.tx)
  const asked: Record<string, number> = {
    product: productIds.length,
    group: groupIds.length,
    machine: machineIds.length,
  }
  if (found.rows.some(({ kind, count }) => count !== asked[kind])) refuse('request.notFound')
  if (found.rows.some(({ foreign }) => foreign > 0)) refuse('assortment.otherMerchant')
}

async function contentsOf(ctx: CommandContext, id: number): Promise<Contents> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Contents>`select
      coalesce((select json_agg(product_id order by product_id) from assortment_product
        where assortment_id = ${id}), '[]') as "productIds",
      coalesce((select json_agg(json_build_object('code', slot_code, 'productId', product_id) order by slot_code)
        from assortment_slot where assortment_id = ${id}), '[]') as slots,
      coalesce((select json_agg(a.group_id order by a.group_id) from assortment_group a
        join machine_group g on g.id = a.group_id
        where a.assortment_id = ${id} and ${merchantInSight(sight, sql`g.merchant_id`)}), '[]') as "groupIds",
      coalesce((select json_agg(a.machine_id order by a.machine_id) from assortment_machine a
        where a.assortment_id = ${id} and ${machineInSight(sight, sql`a.machine_id`)}), '[]') as "machineIds"`.execute(
    ctx.tx,
  )
  return found.rows[0] ?? { productIds: [], slots: [], groupIds: [], machineIds: [] }
}

export async function move(ctx: CommandContext, id: number, verb: 'stop' | 'resume'): Promise<Changed> {
  const row = await load(ctx, id)
  if (!assortmentState.can(row.state, verb)) refuse('assortment.state', { name: row.name })
  const state = assortmentState.to(verb)
  await sql`update assortment set state = ${state}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { state: row.state }, { state })
  return { id }
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const row = await load(ctx, id)
  refuseInUse(await usesOf(ctx.tx, id))
  await sql`delete from assortment where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { name: row.name, remark: row.remark }, null)
  return { id }
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('assortment_merchant_id_name_key', write, () => refusal('assortment.nameTaken', { name }))

const load = async (ctx: CommandContext, id: number): Promise<AssortmentRow> =>
  existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), id))

const audit = auditAs('assortment')
