import { type RawBuilder, sql } from 'kysely'
import { readCursor, writeCursor } from '../../kernel/cursor'
import type { Page } from '../../kernel/list'

/** Which measure orders the rows, and where a page of them begins. */
export type Asked = { cursor?: string | undefined; pageSize: number; sort: string }

/** Where a page of rows in an order of numbers, and of ids among equals, goes on. */
export function pageFrom(
  cursor: string | undefined,
  order: RawBuilder<unknown>,
): { isFirst: boolean; beyond: RawBuilder<unknown> } {
  const after = readCursor(cursor, isKey)
  if (!after) return { isFirst: true, beyond: sql`true` }
  return { isFirst: false, beyond: sql`(${order}, id) > (${after.key}::bigint, ${after.id}::bigint)` }
}

const isKey = (value: unknown): value is { key: number; id: number } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  'id' in value &&
  Number.isSafeInteger(value.key) &&
  Number.isSafeInteger(value.id)

/** What one statement reads, so that page, total and sums are of the same rows; `items` are one more than a page. */
export type Summed<Row, Sums> = { items: (Row & { sortKey: number })[]; total: number; sums: Sums }

/** @param found the one row of that statement @param isFirst the total is told with the first page only */
export function summedPage<Row extends { id: number }, Sums>(
  [found]: readonly Summed<Row, Sums>[],
  pageSize: number,
  isFirst: boolean,
): Page<Row> & { sums: Sums } {
  if (!found) throw new Error('one row always answers')
  const items = found.items.slice(0, pageSize)
  const last = found.items.length > pageSize ? items.at(-1) : undefined
  return {
    items,
    total: isFirst ? found.total : null,
    nextCursor: last ? writeCursor({ key: last.sortKey, id: last.id }) : null,
    sums: found.sums,
  }
}
