import { deviceOf, endOtherSessions, endOwnSession, listOwnSessions } from '@aisle/contract/identity/ownSessions'
import { getUserInfo, onLoginSSO } from '@aisle/contract/identity/session'
import { createTicket, listOtherSystems } from '@aisle/contract/identity/sso'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Accounts, codeOf, dataOf, openAccounts } from '../../../testing/accounts'
import { makeMerchant, makeUser, ORIGIN } from '../testing'

let at: Accounts
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
beforeAll(async () => {
  at = await openAccounts()
})
afterAll(() => at.close())

async function heardWhile(act: () => Promise<unknown>): Promise<string[]> {
  const client = new Client({ connectionString: at.url })
  await client.connect()
  const heard: string[] = []
  client.on('notification', ({ payload }) => void heard.push(payload ?? ''))
  await client.query('listen aisle_live')
  await act()
  await client.query('select 1')
  await client.end()
  return heard.filter((each) => JSON.parse(each).topic === 'session')
}

describe('own sessions', () => {
  test('are listed with their device, one or all others end, and their browsers hear it', async () => {
    await makeUser(at, 'mia', 'secret')
    await makeUser(at, 'other', 'secret')
    const here = await at.tokenOf('mia', 'secret')
    const there = await at.tokenOf('mia', 'secret')
    const stranger = await at.tokenOf('other', 'secret')
    const { items } = dataOf(await at.call(listOwnSessions, {}, here))
    expect(items.map((each: { isThis: boolean }) => each.isThis).sort()).toEqual([false, true])
    const { id } = items.find((each: { isThis: boolean }) => !each.isThis)
    expect(codeOf(await at.call(endOwnSession, { id }, stranger))).toBe('request.notFound')
    const heard = await heardWhile(() => at.call(endOwnSession, { id }, here))
    expect(heard.map((each) => JSON.parse(each).code)).toEqual(['S9999'])
    expect(codeOf(await at.call(getUserInfo, {}, there))).toBe('S9999')
    await at.tokenOf('mia', 'secret')
    await at.tokenOf('mia', 'secret')
    expect(dataOf(await at.call(endOtherSessions, {}, here))).toEqual({ ended: 2 })
    expect(dataOf(await at.call(listOwnSessions, {}, here)).items).toHaveLength(1)
    expect(codeOf(await at.call(getUserInfo, {}, stranger))).toBe('H0000')
  })

  test.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0 Safari/537.36 Edg/126.0`,
      'Edge 126 Windows',
      false,
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webkit} Version/17.5 Safari/604.1`,
      'Safari 17 iOS',
      true,
    ],
    [`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/125.0 Mobile MicroMessenger/8.0.49`, 'WeChat 8 Android', true],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5) Gecko/20100101 Firefox/127.0', 'Firefox 127 macOS', false],
    ['curl/8.5.0', 'null null null', false],
  ])('%s is in words %s', (agent, words, isMobile) => {
    const device = deviceOf(agent)
    expect([`${device.browser} ${device.version} ${device.system}`, device.isMobile]).toEqual([words, isMobile])
  })

  test('failed tries are told at the next sign-in, and by a message when they came from elsewhere', async () => {
    const userId = await makeUser(at, 'nina', 'secret')
    expect((await at.signIn('nina', 'secret')).body.failedBefore).toBeUndefined()
    at.later(60)
    const elsewhere = { 'x-forwarded-for': '198.51.100.9' }
    await at.signIn('nina', 'a guess', elsewhere)
    await at.signIn('nina', 'another guess', elsewhere)
    at.later(60)
    const { body } = await at.signIn('nina', 'secret')
    expect(body.failedBefore).toMatchObject({ count: 2, lastIp: '198.51.100.9' })
    const told = await sql<{ type: string; body: string }>`
      select type, body from outbox_message where user_id = ${userId}`.execute(at.pool.db)
    expect(told.rows.map(({ type }) => type)).toEqual(['signIn.afterFailures'])
    expect(told.rows[0]?.body).toContain('198.51.100.9')
    at.later(60)
    expect((await at.signIn('nina', 'secret')).body.failedBefore).toBeUndefined()
  })
})

describe('a hand-over ticket', () => {
  const systemAt = (address: string) =>
    sql`insert into setting (key, merchant_id, value) values ('link.inspection', null, ${JSON.stringify(address)})
      on conflict (key, merchant_id) do update set value = excluded.value`.execute(at.pool.db)
  const ticketIn = (address: unknown) => new URL(String(address)).searchParams.get('ticket') ?? ''

  test('tells the system it was made for who came, once, within thirty seconds, and opens nothing here', async () => {
    const userId = await makeUser(at, 'olga', 'secret')
    const token = await at.tokenOf('olga', 'secret')
    expect(codeOf(await at.call(createTicket, { system: 'inspection' }, token))).toBe('ticket.notConfigured')
    await systemAt('https://inspection.example/enter?from=aisle')
    const { items } = dataOf(await at.call(listOtherSystems, {}, token))
    expect(items.filter((each: { isConfigured: boolean }) => each.isConfigured)).toEqual([
      { system: 'inspection', isConfigured: true },
    ])
    const issue = async () => dataOf(await at.call(createTicket, { system: 'inspection' }, token)).address
    const address = new URL(await issue())
    expect(address.searchParams.get('userid')).toBe(String(userId))
    expect(address.href).not.toContain(token)
    const right = { ticket: ticketIn(address.href), audience: 'inspection' }
    const { body } = await at.call(onLoginSSO, right)
    expect(body).toMatchObject({ code: '', customData: { audience: 'inspection' }, userInfo: { accountname: 'olga' } })
    expect(body.session_key).toBeUndefined()
    expect(codeOf(await at.call(onLoginSSO, right))).toBe('signIn.ticketInvalid')

    const stolen = ticketIn(await issue())
    expect(codeOf(await at.call(onLoginSSO, { ticket: stolen }))).toBe('signIn.ticketInvalid')
    expect(codeOf(await at.call(onLoginSSO, { ticket: stolen, audience: 'inspection' }))).toBe('signIn.ticketInvalid')
    const late = ticketIn(await issue())
    at.later(31)
    expect(codeOf(await at.call(onLoginSSO, { ticket: late, audience: 'inspection' }))).toBe('signIn.ticketInvalid')
  })

  test('of many uses at once one succeeds, and none after the session that asked has ended', async () => {
    await makeUser(at, 'paul', 'secret')
    await systemAt('https://inspection.example/')
    const token = await at.tokenOf('paul', 'secret')
    const issue = async () => ticketIn(dataOf(await at.call(createTicket, { system: 'inspection' }, token)).address)
    const ticket = await issue()
    const uses = Array.from({ length: 16 }, () => at.call(onLoginSSO, { ticket, audience: 'inspection' }))
    expect((await Promise.all(uses)).filter((each) => codeOf(each) === '')).toHaveLength(1)
    const orphan = await issue()
    await sql`update session set ended_at = now(), end_reason = 'sign_out' where user_id =
      (select id from app_user where account = 'paul')`.execute(at.pool.db)
    expect(codeOf(await at.call(onLoginSSO, { ticket: orphan, audience: 'inspection' }))).toBe('signIn.ticketInvalid')
  })

  test('for another door of this server puts nobody out, and its session goes with the one that asked', async () => {
    const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(at.pool.db)
    const merchantId = await makeMerchant(at.pool, 'SINGLE', true, found.rows[0]?.id ?? 0)
    await makeUser(at, 'quin', 'secret', { merchantId })
    await systemAt(`${ORIGIN}/databases`)
    const token = await at.tokenOf('quin', 'secret')
    const { address } = dataOf(await at.call(createTicket, { system: 'inspection' }, token))
    const handed = await at.call(onLoginSSO, { ticket: ticketIn(address) })
    const there = String(handed.body.session_key)
    for (const each of [token, there]) expect(codeOf(await at.call(getUserInfo, {}, each))).toBe('H0000')
    const ends = await sql<{
      ends_at: Date
    }>`select distinct s.ends_at from session s join app_user u on u.id = s.user_id
      where u.account = 'quin'`.execute(at.pool.db)
    expect(ends.rows).toHaveLength(1)
    const heard = await heardWhile(() => at.tokenOf('quin', 'secret'))
    expect(heard.map((each) => JSON.parse(each).code)).toEqual(['B1000', 'B1000'])
    for (const each of [token, there]) expect(codeOf(await at.call(getUserInfo, {}, each))).toBe('B1000')
  })
})
