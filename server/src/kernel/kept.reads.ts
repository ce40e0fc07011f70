import type { Entity } from '@aisle/contract/kernel/entity'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../db/names'
import type { Reader } from './context'
import { allOf, holds, listRows, type Order, type Page } from './list'
import { merchantInSight, type Sight, subtreeOf } from './scope'

export type Facts = Record<string, unknown>
export type Filter = { cursor?: string | undefined; pageSize: number; sort: string } & Facts

/** How a list of the things is read: the part of `Kept` that holds no types of its table. */
export type Reading = {
  table: string
  facts: (sight: Sight) => Record<string, RawBuilder<unknown>>
  search: readonly string[]
  where?: Record<string, ((value: never) => RawBuilder<unknown>) | undefined>
  orders?: Record<string, Order | undefined>
}

/** Its columns, in the order of the shape; what is kept in other tables is left out. */
export const columnsOf = ({ editable, parts = [] }: Entity): string[] =>
  Object.keys(editable).filter((name) => !parts.includes(name))

export const inSight = ({ owner }: Entity, table: string, sight: Sight): RawBuilder<boolean> =>
  owner === 'merchant' ? merchantInSight(sight, sql.ref(`${columnOf(table)}.merchant_id`)) : sql<boolean>`true`

/** All that a list or the single thing shows, and its version. */
function rowsOf(entity: Entity, { table, facts }: Reading, sight: Sight): RawBuilder<unknown> {
  const at = (name: string) => sql`${sql.ref(`${columnOf(table)}.${columnOf(name)}`)} as ${sql.ref(name)}`
  const own = ['id', 'version', ...columnsOf(entity), ...(entity.states ? ['state'] : [])].map(at)
  const owned = [at('merchantId'), sql`owner.name as "merchantName"`]
  const worked = Object.entries(facts(sight)).map(([name, value]) => sql`${value} as ${sql.ref(name)}`)
  const isOwned = entity.owner === 'merchant'
  return sql`select ${sql.join([...own, ...(isOwned ? owned : []), ...worked])} from ${sql.table(columnOf(table))}
    ${isOwned ? sql`join merchant owner on owner.id = ${sql.ref(`${columnOf(table)}.merchant_id`)}` : sql``}
    where ${inSight(entity, table, sight)}`
}

export async function findOne(db: Reader, entity: Entity, reading: Reading, sight: Sight, id: number) {
  const found = await sql<Facts>`select * from (${rowsOf(entity, reading, sight)}) seen where id = ${id}`.execute(db)
  return found.rows[0]
}

export const findPage = (
  db: Reader,
  entity: Entity,
  reading: Reading,
  sight: Sight,
  filter: Filter,
): Promise<Page<{ id: number }>> =>
  listRows(
    db,
    {
      rows: rowsOf(entity, reading, sight),
      where: allOf(
        Object.entries(filter).map(
          ([name, value]) => value !== undefined && name in entity.filters && conditionOf(entity, reading, name, value),
        ),
      ),
      order: reading.orders?.[filter.sort] ?? orderBy(entity, filter.sort),
    },
    filter,
  )

/** A filter's own condition, else what its name says: a merchant with all below it, a column; else it is the search. */
function conditionOf(entity: Entity, { search, where }: Reading, name: string, value: unknown): RawBuilder<unknown> {
  const own = where?.[name]
  if (own) return own(value as never)
  if (name === 'merchantId') return sql`"merchantId" in (${subtreeOf(Number(value))})`
  const column = name === 'state' || columnsOf(entity).includes(name) ? entity.item.shape[name] : undefined
  if (column && !(column instanceof z.ZodString)) return sql`${sql.ref(name)} = ${value}`
  const looked = column ? [name] : search
  return sql`(${sql.join(
    looked.map((each) => holds(sql.ref(each), String(value))),
    sql` or `,
  )})`
}

/** Grades and kinds stand in the order in which they are declared. */
function orderBy(entity: Entity, name: string): Order {
  const column = entity.item.shape[name]
  if (column === undefined) throw new Error(`${entity.kind}: no order ${name}`)
  if (column instanceof z.ZodEnum)
    return { by: sql`array_position(${column.options}::text[], ${sql.ref(name)})`, type: 'bigint' }
  return { by: sql.ref(name), type: column instanceof z.ZodNumber ? 'bigint' : 'text' }
}
