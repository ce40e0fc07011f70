import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seal } from '../../kernel/seal'
import { addMachine, addMerchant, addOrder, addProduct } from '../../testing/builders'
import { openWorld } from '../../testing/world'
import { numberNoted } from './log.store'
import { addFeed } from './testing.feed'
import { openLanes } from './webhook.lanes'
import { SECRET_PREFIX } from './webhook.rules'

test('what was not taken is told again when it is due, also where somebody looked meanwhile', async () => {
  const world = await openWorld(new Date())
  const services = { ...world.services, clock: { now: () => new Date() } }
  const { db, keys } = services
  let heard = 0
  const receiver = createServer((_, response) => {
    heard += 1
    response.writeHead(heard === 1 ? 500 : 200)
    // So long that others look while it is told.
    setTimeout(() => response.end(), 300)
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  await sql`insert into webhook_endpoint (config_id, address, secret, created_at)
    values (${await addFeed(world, { merchantId })}, ${address}, '', now())`.execute(db)
  const found = await sql<{ id: number }>`select id from webhook_endpoint`.execute(db)
  const id = found.rows[0]?.id ?? 0
  const secret = SECRET_PREFIX + Buffer.alloc(32, 5).toString('base64')
  await sql`update webhook_endpoint set secret = ${seal(keys, `webhook:${id}`, secret)}`.execute(db)
  await addOrder(db, machine, new Date())
  await numberNoted(services)
  const lanes = openLanes(services, { address: () => true, ip: () => true })
  lanes.start(id)
  await expect.poll(() => heard).toBe(1)
  await lanes.wake()
  await expect.poll(() => heard, { timeout: 20_000 }).toBe(3)
  await lanes.stop()
  receiver.closeAllConnections()
  await new Promise((done) => receiver.close(done))
  await world.close()
})
