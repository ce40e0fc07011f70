import { type Replenishment, listReplenishments } from '@aisle/contract/counting/replenishment'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { takeFills } from '../stock/public'
import { routes } from './counting.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let machine: BuiltMachine
let manager: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  family = await addFamily(db, NOON)
  const { merchantId } = family.ours
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })], stock: 0 })
  manager = await tokenOf(merchantId)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const tokenOf = async (merchantId: number) => {
  const { db } = world.services
  return addSession(db, (await addUser(db, { merchantId, grants: ['replenishment.read'] })).id, NOON)
}
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000)

async function fill(atMinute: number, counted: { before: number; added: number; after: number; batch?: string }) {
  const { before, added, after, batch = null } = counted
  const one = {
    machineId: machine.id,
    merchantId: family.ours.merchantId,
    slot: 'A1',
    product: machine.slots[0]?.productCode ?? '',
    quantity: added,
    occurredAt: minutes(atMinute),
    batch,
    counted: { beforePieces: before, afterPieces: after, replenisher: 'Li Na' },
    reference: `message/${machine.code}/${atMinute}`,
  }
  await world.services.db.transaction().execute((tx) => takeFills(tx, [one]))
}
async function door(state: 'opened' | 'closed', atMinute: number) {
  const { merchantId } = family.ours
  await sql`insert into device_event (merchant_id, machine_id, msg_id, type, occurred_at, received_at, data)
    values (${merchantId}, ${machine.id}, ${`${state}-${atMinute}`}, 'door', ${minutes(atMinute)}, ${minutes(atMinute)},
      ${JSON.stringify({ door: 'main', state, by: 'key' })}::jsonb)`.execute(world.services.db)
}
const ask = async (filter: Record<string, unknown>, token = manager) => {
  const { status, body } = await http.call(listReplenishments, filter, { token })
  expect(status).toBe(200)
  return (body.data as { items: Replenishment[] }).items
}

test('a fill is read with what the machine counted, who filled, and when its door stood open around it', async () => {
  await door('opened', -600)
  await door('opened', -8)
  await fill(-5, { before: 2, added: 8, after: 10, batch: 'B-7' })
  await door('closed', -3)
  await door('closed', 100)
  const [record] = await ask({ machineCode: machine.code, batch: 'B-7' })
  expect(record).toMatchObject({
    before: 2,
    added: 8,
    after: 10,
    gap: 0,
    batch: 'B-7',
    replenisher: 'Li Na',
    slotCode: 'A1',
    doorOpenedAt: minutes(-8).toISOString().replace('.000Z', '+00:00'),
    doorClosedAt: minutes(-3).toISOString().replace('.000Z', '+00:00'),
  })
})

test('fills whose count does not come out are found, newest first, and nobody else’s are seen', async () => {
  await fill(10, { before: 10, added: 3, after: 12 })
  await fill(20, { before: 12, added: 1, after: 13 })
  expect((await ask({ gap: 'yes' })).map(({ gap, added }) => [gap, added])).toEqual([[-1, 3]])
  const all = await ask({ machineCode: machine.code, from: '2026-11-20', to: '2026-11-20' })
  expect(all.map(({ added }) => added)).toEqual([1, 3, 8])
  expect(await ask({ machineCode: machine.code, to: '2026-11-19' })).toEqual([])
  expect(await ask({ machineCode: machine.code }, await tokenOf(family.theirs.merchantId))).toEqual([])
})
