import {
  createDictionaryItem,
  addDictionaryType,
  deleteDictionaryItem,
  removeDictionaryType,
  editDictionaryItem,
  editDictionaryType,
  getDictionaryItem,
  listDictionaryItems,
  listDictionaryOptions,
  listDictionaryTypes,
  listMerchantItems,
  switchDictionaryItem,
} from '@aisle/contract/system/dictionary'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './dictionary.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
let childId: number
let strangerId: number
let platform: { token: string }
let own: { token: string }
let below: { token: string }
let stranger: { token: string }
let made = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const rootId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: rootId })
  childId = await addMerchant(db, { parentId: merchantId })
  strangerId = await addMerchant(db, { parentId: rootId })
  platform = await signedIn(rootId, 'platform_admin')
  own = await signedIn(merchantId)
  below = await signedIn(childId)
  stranger = await signedIn(strangerId)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function signedIn(of: number, kind: 'platform_admin' | 'merchant_admin' = 'merchant_admin') {
  const user = await addUser(world.services.db, { merchantId: of, kind, grants: ['*'] })
  return { token: await addSession(world.services.db, user.id, NOON) }
}

type Asked = { type?: string; code?: string; merchantId?: number | null; sort?: number; fr?: string }

const add = (as: { token: string }, more: Asked = {}) => {
  made += 1
  const code = `code${made}`
  return http.call(
    createDictionaryItem,
    { type: 'merchantTag', merchantId: null, code, zh: `词${made}`, sort: 5, ...more },
    as,
  )
}
const added = async (as: { token: string }, more: Asked = {}): Promise<number> =>
  ((await add(as, more)).body.data as { id: number }).id

const options = async (as: { token: string }, type = 'merchantTag', more: Record<string, unknown> = {}) => {
  const { body } = await http.call(listDictionaryOptions, { type, ...more }, as)
  return (body.data as { items: { code: string; word: string }[] }).items
}
const codes = async (as: { token: string }) => (await options(as)).map(({ code }) => code)

test('the lists that the product asks for are there from the start, in four languages', async () => {
  const { body } = await http.call(listDictionaryTypes, {}, platform)
  const { items } = body.data as { items: { code: string; isSystem: boolean; itemCount: number }[] }
  expect(items.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['merchantCategory', 'merchantTag', 'productUnit']),
  )
  expect(await options(own, 'merchantCategory', { language: 'fr' })).toContainEqual({
    code: 'pharmacy',
    word: 'Pharmacie',
  })
})

test('a merchant’s own item is offered to it and to all below it, and to nobody else', async () => {
  const id = await added(own, { merchantId, code: 'vip' })
  expect(await codes(own)).toContain('vip')
  expect(await codes(below)).toContain('vip')
  expect(await codes(stranger)).not.toContain('vip')
  expect((await http.call(getDictionaryItem, { id }, below)).body.data).toMatchObject({ mayWrite: false })
  expect((await http.call(getDictionaryItem, { id }, stranger)).status).toBe(404)
})

test('a word without a translation is shown in Chinese; order is by number', async () => {
  await added(own, { merchantId, code: 'first', sort: 1, fr: 'Premier' })
  const french = await options(own, 'merchantTag', { language: 'fr' })
  expect(french[0]).toEqual({ code: 'first', word: 'Premier' })
  const english = await options(own, 'merchantTag', { language: 'en' })
  expect(english[1]?.word).toMatch(/^词/)
})

test('an item that is switched off is offered no more, and can be switched on again', async () => {
  const id = await added(own, { merchantId, code: 'off' })
  await http.call(switchDictionaryItem, { id, isOn: false }, own)
  expect(await codes(own)).not.toContain('off')
  await http.call(switchDictionaryItem, { id, isOn: true }, own)
  expect(await codes(own)).toContain('off')
})

test.each([
  ['the platform’s own items', () => add(own), 403, 'dictionary.platformOnly'],
  [
    'a list closed to merchants',
    () => add(own, { merchantId, type: 'merchantCategory' }),
    422,
    'dictionary.noMerchantItems',
  ],
  ['a list that is not there', () => add(own, { merchantId, type: 'nothing' }), 404, 'request.notFound'],
  ['another merchant', () => add(own, { merchantId: strangerId }), 404, 'request.notFound'],
  ['a code of the platform', () => add(own, { merchantId, code: 'chain' }), 409, 'dictionary.codeTaken'],
])('a merchant does not add to %s', async (_, call, status, code) => {
  const answer = await call()
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('two merchants that do not see each other may use one code, parent and child may not', async () => {
  await added(own, { merchantId, code: 'shared' })
  expect((await add(stranger, { merchantId: strangerId, code: 'shared' })).status).toBe(200)
  expect((await add(below, { merchantId: childId, code: 'shared' })).body.code).toBe('dictionary.codeTaken')
  expect((await add(platform, { code: 'shared' })).body.code).toBe('dictionary.codeTaken')
})

test('of two who add one code at the same moment one is told that it is taken', async () => {
  const answers = await Promise.all([add(own, { merchantId, code: 'race' }), add(own, { merchantId, code: 'race' })])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
})

test('an edit over a change that was not seen is refused with what it is now', async () => {
  const id = await added(own, { merchantId, code: 'edit' })
  const words = { code: 'edit', zh: '新', sort: 5 }
  expect((await http.call(editDictionaryItem, { id, version: 1, ...words }, own)).body.data).toEqual({ version: 2 })
  const stale = await http.call(editDictionaryItem, { id, version: 1, ...words, zh: '旧' }, own)
  expect([stale.status, stale.body.code]).toEqual([409, 'edit.stale'])
})

test('an item of a merchant above is read, not changed', async () => {
  const id = await added(own, { merchantId, code: 'above' })
  for (const answer of [
    await http.call(editDictionaryItem, { id, version: 1, code: 'above', zh: '我的' }, below),
    await http.call(switchDictionaryItem, { id, isOn: false }, below),
    await http.call(deleteDictionaryItem, { id }, below),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([403, 'dictionary.platformOnly'])
  }
})

test('an item that nothing uses is deleted', async () => {
  const id = await added(own, { merchantId, code: 'gone' })
  expect((await http.call(deleteDictionaryItem, { id }, own)).status).toBe(200)
  expect((await http.call(getDictionaryItem, { id }, own)).status).toBe(404)
})

test('an item that is chosen is neither deleted nor given another code, and those who chose it are named', async () => {
  const id = await added(own, { merchantId, code: 'chosen' })
  await sql`update merchant set tags = 'other,chosen', name = 'Who chose it' where id = ${childId}`.execute(
    world.services.db,
  )
  await sql`update merchant set tags = 'chosen' where id = ${strangerId}`.execute(world.services.db)
  const { body } = await http.call(deleteDictionaryItem, { id }, own)
  expect(body).toMatchObject({ code: 'request.inUse', fields: [{ msg: 'Who chose it' }] })
  const moved = await http.call(editDictionaryItem, { id, version: 1, code: 'moved', zh: '新', sort: 5 }, own)
  expect(moved.body.code).toBe('dictionary.codeInUse')
  const words = await http.call(editDictionaryItem, { id, version: 1, code: 'chosen', zh: '新', sort: 5 }, own)
  expect(words.status).toBe(200)
  expect((await http.call(getDictionaryItem, { id }, own)).body.data).toMatchObject({ uses: ['Who chose it'] })
})

test('a tag that a product bears is not deleted', async () => {
  const id = await added(own, { type: 'productTag', merchantId, code: 'fizzy' })
  const { db } = world.services
  const product = await addProduct(db, { merchantId: childId })
  await sql`update product set name = 'Fizzy water', tags = '{fizzy}' where id = ${product.id}`.execute(db)
  const { body } = await http.call(deleteDictionaryItem, { id }, own)
  expect(body).toMatchObject({ code: 'request.inUse', fields: [{ msg: 'Fizzy water' }] })
})

test('a category that merchants are of is not deleted', async () => {
  const id = await added(platform, { type: 'merchantCategory', code: 'campus' })
  await sql`update merchant set category = 'campus', name = 'On campus' where id = ${strangerId}`.execute(
    world.services.db,
  )
  const { body } = await http.call(deleteDictionaryItem, { id }, platform)
  expect(body).toMatchObject({ code: 'request.inUse', fields: [{ msg: 'On campus' }] })
})

test('a merchant lists the platform’s items and its own, a filter each', async () => {
  const list = async (endpoint: typeof listDictionaryItems | typeof listMerchantItems) => {
    const { body } = await http.call(endpoint, { pageSize: 200 }, own)
    return (body.data as { items: { merchantId: number | null }[] }).items
  }
  expect(new Set((await list(listDictionaryItems)).map((each) => each.merchantId))).toEqual(new Set([null]))
  expect(new Set((await list(listMerchantItems)).map((each) => each.merchantId))).toEqual(new Set([merchantId]))
})

test('a list is made, changed and deleted by the platform alone', async () => {
  const asked = { code: 'floor', zh: '楼层', allowsMerchants: true }
  expect((await http.call(addDictionaryType, asked, own)).status).toBe(403)
  const { body } = await http.call(addDictionaryType, asked, platform)
  const { id } = body.data as { id: number }
  expect((await http.call(addDictionaryType, asked, platform)).body.code).toBe('dictionary.codeTaken')
  const itemId = await added(own, { type: 'floor', merchantId, code: 'b1' })
  const edit = { id, version: 1, zh: '楼层', allowsMerchants: false }
  expect((await http.call(editDictionaryType, edit, own)).status).toBe(404)
  expect((await http.call(editDictionaryType, edit, platform)).body.code).toBe('request.inUse')
  expect((await http.call(removeDictionaryType, { id }, platform)).body.code).toBe('request.inUse')
  await http.call(deleteDictionaryItem, { id: itemId }, own)
  expect((await http.call(removeDictionaryType, { id }, platform)).status).toBe(200)
})

test('a list that the product itself asks for stays', async () => {
  const { body } = await http.call(listDictionaryTypes, {}, platform)
  const { items } = body.data as { items: { id: number; code: string }[] }
  const id = items.find(({ code }) => code === 'merchantTag')?.id ?? 0
  const { status, body: refused } = await http.call(removeDictionaryType, { id }, platform)
  expect([status, refused.code]).toEqual([409, 'dictionary.systemType'])
})
