import type { Entity } from '@aisle/contract/kernel/entity'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../db/names'
import type { QueryContext } from './context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from './list'
import { existing } from './refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from './scope'

export type Facts = Record<string, unknown>
export type Filter = { sort: string } & Facts

/** How the things are read: the part of `Kept` that holds no types of its table. */
type Reading = {
  entity: Entity
  table: string
  joins?: (sight: Sight, now: Date) => RawBuilder<unknown>
  among?: RawBuilder<boolean>
  facts: (sight: Sight, now: Date, language: Language) => Record<string, RawBuilder<unknown>>
  shown?: Record<string, RawBuilder<unknown>>
  search: readonly string[]
  where?: Record<string, ((value: never) => RawBuilder<unknown>) | undefined>
  orders?: Record<string, Order | undefined>
}

/** What is typed and stands in a column of its name. */
export const columnsOf = ({ entity: { fixed, editable }, shown = {} }: Pick<Reading, 'entity' | 'shown'>): string[] =>
  Object.keys({ ...fixed, ...editable }).filter((name) => !(name in shown))

export const inSight = ({ entity: { owner }, table, among }: Reading, sight: Sight): RawBuilder<boolean> =>
  allOf([owner === 'merchant' && merchantInSight(sight, sql.ref(`${columnOf(table)}.merchant_id`)), among])

/** All that a list shows, or also what only the single thing does. */
function rowsOf(reading: Reading, ctx: QueryContext, isWhole: boolean): RawBuilder<Facts & { id: number }> {
  const { entity, table, joins, facts, shown } = reading
  const [sight, now] = [sightOf(ctx.actor), ctx.now()]
  const isOwned = entity.owner === 'merchant'
  const left = isWhole ? [] : (entity.details ?? [])
  const own = ['id', 'version', ...(isOwned ? ['merchantId'] : []), ...columnsOf(reading)]
  const at = (name: string) => sql.ref(`${columnOf(table)}.${columnOf(name)}`)
  const all = {
    ...Object.fromEntries([...own, ...(entity.states ? ['state'] : [])].map((name) => [name, at(name)])),
    ...(isOwned && { merchantName: sql`owner.name` }),
    ...shown,
    ...facts(sight, now, ctx.language),
  }
  const seen = Object.entries(all).filter(([name]) => !left.includes(name))
  return sql`select ${sql.join(seen.map(([name, value]) => sql`${value} as ${sql.ref(name)}`))}
    from ${sql.table(columnOf(table))} ${isOwned ? sql`join merchant owner on owner.id = ${at('merchantId')}` : sql``}
    ${joins?.(sight, now) ?? sql``} where ${inSight(reading, sight)}`
}

/** @throws Refusal request.notFound, also for what is out of sight */
export async function findOne(ctx: QueryContext, reading: Reading, id: number): Promise<Facts> {
  const rows = rowsOf(reading, ctx, true)
  const found = await sql<Facts>`select * from (${rows}) seen where id = ${id}`.execute(ctx.db)
  return existing(found.rows[0])
}

export const listingOf = (ctx: QueryContext, reading: Reading, filter: Filter): Listing<{ id: number }> =>
  listRows({
    rows: rowsOf(reading, ctx, false),
    where: allOf(
      Object.entries(filter).map(
        ([name, value]) => value !== undefined && name in reading.entity.filters && conditionOf(reading, name, value),
      ),
    ),
    order: reading.orders?.[filter.sort] ?? orderBy(reading.entity, filter.sort),
  })

/** A filter's own condition, else what its name says: a merchant with all below it, a column; else it is the search. */
function conditionOf({ entity, search, where }: Reading, name: string, value: unknown): RawBuilder<unknown> {
  const own = where?.[name]
  if (own) return own(value as never)
  if (name === 'merchantId') return sql`"merchantId" in (${subtreeOf(Number(value))})`
  const column = entity.item.shape[name]
  if (Array.isArray(value)) return isAnyOf(sql.ref(name), value as string[])
  if (column instanceof z.ZodEnum) return isAnyOf(sql.ref(name), String(value))
  if (column && !(column instanceof z.ZodString)) return sql`${sql.ref(name)} = ${value}`
  const looked = column ? [name] : search
  return sql`(${sql.join(
    looked.map((each) => holds(sql.ref(each), String(value))),
    sql` or `,
  )})`
}

/** Grades and kinds stand in the order in which they are declared. */
function orderBy(entity: Entity, name: string): Order {
  if (name === 'newest') return { by: sql`id`, type: 'bigint', newestFirst: true }
  const column = entity.item.shape[name]
  if (column === undefined) throw new Error(`${entity.kind}: no order ${name}`)
  if (column instanceof z.ZodEnum)
    return { by: sql`array_position(${column.options}::text[], ${sql.ref(name)})`, type: 'bigint' }
  return { by: sql.ref(name), type: column instanceof z.ZodNumber ? 'bigint' : 'text' }
}
