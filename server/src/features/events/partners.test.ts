import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { eventKinds } from '@aisle/contract/events/kinds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '../../kernel/seal'
import { addMachine, addMerchant, addOrder, addProduct } from '../../testing/builders'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { serveRaw } from '../../transport/http/raw'
import { numberNoted } from './log.store'
import { rawRoutes } from './open.routes'
import { addFeed, FEED_SECRET } from './testing.feed'
import { openLanes } from './webhook.lanes'
import { SECRET_PREFIX } from './webhook.rules'

const page = readFileSync(fileURLToPath(new URL('../../../../docs/PARTNERS.md', import.meta.url)), 'utf8')
const programs = new Map(
  [...page.matchAll(/```js\n(\/\/ node (\w+\.mjs)[\s\S]*?)```/g)].map(([, text = '', name = '']) => [name, text]),
)
const run = promisify(execFile)

let world: World
let http: HttpWorld
let folder: string
let base: string
let feed: number
let order: () => Promise<unknown>

beforeAll(async () => {
  // The programs sign with the clock of this machine.
  world = await openWorld(new Date())
  http = await openHttp(world, routesWith(), (app) => serveRaw(app, rawRoutes, world.services))
  base = await http.app.listen({ host: '127.0.0.1', port: 0 })
  folder = mkdtempSync(join(tmpdir(), 'aisle-partners-'))
  for (const [name, text] of programs) writeFileSync(join(folder, name), text)
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  feed = await addFeed(world, { merchantId })
  order = () => addOrder(db, machine, world.services.clock.now())
})
afterAll(async () => {
  await http.close()
  await world.close()
  rmSync(folder, { recursive: true })
})

test('the page says each kind of event with what it brings', () => {
  expect(Object.keys(eventKinds).length).toBeGreaterThan(10)
  for (const [kind, { data, example }] of Object.entries(eventKinds)) {
    data.parse(example)
    const row = page.split('\n').find((line) => line.startsWith(`| \`${kind}\` |`)) ?? ''
    expect(row).toContain(JSON.stringify(example))
  }
})

test('the program of the page reads what is new and goes on from there', async () => {
  await order()
  const read = async (after: string) => {
    const env = { ...process.env, BASE: base, KEY: String(feed), SECRET: FEED_SECRET, AFTER: after }
    return (await run(process.execPath, [join(folder, 'events.mjs')], { env })).stdout.trim().split('\n')
  }
  const first = await read('0')
  expect(first.map((line) => line.split(' ')[1])).toEqual(['order.paid', 'order.dispensed', expect.any(String)])
  const next = first.at(-1)?.split(' ')[1] ?? ''
  expect(await read(next)).toEqual([`next ${next}`])
})

test('the receiver of the page takes what is genuine, once, and refuses the rest', async () => {
  const { db, keys, clock } = world.services
  const secret = SECRET_PREFIX + Buffer.alloc(32, 5).toString('base64')
  const port = await freePort()
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const receiver = spawn(process.execPath, [join(folder, 'receive.mjs')], { env })
  let said = ''
  receiver.stdout.on('data', (part) => (said += String(part)))
  const address = `http://127.0.0.1:${port}/`
  await expect
    .poll(() =>
      fetch(address, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401)
  const made = await sql<{ id: number }>`insert into webhook_endpoint (config_id, address, secret, created_at)
    values (${feed}, ${address}, '', ${clock.now()}) returning id`.execute(db)
  const id = made.rows[0]?.id ?? 0
  await sql`update webhook_endpoint set secret = ${seal(keys, `webhook:${id}`, secret)}`.execute(db)
  await order()
  await numberNoted(world.services)
  const lanes = openLanes(world.services, { address: () => true, ip: () => true })
  await lanes.wake()
  await lanes.idle()
  await lanes.stop()
  await expect
    .poll(() =>
      said
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1]),
    )
    .toEqual(['order.paid', 'order.dispensed'])
  receiver.kill()
})

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}
