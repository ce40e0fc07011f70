import { zInstant } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './context'
import { readCursor, writeCursor } from './cursor'

/** Counted exactly up to here; beyond, the total is null and shown as "10,000+". */
export const MOST_COUNTED = 10_000

type KeyType = 'text' | 'bigint' | 'timestamptz'

/** What a list is ordered by before the id; the expression is never null. */
export type Order = { by: RawBuilder<unknown>; type: KeyType; newestFirst?: boolean }

type Listed<Row> = {
  /** A `select` of the rows in sight with `id` and all else under its wire name; `db/checked` compares its row type. */
  rows: RawBuilder<Row>
  /** The filter, in the columns of `rows`. */
  where?: RawBuilder<unknown>
  order: Order
  /** What they come to, in the columns of `rows`. */
  sums?: RawBuilder<unknown>
  /** Counted and summed however many there are. */
  isCountedWhole?: boolean
}

export type Asked = { cursor?: string | undefined; pageSize: number }
export type Page<Row> = { items: Row[]; nextCursor: string | null }
export type Count<Sums = never> = { total: number | null; sums?: Sums }

/** A list as a filter leaves it, read when it is asked for: its rows, and beside them how many there are. */
export type Listing<Row, Sums = never> = {
  /** By key, so a page costs the same however deep. @throws Refusal for a cursor that is not ours */
  page: (db: Reader, asked: Asked) => Promise<Page<Row>>
  /** @param most beyond so many there is no total, and nothing is summed */
  count: (db: Reader, most: number) => Promise<Count<Sums>>
}

/** The list of the rows of a statement. */
export const listRows = <Row extends { id: number }, Sums = never>(listed: Listed<Row>): Listing<Row, Sums> => ({
  page: (db, asked) => pageOf(db, listed, asked),
  count: (db, most) => countOf(db, listed, most),
})

/** The same list, with more in its rows or less. */
export const mapRows = <Row, Sums, Shown>(
  { page, count }: Listing<Row, Sums>,
  shownOf: (rows: Row[], db: Reader) => Shown[] | Promise<Shown[]>,
): Listing<Shown, Sums> => ({
  count,
  page: async (db, asked) => {
    const { items, nextCursor } = await page(db, asked)
    return { items: await shownOf(items, db), nextCursor }
  },
})

async function pageOf<Row extends { id: number }>(
  db: Reader,
  { rows, where = all, order }: Listed<Row>,
  { cursor, pageSize }: Asked,
): Promise<Page<Row>> {
  const after = readCursor(cursor, isKeyOf(order.type))
  const [than, direction] = order.newestFirst ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const type = sql.raw(order.type)
  const beyond = after ? sql`(${order.by}, id) ${than} (${after.key}::${type}, ${after.id}::bigint)` : all
  const found = await sql<Row & { sortKey: string | number }>`
    select seen.*, to_json(${order.by}) as "sortKey" from (${rows}) seen where ${where} and ${beyond}
    order by ${order.by} ${direction}, id ${direction} limit ${sql.lit(pageSize + 1)}`.execute(db)
  const items = found.rows.slice(0, pageSize)
  const last = found.rows.length > pageSize ? items.at(-1) : undefined
  return { items, nextCursor: last ? writeCursor({ key: last.sortKey, id: last.id }) : null }
}

async function countOf<Sums>(db: Reader, listed: Listed<unknown>, most: number): Promise<Count<Sums>> {
  const { rows, where = all, sums, isCountedWhole } = listed
  const bound = isCountedWhole ? Infinity : most
  const [columns, figures] = sums ? [sql`*`, sql`, ${sums}`] : [sql`1`, sql``]
  const found = await sql<{ count: number } & Sums>`select count(*) as count ${figures}
    from (select ${columns} from (${rows}) seen where ${where} ${upTo(bound)}) counted`.execute(db)
  return countIn(found.rows[0], bound) as Count<Sums>
}

/** @param row of a count with sums beside it, over one row more than `most` at most */
export function countIn<Row extends { count: number }>(row: Row | undefined, most: number): Count<Omit<Row, 'count'>> {
  const { count, ...sums } = row ?? neverHere()
  if (count > most) return { total: null }
  return { total: count, ...(Object.keys(sums).length > 0 && { sums }) }
}

const neverHere = (): never => {
  throw new Error('a count without a row')
}

/** What each of these columns comes to, under its own name. */
export const summed = (...columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`))

/** One more, to tell whether there are others. */
export const upTo = (most: number): RawBuilder<unknown> => (most === Infinity ? sql`` : sql`limit ${sql.lit(most + 1)}`)
const all = sql`true`

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

/**
 * This one or any of these, by their names or as `asked` has it; in the text, so that the planner sees which partial
 * index it belongs to.
 */
export function isAnyOf<V extends string>(
  column: RawBuilder<unknown>,
  values: V | readonly V[],
  asked?: Partial<Record<V, RawBuilder<unknown>>>,
): RawBuilder<boolean>
export function isAnyOf<V extends string>(
  column: RawBuilder<unknown>,
  values: V | readonly V[] | undefined,
  asked?: Partial<Record<V, RawBuilder<unknown>>>,
): RawBuilder<boolean> | undefined
export function isAnyOf<V extends string>(
  column: RawBuilder<unknown>,
  values: V | readonly V[] | undefined,
  asked: Partial<Record<V, RawBuilder<unknown>>> = {},
): RawBuilder<boolean> | undefined {
  if (values === undefined) return undefined
  const all = typeof values === 'string' ? [values] : values
  const plain = all.filter((value) => !asked[value])
  const parts = all.flatMap((value) => asked[value] ?? [])
  if (plain.length > 0) parts.unshift(sql`${column} in (${sql.join(plain.map((value) => sql.lit(value)))})`)
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}

/** A text that holds what somebody typed, whatever its case. */
export const holds = (column: RawBuilder<unknown>, typed: string): RawBuilder<boolean> =>
  sql<boolean>`${column} ilike ${`%${typed.replace(/[\\%_]/g, '\\$&')}%`}`

/** The same of one of some columns, where a table is small enough to be looked through. */
export const anyHolds = (columns: readonly RawBuilder<unknown>[], typed: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    columns.map((column) => holds(column, typed)),
    sql` or `,
  )})`
