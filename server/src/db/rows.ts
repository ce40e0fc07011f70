import { type RawBuilder, sql } from 'kysely'

type ColumnType =
  | 'bigint'
  | 'int'
  | 'smallint'
  | 'text'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'bytea'
  | 'uuid'
  | 'jsonb'
  | 'real'

/**
 * Rows handed to PostgreSQL as one array a column: `from ${rows('sale', sales, { orderNo: 'text' })}`. One statement
 * whatever the number of rows, and the same plan each time.
 * @param columns the keys to hand over, each with its type; they become snake_case columns of `alias`
 */
export function rows<T extends Record<string, unknown>>(
  alias: string,
  data: readonly T[],
  columns: { [K in keyof T & string]?: ColumnType },
): RawBuilder<unknown> {
  const names = Object.keys(columns)
  const arrays = names.map((name) => sql`${arrayText(data, name)}::${sql.raw(columns[name] ?? 'text')}[]`)
  const named = sql.raw(`${alias}(${names.map(snake).join(', ')})`)
  return sql`unnest(${sql.join(arrays)}) as ${named}`
}

/** Each of these values once, as rows of one column. */
export const valuesOf = (alias: string, column: string, type: ColumnType, values: readonly unknown[]) =>
  rows(
    alias,
    [...new Set(values)].map((value) => ({ [column]: value })),
    { [column]: type },
  )

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column as PostgreSQL writes arrays. The driver would do it too, at several times the cost an element. */
function arrayText(data: readonly Record<string, unknown>[], name: string): string {
  let text = ''
  for (const row of data) text += `,${element(row[name])}`
  return `{${text.slice(1)}}`
}

function element(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return 'NULL'
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  throw new TypeError(`no column holds ${typeof value}`)
}

const quoted = (text: string) => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
