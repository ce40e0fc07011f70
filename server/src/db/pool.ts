import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { statement, type Trace } from './trace'
import { columnNames } from './names'
import { type Asking, prepareStatements } from './prepared'
import type { Tables } from './tables'

const INT8_ARRAY: number = 1016

// bigint and numeric come as text by default. Ids and fen stay below 2^53 (contract/kernel/money), so numbers are
// exact; a day is a day, not an instant in somebody's time zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// Arrays of bigint, such as the paths of trees; the driver's own list of types does not name them.
pg.types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** Longer than any transaction of a living process does nothing; locks of one that was stopped are free then. */
const STANDS_STILL_MS = 30_000

/**
 * In the planner's units. PostgreSQL takes 1,000 for the start of workers, which takes 10 to 30 ms, and four random
 * reads for a row that an index finds in memory: reports of 5 ms were answered in 40.
 */
const PARALLEL_SETUP_COST = 100_000

const SETTINGS = `set idle_in_transaction_session_timeout = ${STANDS_STILL_MS};
  set parallel_setup_cost = ${PARALLEL_SETUP_COST}`

export type Pool = { db: Kysely<Tables>; raw: pg.Pool; close: () => Promise<void> }

/** @param max connections of this process; the database allows 100 over all of them */
export function openPool(url: string, max: number, onError: (error: Error) => void, asking: Asking = {}): Pool {
  const raw = new pg.Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    verify: (client, done) => client.query(SETTINGS, done),
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  raw.on('error', onError)
  // The pool stops listening while a connection is lent out. A database that dies between two statements of a
  // transaction would then end the process instead of the transaction.
  raw.on('connect', (client) => {
    client.on('error', onError)
    prepareStatements(client, asking)
  })
  if (asking.trace) traceQuestions(raw, asking.trace)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: raw }), plugins: [columnNames()] })
  // Not `db.destroy()`: it leaves the pool open when nobody asked a query through it.
  return { db, raw, close: () => raw.end() }
}

/** What is asked of the pool itself comes to a connection out of whoever's work gave that back. */
function traceQuestions(raw: pg.Pool, trace: Trace): void {
  const ask = raw.query.bind(raw) as (...call: unknown[]) => Promise<unknown>
  const traced = (...call: unknown[]) => {
    const [text, values] = call
    const isPlain = typeof text === 'string' && call.length === 2 && Array.isArray(values)
    return isPlain ? trace(statement(text), () => ask(...call)) : ask(...call)
  }
  raw.query = traced as typeof raw.query
}
