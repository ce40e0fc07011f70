import { createHash } from 'node:crypto'
import type pg from 'pg'
import { statement, type Trace } from './trace'

/** More than the flows of money take (128 are too few); bounded, since a list over all months takes 0.5 MB. */
const MOST_PREPARED = 256

/** Not `begin`, not `copy`, not several statements in one text. */
const PREPARABLE = /^\s*(?:\/\*.*?\*\/\s*)*(?:select|with|insert|update|delete|values)\b[^;]*$/is

type Ask = (...call: unknown[]) => unknown
type Done = (cause: unknown, result?: unknown) => void
type Wire = pg.Connection & { parsedStatements: Record<string, string> }

export type Asking = {
  /** How many statements a connection keeps prepared. */
  most?: number | undefined
  /** Whether it keeps any; a pooler may hand each transaction another connection, which does not know them. */
  isPrepared?: boolean | undefined
  trace?: Trace | undefined
}

/**
 * Whatever this connection is asked a second time it prepares, under a name that follows from the text: planning was
 * most of what a list cost. The least recently asked are given up for new ones.
 */
export function prepareStatements(
  client: pg.ClientBase,
  { most = MOST_PREPARED, isPrepared = true, trace }: Asking = {},
): void {
  const query: Ask = client.query.bind(client)
  const names = new Map<string, string | undefined>()

  const close = (closed: readonly string[], done: () => void) => {
    if (closed.length === 0) return done()
    query(closing(closed, done))
  }
  const nameFor = (text: string): string | undefined => {
    if (!isPrepared) return undefined
    const isKnown = names.has(text)
    if (!isKnown && !PREPARABLE.test(text)) return undefined
    const name = isKnown ? (names.get(text) ?? nameOf(text)) : undefined
    names.delete(text)
    names.set(text, name)
    const [eldest] = names.size > most ? names : []
    if (eldest) {
      names.delete(eldest[0])
      close(eldest[1] ? [eldest[1]] : [], () => undefined)
    }
    return name
  }
  const ask = (text: string, values: unknown[], done: Done) => {
    query({ name: nameFor(text), text, values }, (cause: unknown, result: unknown) => {
      if (!isStale(cause)) return done(cause, result)
      // A transaction is lost with the statement; outside of one nothing has happened yet.
      const isAlone = client.getTransactionStatus() === 'I'
      const stale = [...names.values()].filter((name) => name !== undefined)
      names.clear()
      close(stale, () => (isAlone ? ask(text, values, done) : done(cause)))
    })
  }
  const prepared: Ask = (...call) => {
    const [text, values, done] = call
    if (typeof text !== 'string' || !Array.isArray(values)) return query(...call)
    if (typeof done === 'function') return ask(text, values, done as Done)
    const asked = () => answered((answer) => ask(text, values, answer))
    return trace ? trace(statement(text), asked) : asked()
  }
  client.query = prepared as typeof client.query
}

/** Readable in `pg_prepared_statements`: how the text begins, and what tells it from others that begin so. */
const nameOf = (text: string): string =>
  `${text
    .replace(/[^!-~]+/g, ' ')
    .trim()
    .slice(0, 45)} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`

/** A migration beside a running process changed the columns of a statement that is prepared. */
const isStale = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.startsWith('cached plan must not change result type')

/** `close` of the protocol and not `deallocate`, which a transaction that failed would refuse. */
function closing(names: readonly string[], done: () => void) {
  const submit = (wire: Wire) => {
    for (const name of names) {
      delete wire.parsedStatements[name]
      wire.close({ type: 'S', name }, true)
    }
    wire.sync()
  }
  // A connection that ends meanwhile says so to whoever asks it next.
  return { submit, handleReadyForQuery: done, handleError: done }
}

/**
 * As the driver's own promise, but for how long an answer lives: each of its promises keeps the one before, so that no
 * answer was forgotten before a major collection, and a report of a million rows took 110 MB more.
 */
function answered(asked: (done: Done) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    asked((cause, result) => (cause ? reject(cause) : resolve(result)))
  })
}
