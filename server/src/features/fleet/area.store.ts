import type { listAreas, listDistricts } from '@aisle/contract/fleet/area'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, listRows, type Page } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Areas = OutputOf<typeof listAreas>['items']

export async function listTree(db: Reader, sight: Sight): Promise<Areas> {
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
  return found.rows
}

type District = OutputOf<typeof listDistricts>['items'][number]

export function listAll(db: Reader, sight: Sight, filter: InputOf<typeof listDistricts>): Promise<Page<District>> {
  const rows = sql`select d.id, d.merchant_id as "merchantId", c.name as "merchantName", d.area_id as "areaId",
      a.name as "areaName", d.name
    from district d join area a on a.id = d.area_id join merchant c on c.id = d.merchant_id
    where ${merchantInSight(sight, sql`d.merchant_id`)}`
  const where = allOf([
    filter.q && sql`(${holds(sql`name`, filter.q)} or ${holds(sql`"areaName"`, filter.q)})`,
    filter.merchantId && sql`"merchantId" = ${filter.merchantId}`,
  ])
  return listRows<District>(db, { rows, where, order: { by: sql`"areaName" || name`, type: 'text' } }, filter)
}

export type Place = { id: number; merchantId: number; name: string; version: number }

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function lock(tx: Tx, sight: Sight, table: 'area' | 'district', id: number): Promise<Place | undefined> {
  const found = await sql<Place>`select id, merchant_id as "merchantId", name, version from ${sql.table(table)}
    where id = ${id} and ${merchantInSight(sight, sql`merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

/** Names of what is in it, whoever may see it. */
export async function contentsOf(tx: Tx, table: 'area' | 'district', id: number): Promise<string[]> {
  const below = table === 'area' ? sql`district where area_id = ${id}` : sql`point where district_id = ${id}`
  const found = await sql<{ name: string }>`select name from ${below} order by name limit 30`.execute(tx)
  return found.rows.map(({ name }) => name)
}
