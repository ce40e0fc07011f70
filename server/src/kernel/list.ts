import { zInstant } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './context'
import { readCursor, writeCursor } from './cursor'

/** Counted exactly up to here; beyond, the total is null and shown as "10,000+". */
export const MOST_COUNTED = 10_000

type KeyType = 'text' | 'bigint' | 'timestamptz'

/** What a list is ordered by before the id; the expression is never null. */
export type Order = { by: RawBuilder<unknown>; type: KeyType; newestFirst?: boolean }

type Listed = {
  /** A `select` of the rows in sight with `id` and all else under its wire name. */
  rows: RawBuilder<unknown>
  /** The filter, in the columns of `rows`. */
  where: RawBuilder<unknown>
  order: Order
}

type Asked = { cursor?: string | undefined; pageSize: number }
export type Page<Row> = { items: Row[]; total: number | null; nextCursor: string | null }

/** A page of a list by key, with the total on the first one. @throws Refusal for a cursor that is not ours */
export async function listRows<Row extends { id: number }>(
  db: Reader,
  { rows, where, order }: Listed,
  { cursor, pageSize }: Asked,
): Promise<Page<Row>> {
  const after = readCursor(cursor, isKeyOf(order.type))
  const [than, direction] = order.newestFirst ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const type = sql.raw(order.type)
  const beyond = after ? sql`(${order.by}, id) ${than} (${after.key}::${type}, ${after.id}::bigint)` : sql`true`
  const found = await sql<Row & { sortKey: string | number }>`
    select seen.*, to_json(${order.by}) as "sortKey" from (${rows}) seen where ${where} and ${beyond}
    order by ${order.by} ${direction}, id ${direction} limit ${pageSize + 1}`.execute(db)
  const items = found.rows.slice(0, pageSize)
  const last = found.rows.length > pageSize ? items.at(-1) : undefined
  return {
    items,
    total: after ? null : await countOf(db, rows, where),
    nextCursor: last ? writeCursor({ key: last.sortKey, id: last.id }) : null,
  }
}

async function countOf(db: Reader, rows: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number | null> {
  const found = await sql<{ count: number }>`select count(*) as count from (
    select 1 from (${rows}) seen where ${where} ${upTo(MOST_COUNTED)}) counted`.execute(db)
  return within(found.rows[0], MOST_COUNTED)?.count ?? null
}

/** One more, to tell whether there are others. */
export const upTo = (most: number): RawBuilder<unknown> => (most === Infinity ? sql`` : sql`limit ${most + 1}`)
export const within = <T extends { count: number }>(row: T | undefined, most: number): T | null =>
  row && row.count <= most ? row : null

const isKeyOf =
  (type: KeyType) =>
  (value: unknown): value is { key: string | number; id: number } =>
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    'id' in value &&
    Number.isSafeInteger(value.id) &&
    fits(type, value.key)

function fits(type: KeyType, key: unknown): boolean {
  if (type === 'bigint') return Number.isSafeInteger(key)
  return typeof key === 'string' && (type === 'text' || zInstant.safeParse(key).success)
}

/** All of them, or everything where there are none. */
export const allOf = (parts: readonly (RawBuilder<unknown> | false | undefined | '' | 0)[]): RawBuilder<boolean> => {
  const asked = parts.filter((part) => typeof part === 'object')
  return asked.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(asked, sql` and `)}`
}

/** A text that holds what somebody typed, whatever its case. */
export const holds = (column: RawBuilder<unknown>, typed: string): RawBuilder<boolean> =>
  sql<boolean>`${column} ilike ${`%${typed.replace(/[\\%_]/g, '\\$&')}%`}`
