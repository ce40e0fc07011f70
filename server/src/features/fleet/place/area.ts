import * as contract from '@aisle/contract/fleet/area'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { refusal } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'

const areas = kept(contract.area, {
  table: 'area',
  facts: () => ({}),
  search: ['name'],
  uses: (id) => sql`select name from district where area_id = ${id} order by name`,
})

const districts = kept(contract.district, {
  table: 'district',
  joins: () => sql`join area on area.id = district.area_id`,
  facts: () => ({ areaId: sql`district.area_id`, areaName: sql`area.name` }),
  search: ['name', 'areaName'],
  /** A district is of one merchant's own map: those below have theirs. */
  where: { merchantId: (id) => sql`"merchantId" = ${id}` },
  orders: { name: { by: sql`"areaName" || name`, type: 'text' } },
  uses: (id) => sql`select name from point where district_id = ${id} order by name`,
})

export const routes: Route[] = [
  query(contract.listAreas, listTree),
  ...listOf(contract.listDistricts, districts.list),
  command(contract.addArea, areas.add),
  command(contract.addDistrict, addDistrict),
  command(contract.renameArea, areas.edit),
  command(contract.renameDistrict, districts.edit),
  command(contract.removeArea, areas.remove),
  command(contract.removeDistrict, districts.remove),
]

type Areas = OutputOf<typeof contract.listAreas>['items']

async function listTree({ db, actor }: QueryContext): Promise<{ items: Areas }> {
  const sight = sightOf(actor)
  const found = await sql<Areas[number]>`
    with counted as (
      select p.district_id, count(distinct p.id) as points, count(m.id) as machines
      from point p left join machine m on m.point_id = p.id and m.retired_at is null
        and ${machineInSight(sight, sql`m.id`)}
      where p.district_id is not null and ${merchantInSight(sight, sql`p.merchant_id`)} group by p.district_id)
    select a.id, a.merchant_id as "merchantId", c.name as "merchantName", a.name, a.version,
      coalesce((select json_agg(json_build_object('id', d.id, 'name', d.name, 'version', d.version,
          'pointCount', coalesce(n.points, 0), 'machineCount', coalesce(n.machines, 0)) order by d.name, d.id)
        from district d left join counted n on n.district_id = d.id where d.area_id = a.id), '[]') as districts
    from area a join merchant c on c.id = a.merchant_id
    where ${merchantInSight(sight, sql`a.merchant_id`)} order by c.name, c.id, a.name limit 1000`.execute(db)
  return { items: found.rows }
}

async function addDistrict(ctx: CommandContext, input: InputOf<typeof contract.addDistrict>): Promise<{ id: number }> {
  const { id: areaId, name } = input
  const { merchantId, name: area } = await areas.load(ctx, areaId)
  const made = ctx.tx
    .insertInto('district')
    .values({ merchantId, areaId, name, createdAt: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await refusedBy('district_area_id_name_key', made, () => refusal('district.nameTaken', { name }))
  await districts.audit(ctx, { id, merchantId }, null, { area, name })
  return { id }
}
