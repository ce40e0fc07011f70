import * as contract from '@aisle/contract/fleet/group'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { existing, refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { chosenOf, type GroupKey, groupInSight, members } from './group.members'

type Detail = OutputOf<typeof contract.getMachineGroup>

const groups = kept(contract.machineGroup, {
  table: 'machineGroup',
  facts: (sight) => ({
    machineCount: sql`(select count(*)::int from machine_group_member b
      where b.group_id = machine_group.id and ${machineInSight(sight, sql`b.machine_id`)})`,
    usedBy: sql`(select count(*)::int from assortment_group a where a.group_id = machine_group.id)`,
  }),
  search: ['name', 'remark'],
  orders: { order: { by: sql`sort`, type: 'bigint' }, machines: { by: sql`-"machineCount"`, type: 'bigint' } },
  uses: (id) => sql`select a.name from assortment_group u join assortment a on a.id = u.assortment_id
    where u.group_id = ${id} order by a.name`,
})

export const routes: Route[] = [
  ...listOf(contract.listMachineGroups, groups.list),
  query(contract.getMachineGroup, findDetail),
  ...listOf(contract.listGroupMachines, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    const group = existing(await groupInSight(ctx.db, sight, input.id))
    return members(sight, group, input)
  }),
  command(contract.addMachineGroup, groups.add),
  command(contract.editMachineGroup, groups.edit),
  command(contract.removeMachineGroup, groups.remove),
  command(contract.addMembers, (ctx, input) => change(ctx, input, true)),
  command(contract.dropMembers, (ctx, input) => change(ctx, input, false)),
]

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await groups.get(ctx, { id })
  const uses = await sql<{
    name: string
  }>`select a.name from assortment_group u join assortment a on a.id = u.assortment_id
    where u.group_id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`a.merchant_id`)}
    order by a.name limit 30`.execute(ctx.db)
  return { ...found, uses: uses.rows.map(({ name }) => name) }
}

type Asked = InputOf<typeof contract.addMembers>

async function change(ctx: CommandContext, { id, machines }: Asked, isIn: boolean): Promise<{ changed: number }> {
  const group = await groups.load(ctx, id)
  const ids = await namedOrFound(ctx, group, machines)
  const done = isIn
    ? await sql`insert into machine_group_member (group_id, machine_id, added_at)
        select ${id}, unnest(${ids}::bigint[]), ${ctx.now()} on conflict do nothing`.execute(ctx.tx)
    : await sql`delete from machine_group_member
        where group_id = ${id} and machine_id = any(${ids}::bigint[])`.execute(ctx.tx)
  const changed = Number(done.numAffectedRows ?? 0n)
  await groups.audit(ctx, group, null, { [isIn ? 'added' : 'dropped']: changed, machineIds: ids.slice(0, 200) })
  return { changed }
}

async function namedOrFound(ctx: CommandContext, group: GroupKey, machines: Asked['machines']): Promise<number[]> {
  const sight = sightOf(ctx.actor)
  if ('machineIds' in machines) {
    const named = [...new Set(machines.machineIds)]
    const ids = await chosenOf(ctx.tx, sight, group, { ids: named })
    return ids.length === named.length ? ids : refuse('request.notFound')
  }
  const ids = await chosenOf(ctx.tx, sight, group, { filter: machines.filter })
  return ids.length === machines.count ? ids : refuse('group.changed', { count: ids.length })
}
