import { randomUUID } from 'node:crypto'
import { listMachines, rotateSecret } from '@aisle/contract/fleet/machine'
import { getUserResource, onLogin, signOut } from '@aisle/contract/identity/session'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { search } from '@aisle/contract/system/search'
import { doRegisterClient, doSendMessage } from '@aisle/contract/wallboard/board'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuse } from '../../kernel/refuse'
import { command, open, query } from '../../kernel/route'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { answerOf, type Caller, type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { checkRoutes } from './bind'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let platformId: number
let token: string
let rotations = 0
let pushes = 0
let thrown: () => unknown = () => new Error('select password from secret_table')

const kept = { id: 1, parentId: null, code: 'A1', name: 'A', machineCount: 3 }
const merchant = { ...kept, type: 'ordinary' as const, state: 'active' as const }
const routes = routesWith(
  query(listMerchants, async () => ({ items: [{ ...merchant, secret: 'never listed' }], extra: 1 })),
  query(search, async (_, { q }) => ({ items: [{ kind: 'machine' as const, code: q, title: '', path: '/' }] })),
  query(listMachines, () => Promise.reject(thrown())),
  query(getUserResource, async () => ({ code: 'H0000' as const, userInfo: { menuJsonTree: [] }, msg: '' })),
  query(signOut, async () => refuse('request.notFound')),
  open(onLogin, async () => refuse('signIn.wrong')),
  open(doRegisterClient, async ({ language }, { userId }) => {
    if (userId !== language) return refuse('wallboard.closed')
    return {}
  }),
  command(rotateSecret, async ({ tx, audit }, { id }) => {
    rotations += 1
    await sql`select pg_sleep(0.1)`.execute(tx)
    await audit({ merchantId: platformId, objectKind: 'machine', objectId: id, before: null, after: null })
    if (id === 13) return refuse('request.notFound')
    return { code: `M${id}`, secret: `secret ${rotations}` }
  }),
  command(doSendMessage, async ({ audit }) => {
    await audit({ merchantId: platformId, objectKind: 'wallboard', objectId: '', before: null, after: null })
    pushes += 1
    return { boards: pushes }
  }),
)

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routes)
  platformId = await addMerchant(world.services.db)
  const user = await addUser(world.services.db, { merchantId: platformId, grants: ['machine.*', 'wallboard.push'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const post = async (url: string, payload: string, headers: Record<string, string> = {}) =>
  answerOf(
    await http.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    }),
  )

test('a success is wrapped, with nothing that the contract does not list', async () => {
  const answer = await http.call(listMerchants, {}, { token })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ code: 'H0000', data: { items: [merchant] }, msg: '', traceId: expect.any(String) })
})

test('a bare call answers as the specification spells it, and fails in the same shape', async () => {
  const answer = await http.call(getUserResource, {}, { token })
  expect(answer.body).toEqual({ code: 'H0000', userInfo: { menuJsonTree: [] }, msg: '' })
  const failure = await http.call(onLogin, { account: 'a', password: 'p', checkCode: 'c', language: 'en' })
  expect([failure.status, failure.body.code]).toEqual([401, 'signIn.wrong'])
  expect(failure.body.msg).toMatch(/[a-z]{3}/)
})

test('the language of body or query wins, then the header, then Chinese, and none of them is an input', async () => {
  const words = async (input: Record<string, unknown>, caller: Caller = {}) =>
    String((await http.call(signOut, input, { token, ...caller })).body.msg)
  const [chinese, english, french] = [await words({}), await words({ language: 'en' }), await words({ language: 'fr' })]
  expect(new Set([chinese, english, french]).size).toBe(3)
  expect(chinese).toMatch(/\p{Script=Han}/u)
  expect(await words({}, { headers: { 'accept-language': 'fr-CH, en;q=0.8' } })).toBe(french)
  expect(await words({ language: 'en' }, { headers: { 'accept-language': 'fr' } })).toBe(english)
  expect(await words({ language: 'xx' })).toBe(chinese)
  const registered = await http.call(doRegisterClient, { userId: 'zh', type: 0 })
  expect(registered.status).toBe(422)
})

test("without a wish a signed-in user's own language is spoken", async () => {
  const user = await addUser(world.services.db, { merchantId: platformId })
  await sql`update app_user set language = 'ko' where id = ${user.id}`.execute(world.services.db)
  const answer = await http.call(signOut, {}, { token: await addSession(world.services.db, user.id, NOON) })
  expect(answer.body.msg).toMatch(/\p{Script=Hangul}/u)
})

test('a field that the contract does not name is refused, and so is one said twice', async () => {
  const answer = await http.call(listMerchants, { colour: 'red' }, { token })
  expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
  expect(answer.body.fields).toEqual([{ path: 'colour', reason: 'unknown', msg: expect.any(String) }])
  const twice = await post('/api/machines/1/rotate-secret', '{"id": 2}', { authorization: `Bearer ${token}` })
  expect(twice.body.fields).toMatchObject([{ path: 'id', reason: 'unknown' }])
  const inQuery = await post('/api/machines/1/rotate-secret?force=1', '{}', { authorization: `Bearer ${token}` })
  expect(inQuery.body.fields).toMatchObject([{ path: 'force', reason: 'unknown' }])
})

test('each problem names its field, its reason and the words for it', async () => {
  const answer = await http.call(listMachines, { pageSize: 1000, merchantId: -1, category: 'x' }, { token })
  expect(answer.status).toBe(422)
  expect(answer.body.fields).toEqual([
    { path: 'pageSize', reason: 'tooLarge', msg: '不能大于 200' },
    { path: 'merchantId', reason: 'notAbove', msg: '必须大于 0' },
    { path: 'category', reason: 'notOffered', msg: '请从给出的选项中选择' },
  ])
})

test.each([
  ['broken JSON', '{"a":', 400, 'request.malformed'],
  ['a prototype', '{"__proto__": {"admin": true}}', 400, 'request.malformed'],
  ['a list', '[]', 400, 'request.malformed'],
  ['too much', JSON.stringify({ account: 'x'.repeat(1024 * 1024) }), 413, 'request.tooLarge'],
  ['NUL', '{"account": "a\\u0000b", "password": "p", "checkCode": "c"}', 422, 'request.invalid'],
  ['half a character', '{"account": "\\ud800", "password": "p", "checkCode": "c"}', 422, 'request.invalid'],
  ['NUL below', '{"account": {"a": [{"\\u0000": 1}]}}', 422, 'request.invalid'],
])('%s in a body is refused', async (_, body, status, code) => {
  const answer = await post('/sram/comm/login/onLogin', body)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('a body that is not JSON is refused unread', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await post('/sram/comm/login/onLogin', 'account=a', { 'content-type': type })
    expect([answer.status, answer.body.code]).toEqual([415, 'request.notJson'])
  }
})

test('an address that cannot be decoded is refused', async () => {
  const answer = answerOf(await http.app.inject({ method: 'GET', url: '/api/machines/%ff' }))
  expect([answer.status, answer.body.code]).toEqual([400, 'request.malformed'])
})

test('who is not signed in learns nothing of inputs, nor does who may not', async () => {
  const anonymous = await http.call(search, { nonsense: 1 })
  expect([anonymous.status, anonymous.body.code]).toEqual([401, 'S9999'])
  const user = await addUser(world.services.db, { merchantId: platformId, grants: ['order.read'] })
  const other = await addSession(world.services.db, user.id, NOON)
  const answer = await http.call(listMachines, { nonsense: 1 }, { token: other })
  expect([answer.status, answer.body.code]).toEqual([403, 'request.notPermitted'])
})

test('a bug answers with its trace id behind a # and with nothing of its cause', async () => {
  thrown = () => new Error('select password from secret_table')
  const answer = await http.call(listMachines, {}, { token })
  expect([answer.status, answer.body.code]).toEqual([500, 'request.busy'])
  expect(answer.body.msg).toContain(`#${String(answer.body.traceId)}`)
  expect(answer.text).not.toMatch(/secret_table|Error|\.ts/)
})

test('a database that is away is "not now", not a bug', async () => {
  thrown = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const answer = await http.call(listMachines, {}, { token })
  expect([answer.status, answer.body.code]).toEqual([503, 'service.unavailable'])
})

test('a write needs a key', async () => {
  for (const key of ['', 'short', 'x'.repeat(129), 'with spaces in it']) {
    const answer = await http.call(rotateSecret, { id: 1 }, { token, key })
    expect([answer.status, answer.body.code]).toEqual([400, 'request.keyMissing'])
  }
})

test('the same key and body answer the first answer again; another body is refused', async () => {
  const key = randomUUID()
  const first = await http.call(rotateSecret, { id: 1 }, { token, key })
  const before = rotations
  const again = await http.call(rotateSecret, { id: 1, language: 'fr' }, { token, key })
  expect(again.body.data).toEqual(first.body.data)
  expect(rotations).toBe(before)
  const other = await http.call(rotateSecret, { id: 2 }, { token, key })
  expect([other.status, other.body.code]).toEqual([409, 'request.keyReused'])
})

test('of ten at once with one key one runs, and all get its answer', async () => {
  const key = randomUUID()
  const before = rotations
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => http.call(rotateSecret, { id: 3 }, { token, key })),
  )
  expect(rotations).toBe(before + 1)
  expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
})

test('a call of specification §7 needs no key: asked again within its 15 seconds it is the same call', async () => {
  const { path } = doSendMessage
  const asked = async () => (await post(path, '{}', { authorization: `Bearer ${token}` })).body.data
  expect([await asked(), await asked()]).toEqual([{ boards: 1 }, { boards: 1 }])
  world.setNow(new Date(NOON.getTime() + 15_000))
  expect(await asked()).toEqual({ boards: 2 })
  world.setNow(NOON)
})

test('a refused write leaves nothing behind, its key included', async () => {
  const key = randomUUID()
  const refused = await http.call(rotateSecret, { id: 13 }, { token, key })
  expect(refused.status).toBe(404)
  const found = await sql<{ count: number }>`select (select count(*) from idempotency_key where key = ${key})
    + (select count(*) from audit_log where object_id = '13') as count`.execute(world.services.db)
  expect(found.rows[0]?.count).toBe(0)
  expect((await http.call(rotateSecret, { id: 14 }, { token, key })).status).toBe(200)
})

test('an endpoint that is bound twice, never, or says not who may call it stops the start', () => {
  expect(() => checkRoutes(routes.slice(1))).toThrow(/is bound 0 times/)
  expect(() => checkRoutes([...routes, ...routes.slice(0, 1)])).toThrow(/is bound 2 times/)
  const [first, ...rest] = routes
  const nobody = { ...first, endpoint: { ...first?.endpoint, access: undefined } }
  expect(() => checkRoutes([...rest, nobody as never])).toThrow(/does not say who may call it/)
})
