import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnNames } from './names'
import { ROWS_MARK } from './rows'
import type { Tables } from './tables'

const INT8_ARRAY: number = 1016

// bigint and numeric come as text by default. Ids and fen stay below 2^53 (contract/kernel/money), so numbers are
// exact; a day is a day, not an instant in somebody's time zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// Arrays of bigint, such as the paths of trees; the driver's own list of types does not name them.
pg.types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export type Pool = { db: Kysely<Tables>; raw: pg.Pool; close: () => Promise<void> }

/**
 * @param max connections of this process; the database allows 100 over all of them
 * @param prepares which statements are planned by name, once a connection
 */
export function openPool(url: string, max: number, onError: (error: Error) => void, prepares = isOverRows): Pool {
  const raw = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 5_000 })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  raw.on('error', onError)
  // The pool stops listening while a connection is lent out. A database that dies between two statements of a
  // transaction would then end the process instead of the transaction.
  raw.on('connect', (client) => {
    client.on('error', onError)
    prepare(client, prepares)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: raw }), plugins: [columnNames()] })
  // Not `db.destroy()`: it leaves the pool open when nobody asked a query through it.
  return { db, raw, close: () => raw.end() }
}

/** More than there are in the code; a text that is put together anew each time must not fill a connection's memory. */
const MOST_PREPARED = 1_000

/**
 * Statements over rows are prepared by name, once a connection: planning them anew was half of what a single sale cost
 * the database. Others aren't: which plan is best for a list depends on what it is filtered by.
 */
const isOverRows = (text: string): boolean => text.includes(ROWS_MARK)

function prepare(client: pg.PoolClient, prepares: (text: string) => boolean): void {
  const query: (...call: unknown[]) => unknown = client.query.bind(client)
  const names = new Map<string, string>()
  const prepared = (...call: unknown[]) => {
    const [text, values, ...more] = call
    if (typeof text !== 'string' || !Array.isArray(values)) return query(...call)
    if (!names.has(text) && names.size < MOST_PREPARED && prepares(text)) names.set(text, `statement ${names.size}`)
    const named = { name: names.get(text), text, values }
    return more.length > 0 ? query(named, ...more) : answered(query, named)
  }
  client.query = prepared as typeof client.query
}

/**
 * As the driver's own promise, but for how long an answer lives: each of its promises keeps the one before, so that no
 * answer was forgotten before a major collection, and a report of a million rows took 110 MB more.
 */
function answered(query: (...call: unknown[]) => unknown, asked: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    query(asked, (cause: Error | null, result: unknown) => (cause ? reject(cause) : resolve(result)))
  })
}
