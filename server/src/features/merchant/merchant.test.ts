import { listMerchants } from '@aisle/contract/merchant/merchant'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './merchant.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let childId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  childId = await addMerchant(world.services.db, { parentId: family.ours.merchantId })
  const product = await addProduct(world.services.db, { merchantId: childId })
  await addMachine(world.services.db, { merchantId: childId, products: [product] })
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Item = { id: number; parentId: number | null; machineCount: number }

async function listed(user: Parameters<typeof addUser>[1]): Promise<Item[]> {
  const made = await addUser(world.services.db, user)
  const token = await addSession(world.services.db, made.id, NOON)
  const { body } = await http.call(listMerchants, {}, { token })
  return (body.data as { items: Item[] }).items
}

test('the platform sees the whole tree, parents before children, each with its machines', async () => {
  const items = await listed({ merchantId: family.platformId, kind: 'platform_admin' })
  expect(items.map(({ id, machineCount }) => [id, machineCount])).toEqual([
    [family.platformId, 0],
    [family.ours.merchantId, 2],
    [childId, 1],
    [family.theirs.merchantId, 2],
  ])
})

test('a merchant sees itself and what is below it', async () => {
  const items = await listed({ merchantId: family.ours.merchantId })
  expect(items.map(({ id }) => id)).toEqual([family.ours.merchantId, childId])
})

test('an ordinary user sees the own merchant, counting only the machines in sight', async () => {
  const machineIds = family.ours.machines.slice(0, 1).map(({ id }) => id)
  const items = await listed({ merchantId: family.ours.merchantId, kind: 'ordinary', machineIds })
  expect(items).toMatchObject([{ id: family.ours.merchantId, machineCount: 1 }])
})
