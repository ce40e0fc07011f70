import {
  addIntegration,
  disableIntegration,
  editIntegration,
  enableIntegration,
  getIntegration,
  listIntegrations,
  removeIntegration,
  rotateIntegrationSecret,
} from '@aisle/contract/merchant/integration'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { empty } from '../../testing/emptied'
import { openWorld, type World } from '../../testing/world'
import { routes } from './integration.routes'
import { countUse } from './public'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['integrationConfig.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  await empty(world.services, 'integration_config')
})

const config = (more: Record<string, unknown> = {}) => ({
  childClass: 'ship_request',
  interfaceType: 'push',
  path: 'https://erp.example.com/orders',
  contractNumber: 'HT-1',
  ...more,
})
const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown>, body }
}
const add = (more: Record<string, unknown> = {}) =>
  call(addIntegration, { merchantId: family.ours.merchantId, ...config(more) })
const added = async (more: Record<string, unknown> = {}) => Number((await add(more)).data.id)
const use = (id: number, at = NOON) =>
  world.services.db.transaction().execute((tx) => countUse(tx, world.services.keys, id, at))

test('a merchant has one interface of a kind; each of its machines may have its own beside it', async () => {
  await added()
  const again = await add({ interfaceType: 'pull', path: 'https://other.example.com/' })
  expect([again.status, again.code]).toEqual([409, 'integrationConfig.exists'])
  const machineCode = family.ours.machines[0]?.code
  expect((await add({ machineCode })).status).toBe(200)
  expect((await add({ machineCode })).code).toBe('integrationConfig.exists')
  expect((await add({ machineCode: family.theirs.machines[0]?.code })).code).toBe('integrationConfig.noMachine')
  const id = await added({ childClass: 'event_feed', path: null })
  expect((await call(editIntegration, { id, version: 1, ...config() })).code).toBe('integrationConfig.exists')
})

test('a class that exchanges nothing is not offered; one that was set up is kept and is not enabled', async () => {
  const { db } = world.services
  expect((await add({ childClass: 'order_sync' })).code).toBe('request.invalid')
  const id = await added()
  await call(rotateIntegrationSecret, { id })
  await sql`update integration_config set child_class = 'order_sync'`.execute(db)
  expect((await call(enableIntegration, { id })).code).toBe('integrationConfig.notOffered')
  await expect(sql`update integration_config set state = 'enabled'`.execute(db)).rejects.toThrow('_works')
  const version = Number((await call(getIntegration, { id })).data.version)
  expect((await call(editIntegration, { id, version, ...config() })).status).toBe(200)
  expect((await call(enableIntegration, { id })).status).toBe(200)
})

test('shipments are told back to a path; an event feed has none', async () => {
  expect((await add({ path: null })).code).toBe('integrationConfig.pathMissing')
  expect((await add({ childClass: 'event_feed' })).code).toBe('integrationConfig.pathUnused')
  expect((await add({ path: null, interfaceType: 'pull' })).status).toBe(200)
})

test('an address in a private network is refused beside its field, in words', async () => {
  const refused = await add({ path: 'http://169.254.169.254/latest/' })
  expect([refused.status, refused.code]).toEqual([422, 'request.invalid'])
  expect(refused.body.fields).toEqual([expect.objectContaining({ path: 'path', msg: expect.stringContaining('公网') })])
})

test('it is enabled with a secret that is told once, kept sealed, and never answered again', async () => {
  const id = await added()
  expect((await call(enableIntegration, { id })).code).toBe('integrationConfig.noSecret')
  const { secret } = (await call(rotateIntegrationSecret, { id })).data
  expect((await call(enableIntegration, { id })).status).toBe(200)
  expect((await call(enableIntegration, { id })).code).toBe('integrationConfig.state')
  const shown = await call(getIntegration, { id })
  expect(shown.data).toMatchObject({ state: 'enabled', hindrance: null, secretSetAt: expect.any(String) })
  expect(JSON.stringify(shown.body)).not.toContain(String(secret))
  const kept = await sql<{ text: string }>`select
    (select string_agg(row_to_json(c)::text, '') from integration_config c)
    || (select string_agg(row_to_json(a)::text, '') from audit_log a)
    || (select string_agg(row_to_json(i)::text, '') from idempotency_key i) as text`.execute(world.services.db)
  expect(kept.rows[0]?.text).not.toContain(String(secret))
  expect(await use(id)).toMatchObject({ secret, path: 'https://erp.example.com/orders' })
})

test('calls are counted up to the maximum, also when many come at once', async () => {
  const id = await added({ maxCount: 3 })
  await call(rotateIntegrationSecret, { id })
  await call(enableIntegration, { id })
  const calls = await Promise.allSettled(Array.from({ length: 8 }, () => use(id)))
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(use(id)).rejects.toThrow('integrationConfig.spent')
  expect((await call(getIntegration, { id })).data).toMatchObject({ useCount: 3, hindrance: 'spent', version: 3 })
  const edit = { id, version: 3, ...config({ maxCount: 2 }) }
  expect((await call(editIntegration, edit)).code).toBe('integrationConfig.maxBelowUse')
  expect((await call(editIntegration, { ...edit, maxCount: 4 })).status).toBe(200)
  await use(id)
  expect((await call(removeIntegration, { id })).code).toBe('integrationConfig.used')
})

test('the last day is a good day, the next is not; what is disabled is not called', async () => {
  const id = await added({ expiresOn: '2026-11-20' })
  await call(rotateIntegrationSecret, { id })
  await call(enableIntegration, { id })
  await use(id)
  await expect(use(id, new Date('2026-11-20T16:00:00Z'))).rejects.toThrow('integrationConfig.expired')
  await call(disableIntegration, { id })
  await expect(use(id)).rejects.toThrow('integrationConfig.disabled')
})

test('one that was never used can be deleted; the list shows first what cannot be called', async () => {
  const fine = await added()
  const dead = await added({ childClass: 'event_feed', path: null, expiresOn: '2026-11-01' })
  for (const id of [fine, dead]) {
    await call(rotateIntegrationSecret, { id })
    await call(enableIntegration, { id })
  }
  const listed = (await call(listIntegrations)).data.items as { id: number }[]
  expect(listed.map(({ id }) => id)).toEqual([dead, fine])
  expect((await call(removeIntegration, { id: fine })).status).toBe(200)
  expect((await call(getIntegration, { id: fine })).status).toBe(404)
})

/** An ordinary user with every right over interfaces, who sees these machines. */
async function asWorker(...machineIds: (number | undefined)[]) {
  const { db } = world.services
  const { id } = await addUser(db, {
    merchantId: family.ours.merchantId,
    kind: 'ordinary',
    grants: ['integrationConfig.*'],
    machineIds: machineIds.flatMap((machineId) => machineId ?? []),
  })
  const own = await addSession(db, id, NOON)
  return async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
    const { status, body } = await http.call(endpoint, input, { token: own })
    return { status, code: body.code, data: body.data as Record<string, unknown> }
  }
}
const verbs = [enableIntegration, disableIntegration, removeIntegration, rotateIntegrationSecret]

test('who sees some machines of a merchant makes and touches no interface that reaches all of them', async () => {
  const [seen] = family.ours.machines
  const worker = await asWorker(seen?.id)
  const wanted = {
    merchantId: family.ours.merchantId,
    ...config({ childClass: 'ship_request', interfaceType: 'both' }),
  }
  const made = await worker(addIntegration, wanted)
  expect([made.status, made.code]).toEqual([403, 'integrationConfig.beyond'])
  const id = await added({ childClass: 'ship_request', interfaceType: 'both' })
  const edited = await worker(editIntegration, { id, version: 1, ...config({ path: 'https://mine.example.com/' }) })
  expect(edited.code).toBe('integrationConfig.beyond')
  for (const verb of verbs) expect((await worker(verb, { id })).code).toBe('integrationConfig.beyond')
})

test('one of a machine is made and kept by who sees it, and is not there for who does not', async () => {
  const [seen, hidden] = family.ours.machines
  const worker = await asWorker(seen?.id)
  const wanted = { merchantId: family.ours.merchantId, ...config() }
  const made = await worker(addIntegration, { ...wanted, machineCode: seen?.code })
  const id = Number(made.data.id)
  expect((await worker(rotateIntegrationSecret, { id })).status).toBe(200)
  expect((await worker(enableIntegration, { id })).status).toBe(200)
  expect((await worker(addIntegration, { ...wanted, machineCode: hidden?.code })).code).toBe(
    'integrationConfig.noMachine',
  )
  const other = await added({ machineCode: hidden?.code })
  const listed = (await worker(listIntegrations)).data.items as { id: number }[]
  expect(listed.map((each) => each.id)).toEqual([id])
  expect((await worker(getIntegration, { id: other })).status).toBe(404)
  for (const verb of verbs) expect((await worker(verb, { id: other })).status).toBe(404)
})

test('who sees every machine of a merchant may have one for all, unless it would outlast what they see', async () => {
  const { db } = world.services
  const worker = await asWorker(...family.ours.machines.map(({ id }) => id))
  const wanted = { merchantId: family.ours.merchantId, ...config() }
  const made = await worker(addIntegration, wanted)
  expect(made.status).toBe(200)
  await sql`update machine_grant_user set ends_at = '2090-01-01'`.execute(db)
  const id = Number(made.data.id)
  expect((await worker(rotateIntegrationSecret, { id })).code).toBe('integrationConfig.beyond')
})
