import { createServer, type Server } from 'node:http'
import { getUserInfo, onLoginSSO } from '@aisle/contract/identity/session'
import { getEntrance, getSsoProvider, saveSsoProvider, startSSO } from '@aisle/contract/identity/sso'
import { sql } from 'kysely'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Accounts, codeOf, dataOf, openAccounts } from '../../../testing/accounts'
import { makeMerchant, makeUser, ORIGIN } from '../testing'

/** A real provider of OpenID Connect on this machine: whoever asks is signed in as `person` without being asked. */
let at: Accounts
let server: Server
let issuer: string
let person = 'nobody'
let admin: string
let merchantId: number
let roleId: number

const people: Record<string, Record<string, unknown>> = {
  'sub-known': { preferred_username: 'Known', name: 'Known Person' },
  'sub-twin': { preferred_username: 'known', name: 'Somebody with the same name' },
  'sub-new': { preferred_username: 'new.person', name: 'New Person' },
  'sub-gone': { preferred_username: 'gone' },
  'sub-mail': { email: 'known', email_verified: false },
  'sub-silent': { email: 'known' },
  'sub-checked': { email: 'checked', email_verified: true },
}

beforeAll(async () => {
  at = await openAccounts()
  ;({ issuer, server } = await startProvider())
  await makeUser(at, 'root', 'secret', { grants: ['*'] })
  await sql`update app_user set kind = 'platform_admin' where account = 'root'`.execute(at.pool.db)
  await makeUser(at, 'known', 'secret')
  await makeUser(at, 'checked', 'secret')
  await makeUser(at, 'gone', 'secret', { state: 'disabled' })
  const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(at.pool.db)
  merchantId = await makeMerchant(at.pool, 'STAFF', false, found.rows[0]?.id ?? 0)
  const role = await sql<{ id: number }>`with made as (insert into role (merchant_id, name)
      values (${merchantId}, 'Reader') returning id)
    insert into role_permission select id, 'machine.read' from made returning role_id as id`.execute(at.pool.db)
  roleId = role.rows[0]?.id ?? 0
  admin = await at.tokenOf('root', 'secret')
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await at.close()
})

async function startProvider(): Promise<{ issuer: string; server: Server }> {
  const listening = createServer()
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done))
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const own = `http://127.0.0.1:${address.port}`
  const provider = new Provider(own, {
    clients: [{ client_id: 'aisle', client_secret: 'client-secret', redirect_uris: [`${ORIGIN}/ssologin`] }],
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
  })
  const handle = provider.callback()
  listening.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    void agree(provider, request, response)
  })
  return { issuer: own, server: listening }
}

/** What a person does at the provider's pages. */
async function agree(
  provider: Provider,
  request: Parameters<Provider['interactionDetails']>[0],
  response: Parameters<Provider['interactionDetails']>[1],
) {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId: person, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const result = { login: { accountId: person }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result)
}

const configured = (more: Record<string, unknown> = {}) => ({
  name: 'Company account',
  issuer,
  clientId: 'aisle',
  scope: 'openid profile email',
  accountClaim: 'preferred_username',
  rule: 'match',
  merchantId: null,
  roleId: null,
  isEnabled: true,
  clientSecret: 'client-secret',
  version: null,
  ...more,
})
async function versionNow(): Promise<number | null> {
  const { provider } = dataOf(await at.call(getSsoProvider, {}, admin))
  return provider ? provider.version : null
}
const configure = async (more: Record<string, unknown> = {}) =>
  at.call(saveSsoProvider, configured({ version: await versionNow(), ...more }), admin)

const browserKey = 'a-browser-that-names-itself-at-random'

/** What the browser does: there, through the provider's redirects with its cookies, and back. */
async function goAndComeBack(as: string): Promise<Record<string, string>> {
  person = as
  let address = String(dataOf(await at.call(startSSO, { browserKey })).address)
  const cookies = new Map<string, string>()
  while (!address.startsWith(ORIGIN)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [name = '', value = ''] = each.split(';', 1)[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (!next) throw new Error(`the provider stopped at ${address}: ${await response.text()}`)
    address = new URL(next, address).href
  }
  return Object.fromEntries(new URL(address).searchParams)
}
const signInAs = async (as: string) => at.call(onLoginSSO, { ...(await goAndComeBack(as)), browserKey })

describe('single sign-on', () => {
  test('says so honestly while nothing is configured', async () => {
    expect(dataOf(await at.call(getEntrance)).ssoName).toBeNull()
    expect(codeOf(await at.call(startSSO, { browserKey }))).toBe('signIn.ssoNotConfigured')
    expect(codeOf(await at.call(onLoginSSO, { code: 'x', state: 'y' }))).toBe('signIn.ssoNotConfigured')
  })

  test('is set up by the platform’s administrator, whose secret nobody reads again', async () => {
    await makeUser(at, 'below', 'secret', { merchantId, grants: ['setting.write'] })
    const below = await at.tokenOf('below', 'secret')
    expect(codeOf(await at.call(saveSsoProvider, configured(), below))).toBe('request.notPermitted')
    expect(codeOf(await configure({ issuer: 'http://127.0.0.1:1' }))).toBe('sso.issuerUnreachable')
    expect(codeOf(await configure({ clientSecret: undefined }))).not.toBe('H0000')
    expect(codeOf(await configure({ rule: 'make' }))).toBe('sso.ruleIncomplete')
    expect(codeOf(await configure())).toBe('H0000')
    const shown = await at.call(getSsoProvider, {}, admin)
    expect(dataOf(shown).provider).toMatchObject({ issuer, hasSecret: true })
    expect(shown.text).not.toContain('client-secret')
    const moved = { issuer: 'https://elsewhere.example', clientSecret: undefined }
    for (const isEnabled of [true, false])
      expect(codeOf(await configure({ ...moved, isEnabled }))).toBe('sso.secretMissing')
    expect(codeOf(await at.call(saveSsoProvider, configured({ version: null, name: 'Late' }), admin))).toBe(
      'edit.stale',
    )
    expect(dataOf(await at.call(getEntrance)).ssoName).toBe('Company account')
  })

  test('signs in the account that the provider names, and nobody else who takes that name later', async () => {
    const { body } = await signInAs('sub-known')
    expect(body).toMatchObject({ code: '', userInfo: { accountname: 'known' }, customData: { subject: 'sub-known' } })
    expect(codeOf(await at.call(getUserInfo, {}, String(body.session_key)))).toBe('H0000')
    expect(codeOf(await signInAs('sub-twin'))).toBe('signIn.ssoNoAccount')
    people['sub-known'] = { preferred_username: 'renamed' }
    expect((await signInAs('sub-known')).body).toMatchObject({ userInfo: { accountname: 'known' } })
  })

  test('lets in no disabled account, no unknown one, and none by an address that was not checked', async () => {
    expect(codeOf(await signInAs('sub-gone'))).toBe('signIn.ssoNoAccount')
    expect(codeOf(await signInAs('sub-new'))).toBe('signIn.ssoNoAccount')
    await configure({ accountClaim: 'email' })
    for (const each of ['sub-mail', 'sub-silent']) expect(codeOf(await signInAs(each))).toBe('signIn.ssoNoAccount')
    expect(codeOf(await signInAs('sub-checked'))).toBe('')
    await configure()
  })

  test('makes accounts where the rule says so, once, with the merchant and the role of the rule', async () => {
    await configure({ rule: 'make', merchantId, roleId })
    const first = await signInAs('sub-new')
    const info = dataOf(await at.call(getUserInfo, {}, String(first.body.session_key)))
    expect(info).toMatchObject({ accountname: 'new.person', displayName: 'New Person', permissions: ['machine.read'] })
    expect(info.merchant.id).toBe(merchantId)
    const second = await signInAs('sub-new')
    expect(second.body.userInfo).toMatchObject({ userid: Object(first.body.userInfo).userid })
    await configure()
  })

  test('takes what came back once, in the browser that began, with its own state, within ten minutes', async () => {
    const back = await goAndComeBack('sub-known')
    const other = { ...back, browserKey: 'another-browser-altogether' }
    expect(codeOf(await at.call(onLoginSSO, other))).toBe('signIn.ssoFailed')
    expect(codeOf(await at.call(onLoginSSO, { ...back, state: 'made-up', browserKey }))).toBe('signIn.ssoFailed')
    expect(codeOf(await at.call(onLoginSSO, { ...back, browserKey }))).toBe('')
    expect(codeOf(await at.call(onLoginSSO, { ...back, browserKey }))).toBe('signIn.ssoFailed')
    const forged = { ...(await goAndComeBack('sub-known')), code: 'made-up' }
    expect(codeOf(await at.call(onLoginSSO, { ...forged, browserKey }))).toBe('signIn.ssoFailed')
    const late = await goAndComeBack('sub-known')
    at.later(601)
    expect(codeOf(await at.call(onLoginSSO, { ...late, browserKey }))).toBe('signIn.ssoFailed')
  })

  test('asks for the second factor of who has one', async () => {
    const userId = Number(Object((await signInAs('sub-known')).body.userInfo).userid)
    await sql`insert into second_factor (user_id, secret, last_step, confirmed_at)
      values (${userId}, '\\x00', 0, now())`.execute(at.pool.db)
    expect((await signInAs('sub-known')).body).toMatchObject({ code: 'signIn.secondFactor' })
  })
})
