import * as contract from '@aisle/contract/fleet/group'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { chosenOf, findDetail, findForUpdate, type GroupRow, groupInSight, members, page } from './group.reads'

type Changed = { id: number }

export const routes: Route[] = [
  query(contract.listGroups, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input)),
  query(contract.getGroup, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id)
    return found ?? refuse('request.notFound')
  }),
  query(contract.listGroupMachines, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    const group = (await groupInSight(ctx.db, sight, input.id)) ?? refuse('request.notFound')
    return members(ctx.db, sight, group, input)
  }),
  command(contract.addGroup, add),
  command(contract.editGroup, edit),
  command(contract.removeGroup, (ctx, { id }) => remove(ctx, id)),
  command(contract.addMembers, (ctx, input) => change(ctx, input, true)),
  command(contract.dropMembers, (ctx, input) => change(ctx, input, false)),
]

async function add(ctx: CommandContext, input: InputOf<typeof contract.addGroup>): Promise<Changed> {
  const { merchantId, ...wanted } = input
  const made = await unlessTaken(
    wanted.name,
    sql<Changed>`insert into machine_group (merchant_id, name, remark, sort, created_at)
      select c.id, ${wanted.name}, ${wanted.remark}, ${wanted.sort}::int, ${ctx.now()} from merchant c
      where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)} returning id`.execute(ctx.tx),
  )
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await audit(ctx, { id, merchantId }, null, wanted)
  return { id }
}

async function edit(ctx: CommandContext, input: InputOf<typeof contract.editGroup>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const group = await load(ctx, id)
  const before = editableOf(group)
  refuseStale(ctx, { version }, group, before, wanted)
  await unlessTaken(
    wanted.name,
    sql`update machine_group set name = ${wanted.name}, remark = ${wanted.remark}, sort = ${wanted.sort},
      version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, group, before, wanted)
  return { id }
}

async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const group = await load(ctx, id)
  const uses = await sql<{ name: string }>`select a.name from assortment_group u
    join assortment a on a.id = u.assortment_id where u.group_id = ${id} order by a.name limit 30`.execute(ctx.tx)
  refuseInUse(uses.rows.map(({ name }) => name))
  await sql`delete from machine_group where id = ${id}`.execute(ctx.tx)
  await audit(ctx, group, editableOf(group), null)
  return { id }
}

type Asked = InputOf<typeof contract.addMembers>

async function change(ctx: CommandContext, { id, machines }: Asked, isIn: boolean): Promise<{ changed: number }> {
  const group = await load(ctx, id)
  const ids = await namedOrFound(ctx, group, machines)
  const done = isIn
    ? await sql`insert into machine_group_member (group_id, machine_id, added_at)
        select ${id}, unnest(${ids}::bigint[]), ${ctx.now()} on conflict do nothing`.execute(ctx.tx)
    : await sql`delete from machine_group_member
        where group_id = ${id} and machine_id = any(${ids}::bigint[])`.execute(ctx.tx)
  const changed = Number(done.numAffectedRows ?? 0n)
  await audit(ctx, group, null, { [isIn ? 'added' : 'dropped']: changed, machineIds: ids.slice(0, 200) })
  return { changed }
}

async function namedOrFound(ctx: CommandContext, group: GroupRow, machines: Asked['machines']): Promise<number[]> {
  const sight = sightOf(ctx.actor)
  if ('machineIds' in machines) {
    const named = [...new Set(machines.machineIds)]
    const ids = await chosenOf(ctx.tx, sight, group, { ids: named })
    return ids.length === named.length ? ids : refuse('request.notFound')
  }
  const ids = await chosenOf(ctx.tx, sight, group, { filter: machines.filter })
  return ids.length === machines.count ? ids : refuse('group.changed', { count: ids.length })
}

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('machine_group_merchant_id_name_key', write, () => refusal('group.nameTaken', { name }))

const load = async (ctx: CommandContext, id: number): Promise<GroupRow> =>
  (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')

const editableOf = ({ name, remark, sort }: GroupRow) => ({ name, remark, sort })

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'machineGroup', objectId: id, before, after })
