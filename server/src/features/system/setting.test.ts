import {
  getClientSettings,
  getEntranceSettings,
  listSettings,
  resetSetting,
  saveSetting,
} from '@aisle/contract/system/setting'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './setting.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const LOGO = '/pictures/logo.png'
let world: World
let http: HttpWorld
let rootId: number
let parentId: number
let childId: number
let strangerId: number
let platform: { token: string }
let parent: { token: string }
let child: { token: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  rootId = await addMerchant(db)
  parentId = await addMerchant(db, { parentId: rootId })
  childId = await addMerchant(db, { parentId })
  strangerId = await addMerchant(db, { parentId: rootId })
  platform = await signedIn(rootId, 'platform_admin')
  parent = await signedIn(parentId)
  child = await signedIn(childId)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function signedIn(merchantId: number, kind: 'platform_admin' | 'merchant_admin' = 'merchant_admin') {
  const user = await addUser(world.services.db, { merchantId, kind, grants: ['*'] })
  return { token: await addSession(world.services.db, user.id, NOON) }
}

type Item = { key: string; value: unknown; source: string; sourceName: string | null; version: number }

async function shown(key: string, as: { token: string }, merchantId?: number): Promise<Item> {
  const { body } = await http.call(listSettings, merchantId ? { merchantId } : {}, as)
  const found = (body.data as { items: Item[] }).items.find((each) => each.key === key)
  if (!found) throw new Error(`no ${key}`)
  return found
}

test('every setting is listed as shipped before anybody chose', async () => {
  const { body } = await http.call(listSettings, {}, platform)
  const { items } = body.data as { items: Item[] }
  expect(items.length).toBeGreaterThan(15)
  expect(new Set(items.map(({ source }) => source))).toEqual(new Set(['shipped']))
  expect(await shown('password.minLength', platform)).toMatchObject({ value: 6, version: 0 })
})

test('a merchant and all below it take over what is chosen for it, others do not', async () => {
  const { status, body } = await http.call(saveSetting, { key: 'brand.logo', value: LOGO, version: 0 }, parent)
  expect([status, body.data]).toEqual([200, { version: 1 }])
  expect(await shown('brand.logo', parent)).toMatchObject({ value: LOGO, source: 'own', version: 1 })
  expect(await shown('brand.logo', child)).toMatchObject({ value: LOGO, source: 'above', version: 0 })
  expect(await shown('brand.logo', platform, strangerId)).toMatchObject({ value: null, source: 'shipped' })
  const client = (await http.call(getClientSettings, {}, child)).body.data as { brand: { logo: string } }
  expect(client.brand.logo).toBe(LOGO)
  const entrance = (await http.call(getEntranceSettings)).body.data as { brand: { logo: string | null } }
  expect(entrance.brand.logo).toBe(null)
})

test('a sign-in page carries the brand of whom the platform’s administrator chose, the others do not', async () => {
  const logoAt = async (entrance?: string) => {
    const { body } = await http.call(getEntranceSettings, entrance ? { entrance } : {})
    return (body.data as { brand: { logo: string | null } }).brand.logo
  }
  const chosen = { key: 'entrance.partner', value: parentId, version: 0 }
  expect((await http.call(saveSetting, chosen, parent)).body.code).toBe('setting.platformOnly')
  expect((await http.call(saveSetting, { ...chosen, value: 987_654 }, platform)).status).toBe(404)
  expect((await http.call(saveSetting, chosen, platform)).status).toBe(200)
  expect([await logoAt('loginSrx'), await logoAt('loginAme'), await logoAt()]).toEqual([LOGO, null, null])
})

test('a value of one’s own goes before that of the merchant above, until it is given up', async () => {
  await http.call(saveSetting, { key: 'brand.name', value: 'Parent', version: 0 }, parent)
  await http.call(saveSetting, { key: 'brand.name', value: ' Child ', version: 0 }, child)
  expect(await shown('brand.name', child)).toMatchObject({ value: 'Child', source: 'own', inherited: 'Parent' })
  const given = await http.call(resetSetting, { key: 'brand.name', version: 1 }, child)
  expect(given.status).toBe(200)
  expect(await shown('brand.name', child)).toMatchObject({ value: 'Parent', source: 'above' })
})

test('a change stands in the log with before and after, and with who made it', async () => {
  await http.call(saveSetting, { key: 'licence.warningDays', value: 30, version: 0 }, parent)
  await http.call(saveSetting, { key: 'licence.warningDays', value: 45, version: 1 }, parent)
  const found = await sql`select merchant_id as "merchantId", before, after from audit_log
    where object_kind = 'setting' and object_id = 'licence.warningDays' order by id`.execute(world.services.db)
  expect(found.rows).toEqual([
    { merchantId: parentId, before: null, after: { value: 30 } },
    { merchantId: parentId, before: { value: 30 }, after: { value: 45 } },
  ])
  expect(await shown('licence.warningDays', parent)).toMatchObject({
    changedBy: expect.stringMatching(/^user/),
    changedAt: expect.stringContaining('2026-11-20T04:00:00'),
  })
})

test('who saves over a change that they have not seen is told what it is now', async () => {
  await http.call(saveSetting, { key: 'brand.colour', value: '#112233', version: 0 }, parent)
  const { status, body } = await http.call(saveSetting, { key: 'brand.colour', value: '#445566', version: 0 }, parent)
  expect([status, body.code]).toEqual([409, 'edit.stale'])
  expect(body.fields).toContainEqual(
    expect.objectContaining({ path: 'value', msg: expect.stringContaining('#112233') }),
  )
})

test('what has one value for all is changed by the platform alone', async () => {
  const asked = { key: 'password.minLength', value: 8, version: 0 }
  const refused = await http.call(saveSetting, asked, parent)
  expect([refused.status, refused.body.code]).toEqual([403, 'setting.platformOnly'])
  expect((await http.call(saveSetting, asked, platform)).status).toBe(200)
  const client = (await http.call(getClientSettings, {}, child)).body.data
  expect(client).toMatchObject({ passwordMin: 8, passwordMax: 20, dataBegins: '2019-06-01', phoneRule: 'wide' })
})

test.each([
  ['password.minLength', 5],
  ['password.minLength', 'many'],
  ['brand.colour', 'red'],
  ['brand.logo', 'javascript:alert(1)'],
  ['brand.logo', 'https://elsewhere.example/x.png'],
  ['link.manual', 'ftp://files.example'],
  ['data.beginsOn', '2019-13-01'],
  ['withdrawal.window', { from: '19:30', to: '07:30' }],
  ['message.quietHours', { from: '22:00' }],
])('%s does not take %j', async (key, value) => {
  const { status, body } = await http.call(saveSetting, { key, value, version: 0 }, platform)
  expect([status, body.code]).toEqual([422, 'request.invalid'])
  expect(body.fields).toContainEqual(expect.objectContaining({ path: expect.stringMatching(/^value/) }))
})

test('where backups lie is shown to the platform alone', async () => {
  expect((await shown('backup.folder', platform)).value).toBe(null)
  await expect(shown('backup.folder', parent)).rejects.toThrow('no backup.folder')
  const relative = await http.call(saveSetting, { key: 'backup.folder', version: 0, value: 'backups' }, platform)
  expect(relative.status).toBe(422)
  const full = await http.call(saveSetting, { key: 'backup.folder', version: 0, value: '/mnt/backups' }, platform)
  expect(full.status).toBe(200)
  expect((await shown('backup.folder', platform)).value).toBe('/mnt/backups')
})

test('a merchant out of sight has no settings, neither to see nor to change', async () => {
  for (const merchantId of [rootId, strangerId]) {
    expect((await http.call(listSettings, { merchantId }, parent)).status).toBe(404)
    const asked = { key: 'brand.name', value: 'Ours now', version: 0, merchantId }
    expect((await http.call(saveSetting, asked, parent)).status).toBe(404)
  }
})
