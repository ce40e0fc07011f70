import {
  addHospital,
  assignPoint,
  editHospital,
  getHospital,
  listHospitals,
  releasePoint,
  removeHospital,
  resumeHospital,
  stopHospital,
} from '@aisle/contract/fleet/hospital'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes } from './hospital'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['hospital.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const hospital = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  level: 'iii_a',
  province: '浙江省',
  city: '杭州市',
  phone: '0571-88886666',
  departments: [{ building: 'A', name: 'Surgery' }],
  ...more,
})
const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown>, body }
}
const add = (name: string) => call(addHospital, { merchantId: family.ours.merchantId, ...hospital(name) })
const pointOf = async (machineId: number | undefined) =>
  (
    await sql<{ id: number }>`select point_id as id from machine where id = ${machineId ?? 0}`.execute(
      world.services.db,
    )
  ).rows[0]?.id ?? 0

test('a hospital holds points, and through them the machines in sight; it is deleted once unused', async () => {
  const id = Number((await add('One')).data.id)
  const [machine] = family.ours.machines
  const pointId = await pointOf(machine?.id)
  expect((await call(assignPoint, { id, pointId })).status).toBe(200)
  expect((await call(getHospital, { id })).data).toMatchObject({
    pointCount: 1,
    machineCount: 1,
    machines: [{ code: machine?.code }],
    departments: [{ building: 'A', name: 'Surgery' }],
  })
  const refused = await call(removeHospital, { id })
  expect([refused.status, refused.code]).toEqual([409, 'request.inUse'])
  expect(refused.body.fields).toHaveLength(1)
  const other = Number((await add('Two')).data.id)
  expect((await call(assignPoint, { id: other, pointId })).code).toBe('hospital.pointTaken')
  expect((await call(releasePoint, { id: other, pointId })).code).toBe('hospital.pointTaken')
  expect((await call(releasePoint, { id, pointId })).status).toBe(200)
  expect((await call(removeHospital, { id })).status).toBe(200)
  expect((await call(getHospital, { id })).status).toBe(404)
})

test('a hospital where a doctor works is not deleted, and names the doctor', async () => {
  const { db } = world.services
  const id = Number((await add('With a doctor')).data.id)
  const doctor = await addUser(db, { merchantId: family.ours.merchantId, kind: 'doctor' })
  await sql`insert into doctor (user_id, profession, hospital_id) values (${doctor.id}, 'doctor', ${id})`.execute(db)
  expect((await call(getHospital, { id })).data).toMatchObject({
    doctorCount: 1,
    doctors: [{ account: doctor.account }],
  })
  const refused = await call(removeHospital, { id })
  expect([refused.status, refused.code]).toEqual([409, 'request.inUse'])
  expect(refused.body.fields).toEqual([expect.objectContaining({ msg: doctor.account })])
})

test("another merchant's point is not there, nor is another merchant", async () => {
  const id = Number((await add('Three')).data.id)
  const pointId = await pointOf(family.theirs.machines[0]?.id)
  expect((await call(assignPoint, { id, pointId })).status).toBe(404)
  expect((await call(addHospital, { merchantId: family.theirs.merchantId, ...hospital('Four') })).status).toBe(404)
})

test('two of a name are refused, whether added or renamed; an edit overwrites nothing unseen', async () => {
  await add('Same')
  expect((await add('Same')).code).toBe('hospital.nameTaken')
  const id = Number((await add('Other')).data.id)
  expect((await call(editHospital, { id, version: 1, ...hospital('Same') })).code).toBe('hospital.nameTaken')
  expect((await call(editHospital, { id, version: 1, ...hospital('Other', { city: '宁波市' }) })).status).toBe(200)
  const stale = await call(editHospital, { id, version: 1, ...hospital('Other') })
  expect([stale.status, stale.code]).toEqual([409, 'edit.stale'])
  expect(stale.body.fields).toContainEqual(expect.objectContaining({ path: 'city' }))
})

test('one that is stopped can be resumed, and the list finds by level, state and place', async () => {
  const id = Number((await add('Stopping')).data.id)
  expect((await call(resumeHospital, { id })).code).toBe('hospital.state')
  expect((await call(stopHospital, { id })).status).toBe(200)
  expect((await call(listHospitals, { state: 'stopped' })).data).toMatchObject({ items: [{ id }] })
  expect((await call(listHospitals.count, { state: 'stopped' })).data).toEqual({ total: 1 })
  expect((await call(listHospitals.count, { hospital: 'stopp', level: 'iii_a', province: '浙江' })).data.total).toBe(1)
  expect((await call(listHospitals.count, { level: 'ungraded' })).data.total).toBe(0)
  expect((await call(resumeHospital, { id })).status).toBe(200)
})
