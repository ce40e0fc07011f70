import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../db/testing'
import { run } from './main'

type Value = { stringValue?: string; intValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Value }[]
}
type Told = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

let database: Awaited<ReturnType<typeof freshDatabase>>
let dataDir: string
let collector: Server
let address: string
const spans: Span[] = []

/** What an OpenTelemetry collector is to us: OTLP over HTTP. */
beforeAll(async () => {
  database = await freshDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'aisle-traces-'))
  collector = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.url === '/v1/traces') {
        const told = JSON.parse(Buffer.concat(pieces).toString()) as Told
        spans.push(...told.resourceSpans.flatMap((of) => of.scopeSpans.flatMap((scope) => scope.spans)))
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  const at = collector.address()
  address = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
})
afterAll(async () => {
  collector.closeAllConnections()
  await new Promise((done) => collector.close(done))
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

const start = (more: Record<string, string>) =>
  run({ DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', ROLE: 'api', LOG_LEVEL: 'silent', ...more }, () => {
    return undefined
  })

const factsOf = ({ attributes }: Span) => Object.fromEntries(attributes.map(({ key, value }) => [key, value]))

test('a server without a collector tells nobody, and has not even loaded what would', async () => {
  const { url, stop } = await start({})
  await fetch(`${url}/api/machines`)
  await stop()
  expect(spans).toEqual([])
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  // The figures' own package brings the names of OpenTelemetry along, and nothing that does something.
  expect(loaded.filter((path) => /@opentelemetry\/(?!api\/)/.test(path))).toEqual([])
  expect(loaded.some((path) => path.includes('prom-client'))).toBe(true)
})

test('a collector hears of a call, of the statements in it, and whose part it is', async () => {
  const { url, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/` })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const authorization = `Bearer ${'x'.repeat(40)}`
  const answer = await fetch(`${url}/api/machines?q=secret`, { headers: { traceparent, authorization } })
  const { traceId } = (await answer.json()) as { traceId: string }
  // What is left is told before it ends.
  await stop()
  const call = spans.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === '/api/machines'))
  expect(call).toMatchObject({ traceId: traceparent.split('-')[1], parentSpanId: traceparent.split('-')[2], kind: 2 })
  expect(factsOf(call as Span)).toMatchObject({
    'http.request.method': { stringValue: 'GET' },
    'http.response.status_code': { intValue: answer.status },
    'aisle.trace_id': { stringValue: traceId },
  })
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId)
  expect(statements.map(factsOf)).toContainEqual(
    expect.objectContaining({ 'db.query.text': { stringValue: expect.stringContaining('token_hash') } }),
  )
  expect(JSON.stringify(spans)).not.toMatch(/secret|xxxx/)
})

test('an address of a collector that is none is refused', async () => {
  await expect(start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).rejects.toThrow('OTEL_EXPORTER_OTLP_ENDPOINT')
})
