import {
  acceptAgreement,
  answersBeforeAccepting,
  createAgreement,
  discardAgreement,
  editAgreement,
  getAgreement,
  getPendingAgreement,
  listAgreements,
  publishAgreement,
} from '@aisle/contract/system/agreement'
import { endpoints } from '@aisle/contract/endpoints'
import { getUserInfo } from '@aisle/contract/identity/session'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../../kernel/route'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as identity } from '../identity/identity.routes'
import { routes } from './agreement.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const words = {
  titleZh: '平台协议',
  titleEn: 'Terms',
  titleFr: 'Conditions',
  titleKo: '약관',
  bodyZh: '正文',
  bodyEn: 'Text',
  bodyFr: 'Texte',
  bodyKo: '본문',
}
let world: World
let http: HttpWorld
let admin: { token: string }
let user: { token: string; id: number }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(
    world,
    routesWith(
      ...routes,
      ...identity,
      query(listMerchants, async () => ({ items: [] })),
    ),
  )
  const { db } = world.services
  const rootId = await addMerchant(db)
  admin = await signedIn(rootId, 'platform_admin')
  user = await signedIn(await addMerchant(db, { parentId: rootId }), 'merchant_admin')
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function signedIn(merchantId: number, kind: 'platform_admin' | 'merchant_admin') {
  const { id } = await addUser(world.services.db, { merchantId, kind, grants: ['*'] })
  return { id, token: await addSession(world.services.db, id, NOON) }
}

const draft = async (more: Partial<typeof words> = {}) => {
  const { body } = await http.call(createAgreement, { ...words, ...more }, admin)
  return (body.data as { id: number }).id
}
/** Whoever publishes accepts it like everybody else, and can go on then. */
async function publish(id: number) {
  const answer = await http.call(publishAgreement, { id }, admin)
  await http.call(acceptAgreement, { id }, admin)
  return answer
}
const pending = async (language = 'zh') => {
  const { body } = await http.call(getPendingAgreement, { language }, user)
  return (body.data as { agreement: { id: number; number: number; title: string; body: string } | null }).agreement
}

test('nobody is asked while there are only drafts', async () => {
  await draft()
  expect(await pending()).toBe(null)
})

test('a published version is asked for in the reader’s language, until it is accepted', async () => {
  const id = await draft()
  expect((await publish(id)).body.data).toEqual({ number: 1 })
  expect(await pending('fr')).toMatchObject({ id, number: 1, title: 'Conditions', body: 'Texte' })
  const { status } = await http.call(acceptAgreement, { id, language: 'fr' }, user)
  expect(status).toBe(200)
  expect(await pending()).toBe(null)
  const kept = await sql`select user_id as "userId", language, ip <> '' as "hasPlace" from agreement_acceptance
    where agreement_id = ${id} and user_id = ${user.id}`.execute(world.services.db)
  expect(kept.rows).toEqual([{ userId: user.id, language: 'fr', hasPlace: true }])
})

test('who has not accepted is refused all calls but those of accepting and leaving', async () => {
  const id = await pendingOrNew()
  const guarded = endpoints.filter(({ access }) => access !== 'public')
  const rows = { id: 1, userId: 1, roleId: 1, merchantId: 1, machineId: 1 }
  for (const endpoint of guarded.filter(({ name }) => !answersBeforeAccepting.has(name))) {
    const { status, body } = await http.call(endpoint, rows, user)
    expect([endpoint.name, status, body.code]).toEqual([endpoint.name, 403, 'agreement.owed'])
  }
  const info = async () => (await http.call(getUserInfo, {}, user)).body.data
  expect(await info()).toMatchObject({ mustAcceptAgreement: true })
  expect((await http.call(acceptAgreement, { id }, user)).status).toBe(200)
  expect(await info()).toMatchObject({ mustAcceptAgreement: false, merchant: { isPlatform: false } })
  expect((await http.call(listMerchants, {}, user)).status).toBe(200)
})

test('every call that answers before accepting is one of the contract', () => {
  const names = new Set(endpoints.map(({ name }) => name))
  expect([...answersBeforeAccepting].filter((name) => !names.has(name))).toEqual([])
})

test('a new version is asked for again, and the old one can no longer be accepted', async () => {
  const first = await pendingOrNew()
  const second = await draft({ bodyEn: 'Text, newer' })
  expect((await publish(second)).status).toBe(200)
  expect(await pending('en')).toMatchObject({ id: second, body: 'Text, newer' })
  const old = await http.call(acceptAgreement, { id: first }, user)
  expect([old.status, old.body.code]).toEqual([409, 'agreement.superseded'])
})

async function pendingOrNew(): Promise<number> {
  const id = await draft()
  await publish(id)
  return id
}

test('accepting twice keeps the first time', async () => {
  const id = await pendingOrNew()
  const first = await http.call(acceptAgreement, { id }, user)
  world.setNow(new Date('2026-11-20T04:10:00Z'))
  const again = await http.call(acceptAgreement, { id }, user)
  world.setNow(NOON)
  expect(again.body.data).toEqual(first.body.data)
})

test('a draft is edited and thrown away, a published version neither', async () => {
  const id = await draft()
  const edited = await http.call(editAgreement, { ...words, titleEn: 'Better', id, version: 1 }, admin)
  expect(edited.body.data).toEqual({ version: 2 })
  expect((await http.call(getAgreement, { id }, admin)).body.data).toMatchObject({ titleEn: 'Better', state: 'draft' })
  await publish(id)
  for (const call of [
    http.call(editAgreement, { ...words, id, version: 3 }, admin),
    http.call(discardAgreement, { id }, admin),
    publish(id),
  ]) {
    const { status, body } = await call
    expect([status, body.code]).toEqual([409, 'agreement.published'])
  }
  const other = await draft()
  expect((await http.call(discardAgreement, { id: other }, admin)).status).toBe(200)
  expect((await http.call(getAgreement, { id: other }, admin)).status).toBe(404)
})

test('not even the database changes what was published', async () => {
  const id = await pendingOrNew()
  await expect(sql`update agreement set body_zh = 'other' where id = ${id}`.execute(world.services.db)).rejects.toThrow(
    /is published/,
  )
  await expect(sql`delete from agreement where id = ${id}`.execute(world.services.db)).rejects.toThrow(/is published/)
})

test('what lacks a language is not published, and the answer names what is missing', async () => {
  const id = await draft({ bodyKo: '', titleFr: '' })
  const { status, body } = await publish(id)
  expect([status, body.code]).toEqual([422, 'agreement.incomplete'])
  expect((body.fields as { path: string }[]).map(({ path }) => path).sort()).toEqual(['bodyKo', 'titleFr'])
  const listed = (await http.call(listAgreements, { state: 'draft' }, admin)).body.data as {
    items: { id: number; missing: string[] }[]
  }
  expect(listed.items.find((each) => each.id === id)?.missing).toEqual(['fr', 'ko'])
})

test('versions are the platform’s: a merchant neither lists nor makes them', async () => {
  expect((await http.call(listAgreements, {}, user)).status).toBe(403)
  expect((await http.call(createAgreement, words, user)).status).toBe(403)
})
