import {
  getCheckCode,
  getLoginParam,
  getUserInfo,
  getUserResource,
  onLogin,
  onLoginSSO,
  signOut,
} from '@aisle/contract/identity/session'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { touchSession } from '../session/session.store'
import { b64u, clientProof, defaultKdf, deriveKeys, passwordField } from '@aisle/contract/identity/signin'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SignInFailure, signIn } from '../../../../../e2e/src/kit/signInClient'
import { routes } from '../../../main/features'
import { createApp } from '../../../transport/http/app'
import { bindRoutes } from '../../../transport/http/bind'
import { sessionReader } from '../../../transport/http/session'
import { saltFor } from '../password/credential'
import { type Identity, makeUser, openIdentity, prepare } from '../testing'

let identity: Identity
let url: string
let close: () => Promise<void>
const PASSWORD = '正确的 password'

beforeAll(async () => {
  identity = await openIdentity()
  const { services, pool, keys } = identity
  const app = createApp(services.log)
  await bindRoutes(app, routes, {
    services,
    readSession: sessionReader(pool.raw, services.log, touchSession(pool.db)),
    readKey: () => Promise.reject(new Error('no program calls here')),
    observe: () => undefined,
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  close = () => app.close()
  const derive = (account: string) => deriveKeys(PASSWORD, saltFor(keys, account), defaultKdf)
  await makeUser(identity, '张伟', derive('张伟'), { grants: ['machine.read'] })
  await makeUser(identity, 'gone', derive('gone'), { state: 'disabled' })
}, 60_000)
afterAll(async () => {
  await close()
  await identity.close()
})

type Sent = { body?: object; token?: string; headers?: Record<string, string>; query?: string }
async function send({ method, path }: Endpoint, { body = {}, token, headers = {}, query = '' }: Sent = {}) {
  const all = { origin: url, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers }
  const withBody = { ...all, 'content-type': 'application/json' }
  const request = method === 'GET' ? { headers: all } : { method, headers: withBody, body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}${query}`, request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Steps 1 to 3 with a proof of nothing. @param from a proxy on this machine may say who is calling */
async function tryAnything(account: string, from: string) {
  const headers = { 'x-forwarded-for': from }
  const code = await send(getCheckCode, { headers })
  const { cid, checkCode } = code.body.data
  const cnonce = b64u(randomBytes(16))
  const param = await send(getLoginParam, { headers, body: { account, cid, cnonce } })
  const password = passwordField(cid, randomBytes(32))
  const answer = await send(onLogin, { headers, body: { account, password, checkCode } })
  return { param, answer }
}

/** Without what differs between any two answers of a server. */
function comparable({ status, headers, body }: Awaited<ReturnType<typeof send>>) {
  const { traceId, ...rest } = body
  const names = [...headers.entries()].filter(([name]) => name !== 'date')
  return JSON.stringify({ status, headers: names, body: rest, trace: String(traceId).length })
}

describe('a program that knows only the contract', () => {
  test('signs in, keeps a device cookie, reads who it is and its menus, and signs out', async () => {
    const signedIn = await signIn(url, ' 张伟 ', PASSWORD)
    const { token, account, answer, deviceCookie } = signedIn
    expect(account).toBe('张伟')
    expect(Object.keys(answer).sort()).toEqual(['code', 'msg', 'serverSig', 'session_key', 'userInfo'])
    expect(deviceCookie).toMatch(/^aisle_device=v1\./)

    const info = await send(getUserInfo, { token, query: `?token=${token}` })
    expect(info.body.data).toMatchObject({
      userid: signedIn.userId,
      accountname: '张伟',
      kind: 'ordinary',
      merchant: { code: 'PLATFORM', isPlatform: true },
      permissions: ['machine.read'],
      language: 'zh',
    })
    const other = await send(getUserInfo, { token, query: `?token=${b64u(randomBytes(32))}` })
    expect([other.status, other.body.code]).toEqual([403, 'request.notPermitted'])

    const resource = await send(getUserResource, { token, body: { language: 'en' } })
    const [root] = resource.body.userInfo.menuJsonTree
    expect(root.children.map((group: { title: string }) => group.title)).toContain('Vending machines')
    const part = await send(getUserResource, { token, body: { systemid: 'shj', systemuserid: signedIn.userId } })
    expect(part.body.userInfo.menuJsonTree[0].children.map(({ code }: { code: string }) => code)).toEqual(['shj'])
    expect((await send(getUserResource, { token, body: { systemid: 'nowhere' } })).status).toBe(404)
    expect((await send(getUserResource, { token, body: { systemuserid: '987654' } })).status).toBe(403)
    expect(answer.userInfo?.menuJsonTree[0]?.children.map((group) => group.title)).toContain('售货机')

    expect((await heardWhile(() => send(signOut, { token }))).at(-1)).toMatchObject({ topic: 'session', code: 'S9999' })
    expect((await send(getUserInfo, { token })).body.code).toBe('S9999')
  })

  test('is told in its own language why it may not', async () => {
    const refused = await signIn(url, 'gone', PASSWORD, { language: 'fr' }).catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(SignInFailure)
    expect(refused).toMatchObject({ code: 'signIn.wrong', status: 401 })
    expect(String(refused)).toContain('mot de passe incorrect')
  })

  test('after that failure must read a picture here, unless it shows the cookie of its device', async () => {
    await expect(signIn(url, '张伟', PASSWORD)).rejects.toMatchObject({ code: 'signIn.typed' })
    const from = { 'x-forwarded-for': '198.51.100.1' }
    expect((await send(getCheckCode, { headers: from })).body.data.mode).toBe('auto')
  })
})

test('the device cookie is out of reach of scripts and of other sites, and of no use but here', async () => {
  await makeUser(identity, 'cheap', 'secret')
  const prepared = await prepare(identity, 'cheap', 'secret', { origin: url })
  const { cid, checkCode, keys, am } = prepared
  const password = passwordField(cid, clientProof(keys, am))
  const { headers } = await send(onLogin, { body: { account: 'cheap', password, checkCode } })
  const [value, ...rest] = (headers.get('set-cookie') ?? '').split('; ')
  expect(value).toMatch(/^aisle_device=v1\.[\w-]{22}\.\d+\.[\w-]{43}$/)
  expect(rest).toEqual(['Path=/sram', `Max-Age=${180 * 24 * 3600}`, 'HttpOnly', 'SameSite=Strict'])
})

test('a device that signed in before gets a clear code, whoever else failed at its address', async () => {
  await sql`delete from sign_in_counter`.execute(identity.pool.db)
  const { deviceCookie } = await signIn(url, '张伟', PASSWORD)
  await sql`insert into sign_in_counter (key, failures, window_ends_at, day_ends_at)
    values ('address|127.0.0.1', 9, 'infinity', 'infinity')`.execute(identity.pool.db)
  expect((await signIn(url, '张伟', PASSWORD, { deviceCookie })).account).toBe('张伟')
  await sql`delete from sign_in_counter`.execute(identity.pool.db)
})

test('unknown account, wrong password and disabled user are answered byte for byte alike', async () => {
  const answers = [
    await tryAnything('nobody', '198.51.101.1'),
    await tryAnything('张伟', '198.51.102.1'),
    await tryAnything('gone', '198.51.103.1'),
  ]
  expect(new Set(answers.map(({ answer }) => comparable(answer))).size).toBe(1)
  expect(answers[0]?.answer).toMatchObject({ status: 401, body: { code: 'signIn.wrong' } })
  const shapes = answers
    .slice(0, 2)
    .map(({ param }) => Object.entries(param.body.data).map(([name, value]) => [name, JSON.stringify(value).length]))
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
})

test('a ticket that nobody gave opens nothing', async () => {
  const answer = await send(onLoginSSO, { body: { ticket: 'x' } })
  expect([answer.status, answer.body.code]).toEqual([401, 'signIn.ticketInvalid'])
})

async function heardWhile(act: () => Promise<unknown>): Promise<unknown[]> {
  const heard: unknown[] = []
  const listener = new Client({ connectionString: identity.url })
  await listener.connect()
  listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '{}')))
  await listener.query('listen aisle_live')
  await act()
  await listener.query('select 1')
  await listener.end()
  return heard
}
