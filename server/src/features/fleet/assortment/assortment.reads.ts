import type { getAssortment, listAssortments, listPlaceable } from '@aisle/contract/fleet/assortment'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../../kernel/scope'
import { holding } from './assortment.store'

type Filter = InputOf<typeof listAssortments>
type Row = OutputOf<typeof listAssortments>['items'][number]
type Detail = OutputOf<typeof getAssortment>

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select a.id, a.merchant_id as "merchantId", c.name as "merchantName", a.name, a.remark, a.state,
    (select count(*)::int from assortment_product p where p.assortment_id = a.id) as "productCount",
    (select count(*)::int from assortment_slot s where s.assortment_id = a.id) as "slotCount",
    (select count(*)::int from assortment_group g where g.assortment_id = a.id) as "groupCount",
    coalesce(m.count, 0)::int as "machineCount"
  from assortment a join merchant c on c.id = a.merchant_id
  left join (select h.assortment_id, count(*) as count from (${holding}) h
    where ${machineInSight(sight, sql`h.machine_id`)} group by h.assortment_id) m on m.assortment_id = a.id
  where ${merchantInSight(sight, sql`a.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listAssortmentsIn(sight: Sight, filter: Filter): Listing<Row> {
  const { assortment: typed, state, merchantId, sort } = filter
  const where = allOf([
    typed && sql`(${holds(sql`name`, typed)} or ${holds(sql`remark`, typed)})`,
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows({ rows: rowsInSight(sight), where, order: orders[sort] })
}

const STRAYS = 100

export async function findAssortmentDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Row & { version: number; slots: Detail['slots'] }>`
    select seen.*, a.version,
      coalesce((select json_agg(json_build_object('code', s.slot_code, 'productId', s.product_id)
      order by s.slot_code) from assortment_slot s where s.assortment_id = a.id), '[]') as slots
    from (${rowsInSight(sight)}) seen join assortment a on a.id = seen.id where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  return {
    ...row,
    products: await productsIn(db, id),
    groups: await groupsOf(db, sight, id),
    machines: await machinesOf(db, sight, id),
    ...(await straysOf(db, sight, id)),
  }
}

async function productsIn(db: Reader, id: number): Promise<Detail['products']> {
  const found = await sql<Detail['products'][number]>`select p.id, p.code, p.name, p.specification
    from assortment_product a join product p on p.id = a.product_id where a.assortment_id = ${id}
    order by p.name, p.id`.execute(db)
  return found.rows
}

async function groupsOf(db: Reader, sight: Sight, id: number): Promise<Detail['groups']> {
  const found = await sql<Detail['groups'][number]>`select g.id, g.name, (select count(*)::int
      from machine_group_member b where b.group_id = g.id and ${machineInSight(sight, sql`b.machine_id`)})
      as "machineCount"
    from assortment_group a join machine_group g on g.id = a.group_id
    where a.assortment_id = ${id} and ${merchantInSight(sight, sql`g.merchant_id`)} order by g.name`.execute(db)
  return found.rows
}

async function machinesOf(db: Reader, sight: Sight, id: number): Promise<Detail['machines']> {
  const found = await sql<Detail['machines'][number]>`select m.id, m.code, m.name
    from assortment_machine a join machine m on m.id = a.machine_id
    where a.assortment_id = ${id} and ${machineInSight(sight, sql`m.id`)} order by m.code limit 500`.execute(db)
  return found.rows
}

/** What stands in its machines and none of a machine's assortments holds. */
async function straysOf(db: Reader, sight: Sight, id: number): Promise<Pick<Detail, 'strays' | 'strayCount'>> {
  const found = await sql<Detail['strays'][number] & { all: number }>`
    select m.code as "machineCode", s.code as "slotCode", p.name as "productName", (count(*) over ())::int as "all"
    from (${holding}) h join machine m on m.id = h.machine_id join slot s on s.machine_id = m.id
    join product p on p.id = s.product_id
    where h.assortment_id = ${id} and ${machineInSight(sight, sql`m.id`)}
      and exists (select 1 from assortment a join assortment_product own on own.assortment_id = a.id
        where a.id = ${id} and a.state = 'active')
      and not exists (select 1 from (${holding}) other
        join assortment a on a.id = other.assortment_id and a.state = 'active'
        join assortment_product allowed on allowed.assortment_id = a.id and allowed.product_id = s.product_id
        where other.machine_id = m.id)
    order by m.code, s.layer, s.position limit ${sql.lit(STRAYS)}`.execute(db)
  const strays = found.rows.map(({ all: _, ...stray }) => stray)
  return { strays, strayCount: found.rows[0]?.all ?? 0 }
}

/** Products `p` of merchants in sight, and of those above, whose products theirs may sell too. */
export const offered = (sight: Sight): RawBuilder<boolean> =>
  sight.kind === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${merchantInSight(sight, sql`p.merchant_id`)}
        or p.merchant_id in (select unnest(path) from merchant where id = ${sight.merchantId}))`

type Placeable = OutputOf<typeof listPlaceable>['items'][number]

export function placeable(sight: Sight, filter: InputOf<typeof listPlaceable>): Listing<Placeable> {
  const rows = sql<Placeable>`select p.id, p.code, p.name, p.specification, p.merchant_id from product p
    where p.state = 'online' and ${offered(sight)}`
  const where = allOf([
    filter.q && sql`(${holds(sql`name`, filter.q)} or ${holds(sql`code`, filter.q)})`,
    filter.merchantId && sql`merchant_id in (select unnest(path) from merchant where id = ${filter.merchantId})`,
  ])
  return listRows({ rows, where, order: { by: sql`name`, type: 'text' } })
}

export type AssortmentRow = {
  id: number
  merchantId: number
  name: string
  remark: string
  state: 'active' | 'stopped'
  version: number
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<AssortmentRow | undefined> {
  const found =
    await sql<AssortmentRow>`select a.id, a.merchant_id as "merchantId", a.name, a.remark, a.state, a.version
    from assortment a where a.id = ${id} and ${merchantInSight(sight, sql`a.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

/** Names of groups and machines for which it holds, whoever may see them. */
export async function usesOf(tx: Tx, id: number): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select g.name from assortment_group a join machine_group g on g.id = a.group_id where a.assortment_id = ${id}
    union all
    select m.code from assortment_machine a join machine m on m.id = a.machine_id where a.assortment_id = ${id}
    order by 1 limit 30`.execute(tx)
  return found.rows.map(({ name }) => name)
}
