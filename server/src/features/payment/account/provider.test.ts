import {
  addProviderAccount,
  editProviderAccount,
  getProviderAccount,
  listProviderAccounts,
  setProviderKey,
  testProviderKeys,
} from '@aisle/contract/payment/provider'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strangersKey } from '../../../../../fleet/src/provider/keys'
import { addMerchant } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { openProviders, type Providers } from '../../../testing/provider'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { openProvider } from './account.store'
import { warnOfKeys } from './key.jobs'
import { testKeys } from './provider.jobs'
import { routes } from './provider.routes'
import { makeCertificate } from '../channel/testing.certificate'

const NOW = new Date('2026-11-22T04:00:00Z')
let world: World
let http: HttpWorld
let providers: Providers
let platformId: number
let token: string

beforeAll(async () => {
  world = await openWorld(NOW)
  http = await openHttp(world, routesWith(...routes))
  providers = await openProviders(world)
  const { db } = world.services
  platformId = await addMerchant(db)
  const grants = ['paymentService.*']
  const admin = await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants })
  token = await addSession(db, admin.id, NOW)
})
afterAll(async () => {
  await providers.standIn.stop()
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input = {}]: [Parameters<HttpWorld['call']>[0], Record<string, unknown>?]) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: String(body.code), data: body.data as Record<string, unknown>, text: JSON.stringify(body) }
}
const add = async (provider: string, name: string) => {
  const numbers = { appId: 'wx1', providerNo: '1900' }
  return Number((await call(addProviderAccount, { merchantId: platformId, provider, name, ...numbers })).data?.id)
}
const set = (id: number, kind: string, keyText: string) => call(setProviderKey, { id, kind, keyText })
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)

test('keys are checked, sealed, opened for the channel alone, and never seen again', async () => {
  const id = await add('wechat', 'canary')
  const own = makeCertificate('canary of ours', inDays(20))
  const apiKey = 'canary-of-an-api-key-32-letters!'
  expect((await set(id, 'certificate', own.certificate)).status).toBe(200)
  expect((await set(id, 'private_key', strangersKey())).code).toBe('providerKey.notPair')
  const answers = [
    await set(id, 'private_key', own.privateKey),
    await set(id, 'api_key', apiKey),
    await set(id, 'provider_key', makeCertificate('theirs', inDays(500)).certificate),
    await call(getProviderAccount, { id }),
    await call(listProviderAccounts),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(answers[3]?.data).toMatchObject({ keyState: 'expiring', validUntil: expect.stringContaining('2026-12-12') })
  const secrets = [apiKey, own.privateKey.split('\n')[3] ?? '']
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(world.services.db)
  const kept: string[] = answers.map(({ text }) => text)
  for (const { name } of tables.rows) {
    const found = await sql<{ text: string | null }>`select string_agg(r::text, ' ') as text
      from ${sql.table(name)} r`.execute(world.services.db)
    kept.push(found.rows[0]?.text ?? '')
  }
  for (const secret of secrets) expect(kept.some((text) => text.includes(secret))).toBe(false)
  const opened = await openProvider(world.services.db, world.services.keys, id)
  expect(opened).toMatchObject({ apiKey, privateKey: own.privateKey, certificateSerial: '1A2B3C4D5E6F' })
})

test('each provider takes the keys that its protocol knows; UnionPay numbers certificates in decimal', async () => {
  const id = await add('unionpay', 'numbers')
  expect((await set(id, 'api_key', 'a'.repeat(32))).code).toBe('providerKey.notUsed')
  expect((await set(id, 'certificate', 'no certificate')).code).toBe('providerKey.unreadable')
  expect((await set(id, 'certificate', makeCertificate('over', inDays(-1)).certificate)).code).toBe(
    'providerKey.expired',
  )
  await set(id, 'certificate', makeCertificate('ours', inDays(90)).certificate)
  const opened = await openProvider(world.services.db, world.services.keys, id)
  expect(opened?.certificateSerial).toBe(String(0x1a2b3c4d5e6f))
})

test('a test asks the provider something signed, and tells good keys from wrong ones and from silence', async () => {
  for (const provider of ['wechat', 'alipay', 'unionpay'] as const) {
    const { providerAccountId: id } = await providers.add({ merchantId: platformId, provider })
    const outcome = async () => {
      expect((await call(testProviderKeys, { id })).status).toBe(200)
      expect((await call(getProviderAccount, { id })).data.testOutcome).toBeNull()
      await testKeys(world.services, id)
      return (await call(getProviderAccount, { id })).data.testOutcome
    }
    expect([provider, await outcome()]).toEqual([provider, 'good'])
    const stranger = strangersKey()
    await sql`delete from provider_key where provider_account_id = ${id} and kind = 'certificate'`.execute(
      world.services.db,
    )
    expect((await set(id, 'private_key', stranger)).status).toBe(200)
    if (provider !== 'alipay') {
      await testKeys(world.services, id)
      const found = await sql<{ outcome: string }>`select test_outcome as outcome from provider_account
        where id = ${id}`.execute(world.services.db)
      expect(found.rows[0]?.outcome).toBe('unset')
      continue
    }
    expect([provider, await outcome()]).toEqual([provider, 'refused'])
    await sql`update provider_account set gateway = 'http://127.0.0.1:9/' where id = ${id}`.execute(world.services.db)
    expect([provider, await outcome()]).toEqual([provider, 'silent'])
  }
})

test('numbers stay as they are while payments are collected under them; the gateway may move', async () => {
  const merchantId = await addMerchant(world.services.db, { parentId: platformId })
  const { providerAccountId: id } = await providers.add({ merchantId, provider: 'alipay', providerNo: '2088' })
  const { version, name, appId, gateway } = (await call(getProviderAccount, { id })).data
  const same = { id, version, name, environment: 'sandbox', appId, providerNo: '2088', gateway }
  expect((await call(editProviderAccount, { ...same, providerNo: '2089' })).code).toBe('providerAccount.collects')
  expect((await call(editProviderAccount, { ...same, gateway: 'https://moved.example/gateway.do' })).status).toBe(200)
  // What was collected is paid back under the same numbers.
  await sql`update payment_account set state = 'stopped', stopped_at = ${NOW}
    where provider_account_id = ${id}`.execute(world.services.db)
  const later = { ...same, version: 2, gateway: 'https://moved.example/gateway.do' }
  expect((await call(editProviderAccount, { ...later, providerNo: '2089' })).code).toBe('providerAccount.collects')
  await expect(
    sql`update provider_account set provider_no = '2089' where id = ${id}`.execute(world.services.db),
  ).rejects.toThrow(/collects/)
})

test('nobody of a merchant sends our servers into a private network', async () => {
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: platformId })
  const owner = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['paymentService.*'] })
  const own = await addSession(db, owner.id, world.services.clock.now())
  const asked = { merchantId, provider: 'wechat', name: 'own', appId: 'wx1', providerNo: '1900' }
  const ask = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>) =>
    (await http.call(endpoint, input, { token: own })).body
  const inner = { gateway: 'http://169.254.169.254/latest' }
  expect(await ask(addProviderAccount, { ...asked, ...inner })).toMatchObject({ code: 'providerAccount.gateway' })
  const made = await ask(addProviderAccount, { ...asked, gateway: 'https://pay.example.com' })
  expect(made).toMatchObject({ code: 'H0000' })
  const { id } = Object(made.data)
  const same = { id, version: 1, name: 'own', environment: 'production', appId: 'wx1', providerNo: '1900' }
  expect(await ask(editProviderAccount, { ...same, ...inner })).toMatchObject({ code: 'providerAccount.gateway' })
})

test('whoever may set keys is told of an end thirty, seven and one days before it, once each', async () => {
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: platformId })
  const { providerAccountId } = await providers.add({ merchantId, provider: 'wechat', providerNo: '1900000777' })
  const may = await addUser(db, { merchantId, grants: ['paymentService.secret'] })
  const mayNot = await addUser(db, { merchantId, grants: ['paymentService.write'] })
  const elsewhere = await addMerchant(db, { parentId: platformId })
  const stranger = await addUser(db, { merchantId: elsewhere, grants: ['paymentService.*'] })
  await sql`update provider_key set valid_until = case kind when 'certificate' then ${inDays(40)}::timestamptz end
    where provider_account_id = ${providerAccountId}`.execute(db)
  const told = async (days: number) => {
    world.setNow(inDays(days))
    await warnOfKeys(world.services)
    await warnOfKeys(world.services)
    const found = await sql<{ id: number; count: number }>`select user_id as id, count(*)::int as count
      from outbox_message where type = 'providerKey.expiring' and user_id = any(${[may, mayNot, stranger].map(
        ({ id }) => id,
      )}::bigint[]) group by 1`.execute(db)
    expect(found.rows.map(({ id }) => id).filter((id) => id !== may.id)).toEqual([])
    return found.rows[0]?.count ?? 0
  }
  expect(await told(9)).toBe(0)
  expect([await told(10), await told(11), await told(33), await told(38)]).toEqual([1, 1, 2, 2])
  expect([await told(39), await told(41)]).toEqual([3, 3])
  const { rows } = await sql<{ title: string; body: string }>`select title, body from outbox_message
    where type = 'providerKey.expiring' and user_id = ${may.id} order by id limit 1`.execute(db)
  expect(rows[0]).toMatchObject({
    title: expect.stringContaining('我方证书'),
    body: expect.stringContaining('2027-01-01'),
  })
  world.setNow(NOW)
})
