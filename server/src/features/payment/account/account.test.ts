import {
  addPaymentAccount,
  copyPaymentAccount,
  editPaymentAccount,
  getPaymentAccount,
  listPaymentAccounts,
  publishPaymentAccount,
  removePaymentAccount,
  stopPaymentAccount,
  unpublishPaymentAccount,
} from '@aisle/contract/payment/account'
import { getCollection, listCollections } from '@aisle/contract/payment/collection'
import { addAcquirer, removeAcquirer } from '@aisle/contract/payment/acquirer'
import { addProviderAccount } from '@aisle/contract/payment/provider'
import { listPaymentServices, switchServiceOff, switchServiceOn } from '@aisle/contract/payment/service'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BuiltMachine, addMachine, addMerchant, addProduct } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { openProviders, type Providers } from '../../../testing/provider'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes } from './account.routes'
import { findAccounts } from './account.store'
import { routes as acquirerRoutes } from './acquirer'
import { routes as providerRoutes } from './provider.routes'
import { publishDue } from './publish.jobs'
import { routes as serviceRoutes } from './service.routes'

const NOW = new Date('2026-11-22T04:00:00Z')
let world: World
let http: HttpWorld
let providers: Providers
let platform: string
let owner: string
let platformId: number
let merchantId: number
let providerAccountId: number
let machines: BuiltMachine[]

beforeAll(async () => {
  world = await openWorld(NOW)
  http = await openHttp(world, routesWith(...routes, ...serviceRoutes, ...acquirerRoutes, ...providerRoutes))
  providers = await openProviders(world)
  const { db } = world.services
  platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const products = [await addProduct(db, { merchantId })]
  machines = [await addMachine(db, { merchantId, products }), await addMachine(db, { merchantId, products })]
  const grants = ['paymentAccount.*', 'paymentService.*']
  const admin = await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants })
  const person = await addUser(db, { merchantId, grants })
  platform = await addSession(db, admin.id, NOW)
  owner = await addSession(db, person.id, NOW)
  ;({ providerAccountId } = await providers.add({ merchantId: platformId, provider: 'wechat' }))
})
afterAll(async () => {
  await providers.standIn.stop()
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOW)
  const { db } = world.services
  await sql`update payment_account set state = 'stopped', stopped_at = ${NOW} where state = 'activated'`.execute(db)
  await sql`delete from payment_account where state = 'preparing'`.execute(db)
})

type Called = [Parameters<HttpWorld['call']>[0], Record<string, unknown>?, string?]
const call = async (...[endpoint, input = {}, token = platform]: Called) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: String(body.code), data: body.data as Record<string, unknown>, body }
}
const wanted = {
  products: ['native', 'barcode'],
  subMerchantNo: '1900000999',
  paymentTitle: 'Corner shop',
  fundsMode: 'demo',
  receivingNumber: '6222021234567894321',
}
const prepared = async (more: Record<string, unknown> = {}, token = platform): Promise<number> => {
  const { data } = await call(addPaymentAccount, { merchantId, providerAccountId, ...wanted, ...more }, token)
  return Number(data?.id)
}
const versionOf = async (id: number) => Number((await call(getPaymentAccount, { id })).data.version)
const turned = async (...[endpoint, id, more = {}, token]: [Called[0], number, Record<string, unknown>?, string?]) =>
  call(endpoint, { id, version: await versionOf(id), ...more }, token ?? platform)
const stateOf = async (id: number) => (await call(getPaymentAccount, { id })).data.state
const collector = async (machine = machines[0]) => {
  const ask = { machineId: machine?.id ?? 0, method: 'wechat' as const, product: 'native' as const }
  return (await findAccounts(world.services.db, [ask])).get(ask)?.id ?? null
}

test('an account collects from its activation, is locked from then on, and is changed in a copy', async () => {
  const id = await prepared()
  expect(await collector()).toBeNull()
  expect((await turned(publishPaymentAccount, id)).status).toBe(200)
  expect(await collector()).toBe(id)
  const edited = await turned(editPaymentAccount, id, { ...wanted, paymentTitle: 'Another' })
  expect([edited.status, edited.code]).toEqual([409, 'paymentAccount.locked'])
  expect((await turned(removePaymentAccount, id)).code).toBe('paymentAccount.state')
  const copy = Number((await turned(copyPaymentAccount, id)).data.id)
  expect((await call(getPaymentAccount, { id: copy })).data).toMatchObject({
    state: 'preparing',
    copiedFrom: id,
    replaces: id,
    paymentTitle: 'Corner shop',
    receivingTail: '4321',
    hindrances: [],
  })
  expect((await turned(editPaymentAccount, copy, { ...wanted, paymentTitle: 'Another' })).status).toBe(200)
  expect((await turned(publishPaymentAccount, copy)).status).toBe(200)
  expect(await collector()).toBe(copy)
  expect((await call(getPaymentAccount, { id })).data).toMatchObject({ state: 'stopped', replacedBy: copy })
  expect((await turned(stopPaymentAccount, copy, { reason: 'contract ended' })).status).toBe(200)
  expect(await collector()).toBeNull()
  expect((await turned(publishPaymentAccount, copy)).code).toBe('paymentAccount.state')
})

test('what is missing is said before an activation, in words', async () => {
  const id = await prepared({ paymentTitle: '', fundsMode: 'direct' })
  const { hindrances } = (await call(getPaymentAccount, { id })).data
  expect(hindrances).toEqual(['paymentTitle', 'modeSandbox', 'modeHeld'])
  const refused = await turned(publishPaymentAccount, id)
  expect([refused.status, refused.code]).toEqual([422, 'paymentAccount.incomplete'])
  expect(String(refused.body.msg)).toContain('付款抬头')
  expect(await stateOf(id)).toBe('preparing')
})

test('an activation waits for its hour within a day, locked, and may be taken back', async () => {
  const id = await prepared()
  const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString()
  expect((await turned(publishPaymentAccount, id, { publishAt: at(25) })).code).toBe('paymentAccount.publishTime')
  expect((await turned(publishPaymentAccount, id, { publishAt: at(0.1) })).status).toBe(200)
  expect((await turned(editPaymentAccount, id, wanted)).code).toBe('paymentAccount.locked')
  const { db } = world.services
  await expect(sql`update payment_account set bank = 'x' where id = ${id}`.execute(db)).rejects.toThrow(/waits/)
  await publishDue(world.services)
  expect([await stateOf(id), await collector()]).toEqual(['scheduled', null])
  expect((await turned(unpublishPaymentAccount, id)).status).toBe(200)
  expect((await turned(publishPaymentAccount, id, { publishAt: at(0.2) })).status).toBe(200)
  world.setNow(new Date(at(0.2)))
  await Promise.all([publishDue(world.services), publishDue(world.services)])
  expect([await stateOf(id), await collector()]).toEqual(['activated', id])
  const { activatedBy } = (await call(getPaymentAccount, { id })).data
  expect(await jobsLog(id)).toEqual([
    { before: { state: 'scheduled' }, after: { state: 'activated', replaced: null, askedBy: expect.any(Number) } },
  ])
  expect(activatedBy).not.toBeNull()
})

/** What stands in the log of an account without a person: once, however many jobs ran. */
async function jobsLog(id: number) {
  const found = await sql<{ before: unknown; after: unknown }>`select l.before, l.after from audit_log l
    join audit_pending p on p.log_id = l.id
    where l.object_kind = 'paymentAccount' and l.object_id = ${String(id)} and l.user_id is null
      and l.action = 'payment.publishPaymentAccount'`.execute(world.services.db)
  return found.rows
}

test('what has lost a key by its hour goes back to its desk and says why', async () => {
  const id = await prepared()
  const publishAt = new Date(NOW.getTime() + 60_000).toISOString()
  await turned(publishPaymentAccount, id, { publishAt })
  const { db } = world.services
  const key = sql`provider_account_id = ${providerAccountId} and kind = 'provider_key'`
  await sql`update provider_key set valid_until = ${NOW} where ${key}`.execute(db)
  world.setNow(new Date(publishAt))
  await publishDue(world.services)
  await sql`update provider_key set valid_until = null where ${key}`.execute(db)
  const { data } = await call(getPaymentAccount, { id })
  expect(data).toMatchObject({ state: 'preparing', publishAt: null, publishFault: 'keysExpired' })
  expect(await jobsLog(id)).toEqual([
    expect.objectContaining({ after: expect.objectContaining({ state: 'preparing', fault: 'keysExpired' }) }),
  ])
})

test('of many activated at once, one collects for the merchant and the others are stopped in its favour', async () => {
  const ids = await Promise.all(Array.from({ length: 16 }, () => prepared()))
  const answers = await Promise.all(ids.map((id) => call(publishPaymentAccount, { id, version: 1 })))
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
  const states = await Promise.all(ids.map(stateOf))
  expect(states.filter((state) => state === 'activated')).toHaveLength(1)
  expect(ids[states.indexOf('activated')]).toBe(await collector())
})

test('numbers of a merchant above are collected under by its word alone', async () => {
  const id = await prepared({}, owner)
  expect((await call(getPaymentAccount, { id }, owner)).data).toMatchObject({ mayPublish: false })
  const refused = await turned(publishPaymentAccount, id, {}, owner)
  expect([refused.status, refused.code]).toEqual([403, 'paymentAccount.notYours'])
  expect((await turned(publishPaymentAccount, id)).status).toBe(200)
  expect((await turned(stopPaymentAccount, id, { reason: 'no more' }, owner)).code).toBe('paymentAccount.notYours')
})

test('where the platform answers for the money, a merchant prepares an account and it activates it', async () => {
  const own = await providers.add({ merchantId, provider: 'alipay' })
  const mine = (fundsMode: string) => prepared({ fundsMode, providerAccountId: own.providerAccountId }, owner)
  for (const fundsMode of ['custody', 'profit_share']) {
    const id = await mine(fundsMode)
    const seen = (await call(getPaymentAccount, { id }, owner)).data
    expect(seen).toMatchObject({ mayPublish: true, mayActivate: false })
    const refused = await turned(publishPaymentAccount, id, {}, owner)
    expect([refused.status, refused.code]).toEqual([403, 'paymentAccount.platformOnly'])
    const later = await turned(publishPaymentAccount, id, { publishAt: new Date(NOW.getTime() + 3_600_000) }, owner)
    expect(later.code).toBe('paymentAccount.platformOnly')
    expect(await stateOf(id)).toBe('preparing')
    // A sandbox holds nothing real: that alone stops the platform.
    expect((await turned(publishPaymentAccount, id)).code).toBe('paymentAccount.incomplete')
  }
  const demo = await mine('demo')
  expect((await call(getPaymentAccount, { id: demo }, owner)).data).toMatchObject({ mayActivate: true })
  expect((await turned(publishPaymentAccount, demo, {}, owner)).code).toBe('H0000')
})

test('a machine of its own account shows it, and why the merchant’s does not collect there', async () => {
  const [first, second] = machines
  const whole = await prepared()
  await turned(publishPaymentAccount, whole)
  const special = await prepared({ machineCode: first?.code })
  await turned(publishPaymentAccount, special)
  expect([await collector(first), await collector(second)]).toEqual([special, whole])
  const listed = (await call(listCollections, {}, owner)).data.items as Record<string, unknown>[]
  expect(listed.map(({ wechat, alipay }) => [wechat, alipay])).toEqual([
    ['machine', 'reader'],
    ['merchant', 'reader'],
  ])
  const { data } = await call(getCollection, { id: first?.id }, owner)
  const ways = (data.providers as { provider: string; products: { considered: unknown[] }[] }[]).find(
    ({ provider }) => provider === 'wechat',
  )
  expect(ways?.products[0]?.considered).toEqual([
    expect.objectContaining({ accountId: special, by: 'machine', verdict: 'collects' }),
    expect.objectContaining({ accountId: whole, by: 'merchant', verdict: 'nearer' }),
  ])
  expect((await call(getPaymentAccount, { id: whole })).data).toMatchObject({ machines: 1 })
})

test('a service that is switched off collects nowhere, until it is on again', async () => {
  const id = await prepared()
  await turned(publishPaymentAccount, id)
  const { db } = world.services
  const found = await sql<{ id: number; version: number }>`select id, version from payment_service
    where provider = 'wechat' and product = 'native'`.execute(db)
  const service = found.rows[0] ?? { id: 0, version: 0 }
  expect((await call(switchServiceOff, { ...service, reason: 'provider down' }, owner)).status).toBe(404)
  expect((await call(switchServiceOff, { ...service, reason: 'provider down' })).status).toBe(200)
  expect(await collector()).toBeNull()
  const again = { id: service.id, version: service.version + 1 }
  expect((await call(switchServiceOff, { ...again, reason: 'provider down' })).code).toBe('paymentService.state')
  expect((await call(switchServiceOn, again)).status).toBe(200)
  expect(await collector()).toBe(id)
})

test('a provider with a name speaks the protocol of another, and its services are its own to switch', async () => {
  const { db } = world.services
  const bank = { provider: 'wechat', name: 'Bank of the North' }
  expect((await call(addAcquirer, bank, owner)).status).toBe(404)
  const { id: acquirerId } = (await call(addAcquirer, bank)).data
  expect((await call(addAcquirer, { ...bank, name: 'bank of the north' })).code).toBe('acquirer.nameTaken')
  const numbers = { merchantId: platformId, provider: 'wechat', name: 'At the bank', acquirerId }
  expect((await call(addProviderAccount, { ...numbers, provider: 'alipay' })).code).toBe(
    'providerAccount.otherProtocol',
  )
  const made = await call(addProviderAccount, numbers)
  const there = Number(made.data.id)
  // As its keys are set and tested, of which other tests speak.
  const id = Number((await call(addPaymentAccount, { merchantId, providerAccountId: there, ...wanted })).data.id)
  await sql`update payment_account set state = 'activated', activated_at = ${NOW} where id = ${id}`.execute(db)
  expect(await collector()).toBe(id)
  const services = async () => {
    const { items } = (await call(listPaymentServices, { provider: 'wechat' })).data as {
      items: { id: number; acquirer: string | null; product: string; accounts: number }[]
    }
    return items.map(({ id: service, ...row }) => ({ service, ...row }))
  }
  const found = await services()
  expect(found).toMatchObject([
    { acquirer: null, product: 'native', accounts: 0 },
    { acquirer: null, product: 'barcode', accounts: 0 },
    { acquirer: 'Bank of the North', product: 'native', accounts: 1, interfaceType: 'wechat_v3' },
    { acquirer: 'Bank of the North', product: 'barcode', accounts: 1 },
  ])
  const [shipped, , own] = found
  const off = (service: number | undefined) =>
    call(switchServiceOff, { id: Number(service), version: 1, reason: 'provider down' })
  await sql`update payment_service set version = 1`.execute(db)
  expect((await off(shipped?.service)).status).toBe(200)
  expect(await collector()).toBe(id)
  expect((await off(own?.service)).status).toBe(200)
  expect(await collector()).toBeNull()
  await sql`update payment_service set is_on = true`.execute(db)
  expect((await call(removeAcquirer, { id: acquirerId })).code).toBe('request.inUse')
})

test('the receiving account is kept sealed and shown by its tail alone', async () => {
  const id = await prepared()
  const { number } = { number: wanted.receivingNumber }
  const answers = [await call(getPaymentAccount, { id }), await call(listPaymentAccounts)]
  expect(JSON.stringify(answers)).not.toContain(number)
  const kept = await sql<{ text: string }>`select (select string_agg(row_to_json(a)::text, '') from payment_account a)
    || (select string_agg(row_to_json(a)::text, '') from audit_log a)
    || (select string_agg(row_to_json(i)::text, '') from idempotency_key i) as text`.execute(world.services.db)
  expect(kept.rows[0]?.text).not.toContain(number)
})
