import type pg from 'pg'
import { routesWith } from '../../../server/src/testing/stubs'
import { bindRoutes } from '../../../server/src/transport/http/bind'
import { createApp } from '../../../server/src/transport/http/app'
import { sessionReader } from '../../../server/src/transport/http/session'
import { admitKey } from '../../../server/src/features/events/public'
import { touchSession } from '../../../server/src/features/identity/public'
import { openPool } from '../../../server/src/db/pool'
import type { Route } from '../../../server/src/kernel/route'
import { servicesOn } from './sales'

export type Statement = { text: string; values: unknown[] }

/** Every statement that a call sends to the database, its session's among them, as the server sends it. */
export async function statementsOf(
  url: string,
  routes: readonly Route[],
  path: string,
  token: string,
): Promise<Statement[]> {
  const pool = openPool(url, 1, () => undefined)
  const seen: Statement[] = []
  pool.raw.on('connect', (client) => record(client, seen))
  const services = servicesOn(pool)
  const app = createApp(services.log)
  await bindRoutes(app, routesWith(...routes), {
    services,
    readSession: sessionReader(pool.raw, services.log, touchSession(pool.db)),
    readKey: (key) => admitKey(services, key),
    observe: () => undefined,
  })
  const answer = await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
  await app.close()
  await pool.close()
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return seen
}

function record(client: pg.PoolClient, seen: Statement[]): void {
  const query: (...call: unknown[]) => unknown = client.query.bind(client)
  const recording = (...call: unknown[]) => {
    const [said, values] = call
    if (typeof said === 'string') seen.push({ text: said, values: Array.isArray(values) ? values : [] })
    return query(...call)
  }
  client.query = recording as typeof client.query
}

/** The same statements as a script for pgbench, their values as its variables. */
export function pgbenchScript(statements: readonly Statement[]): { script: string; variables: Record<string, string> } {
  const variables: Record<string, string> = {}
  const script = statements.map(({ text, values }, i) => {
    values.forEach((value, at) => {
      variables[nameOf(i, at)] = textOf(value)
    })
    return `${text.replace(/\$(\d+)/g, (_, n: string) => `:${nameOf(i, Number(n) - 1)}`)};\n`
  })
  return { script: script.join(''), variables }
}

const nameOf = (statement: number, at: number) => `s${statement}v${at}`

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new TypeError(`pgbench is handed no ${typeof value}`)
}
