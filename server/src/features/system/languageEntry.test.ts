import { addDictionaryType } from '@aisle/contract/system/dictionary'
import {
  exportLanguageEntries,
  getLanguageEntry,
  getTextOverrides,
  importLanguageEntries,
  listLanguageEntries,
  overrideText,
  previewLanguageImport,
  resetText,
} from '@aisle/contract/system/languageEntry'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { type RunningBus, startBus } from '../../transport/live/bus'
import { routes as dictionaryRoutes } from './dictionary.routes'
import { routes } from './languageEntry.routes'
import { followWords } from './words.follow'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let bus: RunningBus
let following: { stop: () => void }
let platform: { token: string }
let merchant: { token: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...dictionaryRoutes))
  bus = await startBus(world.url, world.services.log)
  following = await followWords(world.services, bus)
  const rootId = await addMerchant(world.services.db)
  platform = await signedIn(rootId, 'platform_admin')
  merchant = await signedIn(await addMerchant(world.services.db, { parentId: rootId }), 'merchant_admin')
})
afterAll(async () => {
  following.stop()
  await bus.stop()
  await http.close()
  await world.close()
})

async function signedIn(merchantId: number, kind: 'platform_admin' | 'merchant_admin') {
  const user = await addUser(world.services.db, { merchantId, kind, grants: ['*'] })
  return { token: await addSession(world.services.db, user.id, NOON) }
}

type Entry = { id: number; namespace: string; key: string; zh: string; en: string; overridden: string[] }
const nothing = { zh: null, en: null, fr: null, ko: null }

async function list(filter: Record<string, unknown>): Promise<{ items: Entry[] }> {
  return (await http.call(listLanguageEntries, filter, platform)).body.data as { items: Entry[] }
}

async function entry(namespace: string, key: string): Promise<Entry & { version: number; shipped: { en: string } }> {
  const { items } = await list({ namespace, q: key, pageSize: 200 })
  const id = items.find((each) => each.key === key)?.id
  const { body } = await http.call(getLanguageEntry, { id }, platform)
  return body.data as Awaited<ReturnType<typeof entry>>
}

async function say(namespace: string, key: string, texts: Partial<Record<keyof typeof nothing, string>>) {
  const { id, version } = await entry(namespace, key)
  return http.call(overrideText, { id, version, ...nothing, ...texts }, platform)
}

const others = async (language: string) =>
  (await http.call(getTextOverrides, { language })).body.data as {
    version: number
    items: { namespace: string; key: string; text: string }[]
  }

test('every text of the product is listed, and found by its key and by its words', async () => {
  const counted = await http.call(listLanguageEntries.count, {}, platform)
  expect((counted.body.data as { total: number }).total).toBeGreaterThan(1_000)
  const found = await list({ q: 'action.cancel', namespace: 'kernel' })
  expect(found.items).toMatchObject([{ namespace: 'kernel', key: 'action.cancel' }])
  expect((await list({ q: '取消', namespace: 'kernel' })).items.map(({ key }) => key)).toContain('action.cancel')
})

test('an override is what everybody is told from then on, without a session too, in its language alone', async () => {
  const before = await others('en')
  expect((await say('kernel', 'action.cancel', { en: 'Never mind' })).status).toBe(200)
  const after = await others('en')
  expect(after.items).toContainEqual({ namespace: 'kernel', key: 'action.cancel', text: 'Never mind' })
  expect(after.version).toBeGreaterThan(before.version)
  expect((await others('fr')).items).toEqual([])
  expect((await list({ entryState: 'overridden' })).items).toMatchObject([{ key: 'action.cancel', overridden: ['en'] }])
})

test('the server says its own words so too, a moment later and without a restart', async () => {
  await say('system', 'refusal.dictionary.platformOnly', { en: 'Please call the head office' })
  const said = async () => {
    const asked = { code: 'any', zh: '任意', language: 'en' }
    return (await http.call(addDictionaryType, asked, merchant)).body.msg
  }
  await vi.waitFor(async () => expect(await said()).toBe('Please call the head office'), { timeout: 5_000 })
  const { id } = await entry('system', 'refusal.dictionary.platformOnly')
  await http.call(resetText, { id }, platform)
  await vi.waitFor(async () => expect(await said()).toMatch(/^Items for everybody/), { timeout: 5_000 })
})

test('the shipped text is no override, so that a later release may better it', async () => {
  const { shipped } = await entry('kernel', 'action.close')
  await say('kernel', 'action.close', { en: 'Shut' })
  await say('kernel', 'action.close', { en: shipped.en })
  expect(await entry('kernel', 'action.close')).toMatchObject({ version: 0, overridden: [] })
})

test.each([
  ['a placeholder that is not there', '{{name}} again', 422, 'languageEntry.placeholders'],
  ['a placeholder left out', 'Busy', 422, 'languageEntry.placeholders'],
  ['half a placeholder', '{{traceId}} {{', 422, 'languageEntry.placeholders'],
  ['another text inside', '{{traceId}} $t(action.close)', 422, 'languageEntry.nesting'],
  ['no text', '  ', 422, 'request.invalid'],
])('%s is refused', async (_, en, status, code) => {
  const answer = await say('kernel', 'error.busy', { en })
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.body.fields).toContainEqual(expect.objectContaining({ path: 'en' }))
})

test('signs of HTML are only signs', async () => {
  const en = '<img src=x onerror=alert(1)> {{traceId}}'
  expect((await say('kernel', 'error.busy', { en })).status).toBe(200)
  expect(await entry('kernel', 'error.busy')).toMatchObject({ en })
})

test('who changes a text that somebody changed meanwhile is told', async () => {
  const { id, version } = await entry('kernel', 'action.retry')
  await http.call(overrideText, { id, version, ...nothing, en: 'Once more' }, platform)
  const { status, body } = await http.call(overrideText, { id, version, ...nothing, en: 'Again' }, platform)
  expect([status, body.code]).toEqual([409, 'edit.stale'])
})

const rows = [
  { namespace: 'kernel', key: 'action.reload', en: 'Load again', ko: '다시 부르기' },
  { namespace: 'kernel', key: 'action.reload', en: 'Twice' },
  { namespace: 'kernel', key: 'nothing.here', en: 'x' },
  { namespace: 'kernel', key: 'field.tooLong', en: 'No placeholder' },
]

test('a preview says what a file would change and which rows are refused, and changes nothing', async () => {
  const { body } = await http.call(previewLanguageImport, { rows }, platform)
  const { changes, refused } = body.data as { changes: { language: string }[]; refused: unknown[] }
  expect(changes).toContainEqual(
    expect.objectContaining({ key: 'action.reload', language: 'en', before: 'Reload', after: 'Load again' }),
  )
  expect(refused).toEqual([
    expect.objectContaining({ row: 2, reason: 'twice' }),
    expect.objectContaining({ row: 3, reason: 'unknownKey' }),
    expect.objectContaining({ row: 4, language: 'en', reason: 'placeholders' }),
  ])
  expect(await entry('kernel', 'action.reload')).toMatchObject({ en: 'Reload' })
})

test('importing takes over what the preview showed, and what else was said of a text stays', async () => {
  await say('kernel', 'action.reload', { zh: '再次加载' })
  const { body } = await http.call(importLanguageEntries, { rows: rows.slice(0, 1) }, platform)
  expect(body.data).toMatchObject({ changed: 2, refused: [] })
  expect(await entry('kernel', 'action.reload')).toMatchObject({ zh: '再次加载', en: 'Load again', version: 2 })
})

test('what is exported can be imported again and changes nothing', async () => {
  const { body } = await http.call(exportLanguageEntries, { namespace: 'kernel' }, platform)
  const { items } = body.data as { items: Record<string, string>[] }
  const judged = await http.call(previewLanguageImport, { rows: items }, platform)
  expect(judged.body.data).toMatchObject({ changes: [], refused: [] })
})

test('the product’s words are the platform’s', async () => {
  const { id } = await entry('kernel', 'action.cancel')
  expect((await http.call(listLanguageEntries, {}, merchant)).status).toBe(403)
  expect((await http.call(getLanguageEntry, { id }, merchant)).status).toBe(404)
  expect((await http.call(overrideText, { id, version: 0, ...nothing, en: 'x' }, merchant)).status).toBe(404)
  expect((await http.call(importLanguageEntries, { rows: rows.slice(0, 1) }, merchant)).status).toBe(403)
})
