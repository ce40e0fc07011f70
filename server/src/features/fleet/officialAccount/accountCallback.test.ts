import { getOfficialAccount, makeAccountToken } from '@aisle/contract/fleet/officialAccount'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { serveRaw } from '../../../transport/http/raw'
import { signatureOf } from './accountCallback.rules'
import { rawRoutes } from './accountCallback.routes'
import { routes } from './officialAccount'

const NOON = new Date('2026-11-20T04:00:00Z')
const SECONDS = NOON.getTime() / 1000
const nonce = '1372623149'

let world: World
let http: HttpWorld
let family: Family
let session: string
let accountId: number
let token: string
let path: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes), (app) => serveRaw(app, rawRoutes, world.services))
  const { db } = world.services
  family = await addFamily(db, NOON)
  const { merchantId } = family.ours
  const user = await addUser(db, { merchantId, grants: ['machine.read', 'machine.write'] })
  session = await addSession(db, user.id, NOON)
  const made = await sql<{ id: number }>`insert into official_account (merchant_id, platform, name, app_id, link)
    values (${merchantId}, 'wechat_account', 'Cabinet life', 'wx5d0c1a9e7b3f2468', 'https://m.example.com/x')
    returning id`.execute(db)
  accountId = made.rows[0]?.id ?? 0
  await sql`insert into official_account_machine (machine_id, platform, account_id)
    values (${family.ours.machines[0]?.id}, 'wechat_account', ${accountId})`.execute(db)
  await sql`insert into setting (key, value) values ('site.address', '"https://aisle.example/"'::jsonb)`.execute(db)
  token = await makeToken()
  path = new URL(String((await detail()).callbackAddress)).pathname
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const makeToken = async () => {
  const { body } = await http.call(makeAccountToken, { id: accountId }, { token: session })
  return String(Object(body.data).token)
}
const detail = async () => {
  const { body } = await http.call(getOfficialAccount, { id: accountId }, { token: session })
  return body.data as Record<string, unknown>
}
const signed = (by = token, timestamp = String(SECONDS)) =>
  new URLSearchParams({ timestamp, nonce, signature: signatureOf(by, { timestamp, nonce }) }).toString()
const prove = async (query: string) => {
  const { statusCode, body } = await http.app.inject({
    method: 'GET',
    url: `${path}?echostr=5577006791947779410&${query}`,
  })
  return [statusCode, body]
}
const tell = async (event: string, more: { at?: number; scene?: string; openId?: string; query?: string } = {}) => {
  const { at = SECONDS, scene = '', openId = 'oAbC-1', query = signed() } = more
  const payload = `<xml><ToUserName><![CDATA[gh_1]]></ToUserName><FromUserName><![CDATA[${openId}]]></FromUserName>
    <CreateTime>${at}</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[${event}]]></Event>
    <EventKey><![CDATA[${scene}]]></EventKey></xml>`
  const headers = { 'content-type': 'text/xml' }
  const { statusCode } = await http.app.inject({ method: 'POST', url: `${path}?${query}`, headers, payload })
  return statusCode
}
const followers = async () =>
  (
    await sql`select open_id as name, is_following as follows, machine_id as machine from account_follower
      where account_id = ${accountId} order by open_id`.execute(world.services.db)
  ).rows

test('whoever knows the token says the word back, nobody else, and not with what was said an hour ago', async () => {
  expect(path).toMatch(/^\/api\/wechat\/[0-9a-f]{32}$/)
  expect(await prove(signed())).toEqual([200, '5577006791947779410'])
  expect(await prove(signed('guessed'))).toEqual([403, 'not from WeChat'])
  expect(await prove('')).toEqual([403, 'not from WeChat'])
  expect(await prove(signed(token, String(SECONDS - 3600)))).toEqual([403, 'not from WeChat'])
  const { statusCode } = await http.app.inject({ method: 'GET', url: `/api/wechat/nobody?${signed()}` })
  expect(statusCode).toBe(403)
})

test('who follows is known, with the machine whose code was scanned, whatever order it is told in', async () => {
  const machine = family.ours.machines[0]
  const foreign = await sql<{ code: string }>`select code from machine
    where id = ${family.theirs.machines[0]?.id}`.execute(world.services.db)
  const own = await sql<{ code: string }>`select code from machine where id = ${machine?.id}`.execute(world.services.db)
  expect(await tell('subscribe', { scene: `qrscene_${own.rows[0]?.code}` })).toBe(200)
  expect(await tell('subscribe', { openId: 'oOther', scene: `qrscene_${foreign.rows[0]?.code}` })).toBe(200)
  expect(await followers()).toEqual([
    { name: 'oAbC-1', follows: true, machine: machine?.id },
    { name: 'oOther', follows: true, machine: null },
  ])
  expect((await detail()).followers).toBe(2)
  expect(await tell('unsubscribe', { at: SECONDS + 60 })).toBe(200)
  // Told again, late.
  expect(await tell('subscribe', { at: SECONDS })).toBe(200)
  expect((await followers())[0]).toEqual({ name: 'oAbC-1', follows: false, machine: machine?.id })
  expect((await detail()).followers).toBe(1)
})

test('a forged event changes nothing, and a new token ends the old one', async () => {
  const before = await followers()
  expect(await tell('unsubscribe', { openId: 'oOther', at: SECONDS + 90, query: signed('guessed') })).toBe(403)
  const old = token
  token = await makeToken()
  expect(await tell('unsubscribe', { openId: 'oOther', at: SECONDS + 90, query: signed(old) })).toBe(403)
  expect(await followers()).toEqual(before)
  expect(await tell('CLICK', { openId: 'oOther', at: SECONDS + 90 })).toBe(200)
  expect(await followers()).toEqual(before)
  const kept = await sql<{ text: string }>`select row_to_json(o)::text as text from official_account o
    union all select row_to_json(l)::text from audit_log l
    union all select row_to_json(k)::text from idempotency_key k`.execute(world.services.db)
  const all = kept.rows.map(({ text }) => text).join()
  expect([all.includes(token), all.includes(old)]).toEqual([false, false])
})
