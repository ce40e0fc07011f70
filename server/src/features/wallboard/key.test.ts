import { getBoard } from '@aisle/contract/wallboard/board'
import { addDisplayKey, listDisplayKeys, revokeDisplayKey } from '@aisle/contract/wallboard/displayKey'
import { getBoardSection } from '@aisle/contract/wallboard/section'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { openHttp, type HttpWorld } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as boardRoutes } from './board.routes'
import { routes } from './key.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let ours: number
let theirs: number
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...boardRoutes))
  const { db } = world.services
  const root = await addMerchant(db)
  ours = await addMerchant(db, { parentId: root })
  theirs = await addMerchant(db, { parentId: root })
  const user = await addUser(db, { merchantId: ours, grants: ['displayKey.*'] })
  token = await addSession(db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const add = (merchantId: number, name: string, hidesNames = false) =>
  http.call(addDisplayKey, { merchantId, name, hidesNames }, { token })

test('a key is told once, opens the board of its merchant, and closes it when it is revoked', async () => {
  const made = await add(ours, 'Lobby')
  const { id, key } = made.body.data as { id: number; key: string }
  expect(key).toHaveLength(32)
  const kept = await sql<{ hash: string }>`select encode(key_hash, 'hex') as hash from display_key
    where id = ${id}`.execute(world.services.db)
  expect(kept.rows[0]?.hash).not.toContain(key)
  expect((await http.call(getBoard, { key })).status).toBe(200)
  const listed = await http.call(listDisplayKeys, {}, { token })
  expect(JSON.stringify(listed.body.data)).not.toContain(key)
  expect(listed.body.data).toMatchObject({ items: [{ name: 'Lobby', state: 'valid', boards: 0 }] })
  expect((await http.call(revokeDisplayKey, { id }, { token })).status).toBe(200)
  expect((await http.call(getBoard, { key })).body.code).toBe('wallboard.keyInvalid')
  expect((await http.call(revokeDisplayKey, { id }, { token })).body.code).toBe('displayKey.revoked')
})

test('nobody makes a key for a merchant that they do not see', async () => {
  const { status, body } = await add(theirs, 'Spy')
  expect([status, body.code]).toEqual([404, 'request.notFound'])
})

test('who sees some machines of a merchant makes no key that shows all of them', async () => {
  const { db } = world.services
  const user = await addUser(db, { merchantId: ours, kind: 'ordinary', grants: ['displayKey.*'] })
  const partial = { token: await addSession(db, user.id, NOON) }
  const { status, body } = await http.call(addDisplayKey, { merchantId: ours, name: 'All', hidesNames: false }, partial)
  expect([status, body.code]).toEqual([403, 'displayKey.partSight'])
})

test('a key that hides names shows their beginning alone', async () => {
  const { db } = world.services
  await sql`insert into rollup_day (business_day, merchant_id, method, business_type, orders, paid_fen)
    values ('2026-11-20', ${ours}, 'cash', 'sale', 1, 500)`.execute(db)
  const open = (await add(ours, 'Office')).body.data as { key: string }
  const masked = (await add(ours, 'Street', true)).body.data as { key: string }
  const labelsFor = async ({ key }: { key: string }) => {
    const { body } = await http.call(getBoardSection, { tab: 'merchant', key })
    const { rankings } = body.data as { rankings: { rows: { label: string }[] }[] }
    return rankings.flatMap(({ rows }) => rows.map(({ label }) => label))
  }
  expect(await labelsFor(open)).toEqual([expect.stringMatching(/^Merchant \d+$/)])
  expect(await labelsFor(masked)).toEqual(['M**'])
})
