import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { refusal } from '../../kernel/refuse'
import { hashToken } from '../../kernel/token'

/** Each part of the server that must be ready, by name; given by the composition root. */
export type ReadyChecks = Record<string, () => Promise<boolean> | boolean>

/** What `/metrics` tells, and the key that it is told to; without a key to nobody. */
export type WatchedFigures = { registry: Registry; key: string | undefined }

/** `GET /healthz`, `/readyz`: for anybody who watches this program, no secret told. `/metrics`: for who has the key. */
export function serveHealth(app: FastifyInstance, checks: ReadyChecks, { registry, key }: WatchedFigures): void {
  app.get('/healthz', () => ({ state: 'alive' }))
  app.get('/readyz', async (_, reply) => {
    const answers = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await isReady(check)] as const),
    )
    const isWhole = answers.every(([, ready]) => ready)
    return reply
      .code(isWhole ? 200 : 503)
      .send({ state: isWhole ? 'ready' : 'not ready', ...Object.fromEntries(answers) })
  })
  if (key === undefined) return
  const expected = hashToken(`Bearer ${key}`)
  app.get('/metrics', async (request, reply) => {
    // Hashes are of one length, and take the same time to compare wherever they differ.
    if (!timingSafeEqual(hashToken(request.headers.authorization ?? ''), expected)) throw refusal('request.notFound')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** A check that throws is an answer too: not ready. */
async function isReady(check: ReadyChecks[string]): Promise<boolean> {
  try {
    return await check()
  } catch {
    return false
  }
}

export type Metrics = {
  registry: Registry
  observe: (endpoint: string, status: number, ms: number) => void
  /** A figure of a feature, read when the figures are asked for. */
  addGauge: (name: string, help: string, read: () => Promise<number> | number) => void
}

/** @param pool connections of the database pool, read when the figures are asked for */
export function createMetrics(pool: { totalCount: number; idleCount: number; waitingCount: number }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'aisle_http_call_seconds',
    help: 'Time to answer a call, by endpoint and status class',
    labelNames: ['endpoint', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const connections = new Gauge({
    name: 'aisle_database_connections',
    help: 'Connections of this process to the database',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  const observe = (endpoint: string, status: number, ms: number) =>
    calls.observe({ endpoint, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
  const addGauge: Metrics['addGauge'] = (name, help, read) => {
    // What can't be read now takes no other figure along.
    const now = async () => read()
    const collect = async () => gauge.set(await now().catch(() => Number.NaN))
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect })
  }
  return { registry, observe, addGauge }
}
