import { addArea, addDistrict, listAreas, removeArea, removeDistrict } from '@aisle/contract/fleet/area'
import { addPoint, editPoint, getPoint, listPoints, removePoint, stopPoint } from '@aisle/contract/fleet/point'
import { addRoute, getRoute, listRoutes, removeRoute, setStops } from '@aisle/contract/fleet/route'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes as areaRoutes } from './area'
import { routes as pointRoutes } from './point'
import { routes as routeRoutes } from './route'

/** A Friday, noon in China. */
const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...pointRoutes, ...areaRoutes, ...routeRoutes))
  family = await addFamily(world.services.db, NOON)
  token = await signedIn({})
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function signedIn(more: Partial<Parameters<typeof addUser>[1]>): Promise<string> {
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['*'], ...more })
  return addSession(world.services.db, user.id, NOON)
}
const call = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>, as = token) => {
  const { status, body } = await http.call(endpoint, input, { token: as })
  return { status, code: body.code, data: body.data as Record<string, unknown>, text: JSON.stringify(body) }
}
const place = (name: string, more: Record<string, unknown> = {}) => ({
  merchantId: family.ours.merchantId,
  name,
  kind: 'office',
  province: '浙江省',
  city: '杭州市',
  position: { longitude: 120.2, latitude: 30.2 },
  ...more,
})
const idIn = ({ data }: { data: Record<string, unknown> }) => Number(data.id)

test('a point without a marked position is not saved; one anywhere on Earth is', async () => {
  const { position: _, ...unmarked } = place('Nowhere')
  expect(await call(addPoint, unmarked)).toMatchObject({ status: 422, code: 'request.invalid' })
  expect(await call(addPoint, place('Half', { position: { longitude: 120 } }))).toMatchObject({ status: 422 })
  expect(await call(addPoint, place('Off', { position: { longitude: 181, latitude: 0 } }))).toMatchObject({
    status: 422,
  })
  const made = await call(addPoint, place('Paris office', { position: { longitude: 2.35222, latitude: 48.85661 } }))
  const { data } = await call(getPoint, { id: idIn(made) })
  expect(data.position).toEqual({ longitude: 2.35222, latitude: 48.85661 })
})

test('what somebody else saved meanwhile is told, and a stopped point stops once', async () => {
  const id = idIn(await call(addPoint, place('Lobby')))
  const { merchantId: _, ...wanted } = place('Lobby', { rentFen: 50_000 })
  expect(await call(editPoint, { id, version: 1, ...wanted })).toMatchObject({ status: 200 })
  const stale = await call(editPoint, { id, version: 1, ...wanted, rentFen: 70_000 })
  expect(stale).toMatchObject({ status: 409, code: 'edit.stale' })
  expect(stale.text).toContain('rentFen')
  expect(await call(stopPoint, { id })).toMatchObject({ status: 200 })
  expect(await call(stopPoint, { id })).toMatchObject({ status: 409, code: 'point.state' })
})

test('points with machines, areas with districts and districts with points are not deleted, by name', async () => {
  const [machine] = family.ours.machines
  const found = await sql<{ pointId: number }>`select point_id as "pointId" from machine
    where id = ${machine?.id}`.execute(world.services.db)
  const inUse = await call(removePoint, { id: found.rows[0]?.pointId })
  expect(inUse).toMatchObject({ status: 409, code: 'request.inUse' })
  expect(inUse.text).toContain(machine?.code)
  const area = idIn(await call(addArea, { merchantId: family.ours.merchantId, name: 'South' }))
  const district = idIn(await call(addDistrict, { id: area, name: 'Harbour' }))
  const point = idIn(await call(addPoint, place('Pier', { districtId: district })))
  expect((await call(removeArea, { id: area })).text).toContain('Harbour')
  expect((await call(removeDistrict, { id: district })).text).toContain('Pier')
  const tree = JSON.stringify((await call(listAreas, {})).data)
  expect(tree).toContain('"name":"Harbour","version":1,"pointCount":1')
  for (const [endpoint, id] of [
    [removePoint, point],
    [removeDistrict, district],
    [removeArea, area],
  ] as const) {
    expect(await call(endpoint, { id })).toMatchObject({ status: 200 })
  }
})

test('a machine may stand at points of its merchant and of those above it', async () => {
  const { ours, theirs } = family
  const listed = async (forMerchantId: number) => {
    const { items } = (await call(listPoints, { forMerchantId, pageSize: 200 })).data as { items: { id: number }[] }
    return items.map(({ id }) => id)
  }
  expect(await listed(ours.merchantId)).toContain(ours.ids.points)
  expect(await listed(theirs.merchantId)).not.toContain(ours.ids.points)
})

test("a district of another merchant's map is none of a point's", async () => {
  const districtId = family.theirs.ids.districts
  expect(await call(addPoint, place('Astray', { districtId }))).toMatchObject({ status: 404 })
})

test('a route keeps the order it is given, takes machines from other routes, and stale orders are told', async () => {
  const [first, second] = family.ours.machines
  const add = (name: string) => call(addRoute, { merchantId: family.ours.merchantId, name, weekdays: ['fri'] })
  const [one, two] = [idIn(await add('One')), idIn(await add('Two'))]
  const codes = async (id: number) => {
    const { stops } = (await call(getRoute, { id })).data as { stops: { code: string }[] }
    return stops.map(({ code }) => code)
  }
  expect(await call(setStops, { id: one, version: 1, ids: [second?.id, first?.id] })).toMatchObject({ status: 200 })
  expect(await codes(one)).toEqual([second?.code, first?.code])
  expect(await call(setStops, { id: two, version: 1, ids: [first?.id] })).toMatchObject({ status: 200 })
  expect([await codes(one), await codes(two)]).toEqual([[second?.code], [first?.code]])
  expect(await call(setStops, { id: one, version: 1, ids: [] })).toMatchObject({ status: 409, code: 'edit.stale' })
  const [theirs] = family.theirs.machines
  expect(await call(setStops, { id: one, version: 2, ids: [theirs?.id] })).toMatchObject({ status: 404 })
  expect(await call(removeRoute, { id: one })).toMatchObject({ status: 409, code: 'request.inUse' })
  await sql`update slot set capacity = capacity + 3 where machine_id = ${first?.id}`.execute(world.services.db)
  const { stops } = (await call(getRoute, { id: two })).data as { stops: { missing: number }[] }
  const room = await sql<{ pieces: number }>`select sum(s.capacity - coalesce(l.quantity, 0))::int as pieces
    from slot s left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${first?.id} and s.product_id is not null`.execute(world.services.db)
  expect(stops.map(({ missing }) => missing)).toEqual([room.rows[0]?.pieces])
  expect(room.rows[0]?.pieces).toBeGreaterThan(0)
  const { items } = (await call(listRoutes, { weekday: 'fri' })).data as { items: { name: string; isToday: boolean }[] }
  expect(items.map(({ name, isToday }) => [name, isToday])).toEqual(expect.arrayContaining([['One', true]]))
})

test('who sees one of two machines orders that one, and the other keeps its place behind it', async () => {
  const [seen, hidden] = family.ours.machines
  const id = idIn(await call(addRoute, { merchantId: family.ours.merchantId, name: 'Shared' }))
  await call(setStops, { id, version: 1, ids: [hidden?.id, seen?.id] })
  const narrow = await signedIn({ kind: 'ordinary', machineIds: [seen?.id ?? 0] })
  expect((await call(getRoute, { id }, narrow)).data).toMatchObject({ machineCount: 1, hiddenCount: 1 })
  expect(await call(setStops, { id, version: 2, ids: [seen?.id] }, narrow)).toMatchObject({ status: 200 })
  const { stops } = (await call(getRoute, { id })).data as { stops: { id: number }[] }
  expect(stops.map((stop) => stop.id)).toEqual([seen?.id, hidden?.id])
})
