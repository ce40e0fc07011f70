import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../db/testing'
import { type Running, run } from './main'

const KEY = 'a key for the figures'
const deploy = join(import.meta.dirname, '../../../deploy')

let database: Awaited<ReturnType<typeof freshDatabase>>
let dataDir: string
let server: Running

beforeAll(async () => {
  database = await freshDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'aisle-watched-'))
  const own = { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', MQTT_PORT: await freePort() }
  server = await run({ ...own, LOG_LEVEL: 'silent', METRICS_KEY: KEY }, () => undefined)
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

async function freePort(): Promise<string> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  return String(typeof address === 'object' && address ? address.port : 0)
}

/** Names of figures as they are read, and of what tells their lines apart. */
async function told(): Promise<{ figures: Map<string, number>; labels: Set<string> }> {
  await fetch(`${server.url}/api/machines`)
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const figures = lines.map((line) => [/^\w+/.exec(line)?.[0] ?? '', Number(line.split(' ').at(-1))] as const)
  const labels = lines.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map((found) => found[1] ?? ''))
  return { figures: new Map(figures), labels: new Set(labels) }
}

/** What Prometheus knows by itself of whatever it asks. */
const itsOwn = { figures: ['up'], labels: ['job', 'instance'] }
const WORDS = /^(by|without|on|ignoring|group_left|group_right|and|or|unless|bool|offset)$/

/** Names in an expression that are neither functions nor words of the language; and its labels. */
function namesIn(expression: string): { figures: string[]; labels: string[] } {
  const grouped = [...expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)]
  const matched = [...expression.matchAll(/[{,]\s*(\w+)\s*[=!]/g)]
  const labels = [...grouped.flatMap((found) => (found[1] ?? '').split(/[\s,]+/)), ...matched.map(([, name]) => name)]
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ').replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
  const figures = [...bare.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])/g)].map(([, name]) => name ?? '')
  return { figures: figures.filter((name) => !WORDS.test(name)), labels: labels.filter((name) => name !== undefined) }
}

type Rules = { groups: { rules: { alert: string; expr: string; annotations: { action: string } }[] }[] }
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

const filesIn = (folder: string, ending: string) =>
  readdirSync(join(deploy, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(deploy, folder, name), 'utf8'))

const alarms = () =>
  filesIn('prometheus', '.rules.yml').flatMap((text) => (parse(text) as Rules).groups.flatMap(({ rules }) => rules))

const drawn = () =>
  filesIn('grafana', '.json').flatMap((text) =>
    (JSON.parse(text) as Dashboard).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  )

test('names are found in an expression, and functions and labels told apart from them', () => {
  const asked = 'histogram_quantile(0.95, sum by (le) (rate(a_bucket{x="b",y!="c"}[5m]))) / b:c > 1.5e9 and up == 0'
  expect(namesIn(asked)).toEqual({ figures: ['a_bucket', 'b:c', 'up'], labels: ['le', 'x', 'y'] })
})

test('every figure that an alarm or the dashboard names is told by a server that runs', async () => {
  const { figures, labels } = await told()
  const expressions = [...alarms().map(({ expr }) => expr), ...drawn()]
  expect(expressions.length).toBeGreaterThan(20)
  const named = expressions.map(namesIn)
  const known = { figures: [...figures.keys(), ...itsOwn.figures], labels: [...labels, ...itsOwn.labels] }
  expect(known.figures).toEqual(expect.arrayContaining(named.flatMap((names) => names.figures)))
  expect(known.labels).toEqual(expect.arrayContaining(named.flatMap((names) => names.labels)))
  for (const names of named) expect(names.figures.length).toBeGreaterThan(0)
})

test('every alarm says what to do, and every figure of our own is watched or drawn', async () => {
  expect(alarms().filter(({ annotations }) => !annotations.action)).toEqual([])
  const used = new Set([...alarms().map(({ expr }) => expr), ...drawn()].flatMap((text) => namesIn(text).figures))
  const own = [...(await told()).figures.keys()].filter((name) => name.startsWith('aisle_'))
  expect(own.filter((name) => !used.has(name))).toEqual([])
})

test('what the database is asked for has an answer', async () => {
  await expect
    .poll(async () => Object.fromEntries((await told()).figures))
    .toMatchObject({
      aisle_machines: 0,
      aisle_machines_online: 0,
      aisle_jobs_given_up: 0,
      aisle_jobs_late_seconds: expect.closeTo(0, -3),
    })
})
