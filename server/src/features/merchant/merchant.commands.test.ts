import { machineOperation } from '@aisle/contract/fleet/states'
import {
  createMerchant,
  deleteMerchant,
  editMerchant,
  getMerchant,
  listMerchantTree,
  listServicePhones,
  moveMerchant,
  resumeMerchant,
  setServicePhone,
  stopMerchant,
} from '@aisle/contract/merchant/merchant'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { word } from '../../kernel/words'
import { addMachine, addMerchant, addProduct } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family, carrySms } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { startBus } from '../../transport/live/bus'
import { routes } from './merchant.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let platform: string
let admin: string
/** A child of ours with one machine and one user. */
let childId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  await carrySms(world.services.db)
  platform = await tokenOf({ merchantId: family.platformId, kind: 'platform_admin', grants: ['*'] })
  admin = await tokenOf({ merchantId: family.ours.merchantId, grants: ['merchant.*', 'order.read'] })
})
beforeEach(async () => {
  childId = await addMerchant(world.services.db, { parentId: family.ours.merchantId })
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function tokenOf(user: Parameters<typeof addUser>[1]): Promise<string> {
  const made = await addUser(world.services.db, user)
  return addSession(world.services.db, made.id, NOON)
}

let made = 0
const wanted = (more: Record<string, unknown> = {}) => {
  made += 1
  return {
    parentId: family.ours.merchantId,
    code: `NEW${made}`,
    name: `New ${made}`,
    type: 'ordinary',
    loginName: `boss${made}`,
    adminName: 'Ada',
    adminPhone: '13800000000',
    ...more,
  }
}
const create = (more: Record<string, unknown> = {}, token = admin) => http.call(createMerchant, wanted(more), { token })
const detail = async (id: number, token = platform) =>
  (await http.call(getMerchant, { id }, { token })).body.data as Record<string, unknown> & { version: number }
const codeOf = ({ status, body }: Answer) => [status, body.code]

async function edited(id: number, change: Record<string, unknown>, token: string): Promise<Answer> {
  const now = await detail(id)
  const names = ['name', 'contact', 'phone', 'address', 'servicePhone', 'category', 'tags', 'singleSession', 'type']
  const limits = [
    'collectsPayment',
    'pickupCodeLimit',
    'currency',
    'exchangeRate',
    'hasHighGo',
    'hasPharmacy',
    'hasShopping',
  ]
  const facts = Object.fromEntries([...names, ...limits].map((name) => [name, now[name]]))
  return http.call(editMerchant, { id, version: now.version, ...facts, ...change }, { token })
}

test('a new merchant stands below its parent, with an administrator whose password goes out sealed', async () => {
  const answer = await create({ servicePhone: '400 820 0001', tags: 'night,campus', exchangeRate: 0.5 })
  expect(answer.status).toBe(200)
  const { id, adminUserId } = answer.body.data as { id: number; adminUserId: number }
  expect(await detail(id, admin)).toMatchObject({ parentId: family.ours.merchantId, userCount: 1, exchangeRate: 0.5 })
  const sent = await sql<Record<string, unknown>>`select type, receiver, body, sealed_body is not null as sealed
    from outbox_message where user_id = ${adminUserId}`.execute(world.services.db)
  expect(sent.rows).toEqual([{ type: 'password.initial', receiver: '13800000000', body: '', sealed: true }])
  const rights = await sql<{ permission: string }>`select permission from user_role join role_permission using (role_id)
    where user_id = ${adminUserId}`.execute(world.services.db)
  // What its maker may, and no more.
  expect(new Set(rights.rows.map(({ permission }) => permission.split('.')[0]))).toEqual(new Set(['merchant', 'order']))
  const audited = await sql`select before, after from audit_log where merchant_id = ${id}`.execute(world.services.db)
  expect(JSON.stringify(audited.rows)).not.toMatch(/password/i)
})

test.each([
  [{ code: 'small' }, 'code'],
  [{ tags: 'a,b,' }, 'tags'],
  [{ tags: 'a，b' }, 'tags'],
  [{ servicePhone: 'call us' }, 'servicePhone'],
  [{ adminPhone: '12345' }, 'adminPhone'],
  [{ exchangeRate: 0 }, 'exchangeRate'],
  [{ currency: 'QQQ' }, 'currency'],
  [{ type: 'platform' }, 'type'],
  [{ name: ' ' }, 'name'],
])('%j is refused beside %s', async (more, path) => {
  const answer = await create(more)
  expect(codeOf(answer)).toEqual([422, 'request.invalid'])
  expect(answer.body.fields).toMatchObject([{ path }])
})

test('where the platform takes fewer mobile numbers, its administrator’s is refused too', async () => {
  await sql`insert into setting (key, value, changed_at) values ('phone.rule', '"narrow"', ${NOON})`.execute(
    world.services.db,
  )
  const answer = await create({ adminPhone: '16600000000' })
  expect(codeOf(answer)).toEqual([422, 'request.invalid'])
  expect(answer.body.fields).toMatchObject([{ path: 'adminPhone', msg: word('zh', 'kernel', 'rule.mobile.narrow') }])
  await sql`delete from setting where key = 'phone.rule'`.execute(world.services.db)
})

test('codes and accounts are given once', async () => {
  const first = wanted()
  await http.call(createMerchant, first, { token: admin })
  expect(codeOf(await create({ code: first.code }))).toEqual([409, 'merchant.codeTaken'])
  expect(codeOf(await create({ loginName: first.loginName.toUpperCase() }))).toEqual([409, 'merchant.accountTaken'])
})

test('nobody makes merchants outside their subtree, nor below a stopped one', async () => {
  expect(codeOf(await create({ parentId: family.theirs.merchantId }))).toEqual([404, 'request.notFound'])
  await http.call(stopMerchant, { id: childId, machines: 'sell', reason: 'moved away' }, { token: admin })
  expect(codeOf(await create({ parentId: childId }))).toEqual([409, 'merchant.parentStopped'])
  const ordinary = await tokenOf({ merchantId: family.ours.merchantId, kind: 'ordinary', grants: ['merchant.*'] })
  expect(codeOf(await create({}, ordinary))).toEqual([403, 'request.notPermitted'])
})

test('the tree shows each merchant with its way, whole or from one down, page by page', async () => {
  type Page = { items: { id: number; way: string[] }[]; nextCursor: string | null }
  const list = async (input: object, token: string) =>
    (await http.call(listMerchantTree, input as Record<string, unknown>, { token })).body.data as Page
  const below = await list({ merchantId: family.ours.merchantId, pageSize: 200 }, platform)
  expect(below.items[0]).toMatchObject({ id: family.ours.merchantId })
  expect(below.items.map(({ id }) => id)).toContain(childId)
  expect(below.items.map(({ id }) => id)).not.toContain(family.theirs.merchantId)
  const own = await list({ pageSize: 1 }, admin)
  expect(own.items[0]?.way).toHaveLength(1)
  const next = await list({ pageSize: 1, cursor: own.nextCursor ?? '' }, admin)
  expect(next.items[0]?.way).toHaveLength(2)
})

test('an edit is saved once; who read before is told what has changed since', async () => {
  const before = await detail(childId)
  expect((await edited(childId, { name: 'Renamed', contact: 'Bo' }, admin)).status).toBe(200)
  const stale = await edited(childId, { version: before.version, name: 'Mine' }, admin)
  expect(codeOf(stale)).toEqual([409, 'edit.stale'])
  const now = await detail(childId)
  expect(stale.body.fields).toMatchObject([
    { path: 'name', now: 'Renamed' },
    { path: 'version', msg: String(now.version) },
  ])
  expect((await edited(childId, { version: now.version, name: 'Mine' }, admin)).status).toBe(200)
  expect((await detail(childId)).name).toBe('Mine')
})

test('a pharmacy is switched off where no machine sells medicine, and its machines take no licence then', async () => {
  const { db } = world.services
  const { id: machineId } = await addMachine(db, { merchantId: childId, products: [], licenceMode: 'retail' })
  expect(codeOf(await edited(childId, { hasPharmacy: false }, platform))).toEqual([409, 'merchant.pharmacyInUse'])
  await sql`update machine set licence_mode = 'none' where id = ${machineId}`.execute(db)
  expect(codeOf(await edited(childId, { hasPharmacy: false }, platform))).toEqual([200, 'H0000'])
  const licensed = sql`update machine set licence_mode = 'retail' where id = ${machineId}`.execute(db)
  await expect(licensed).rejects.toMatchObject({ constraint: 'machine_pharmacy' })
})

test('an administrator changes what the own merchant is called, but not its type, money or limits', async () => {
  const own = family.ours.merchantId
  expect((await edited(own, { contact: 'Chen' }, admin)).status).toBe(200)
  const widening = [{ type: 'product' }, { collectsPayment: true }, { pickupCodeLimit: 5 }, { hasHighGo: true }]
  for (const change of widening) expect(codeOf(await edited(own, change, admin))).toEqual([403, 'merchant.own'])
  expect((await edited(childId, { collectsPayment: true, pickupCodeLimit: 5 }, admin)).status).toBe(200)
  expect((await edited(own, { hasHighGo: true }, platform)).status).toBe(200)
})

test('stopping puts its people out at once and leaves those of other merchants in', async () => {
  const inside = await tokenOf({ merchantId: childId, grants: ['merchant.read'] })
  const stopped = await http.call(stopMerchant, { id: childId, machines: 'sell', reason: 'unpaid' }, { token: admin })
  expect(stopped.body.data).toEqual({ id: childId, sessionsEnded: 1 })
  expect((await http.call(getMerchant, { id: childId }, { token: inside })).status).toBe(401)
  const again = await http.call(stopMerchant, { id: childId, machines: 'sell', reason: 'unpaid' }, { token: admin })
  expect(codeOf(again)).toEqual([409, 'merchant.state'])
  expect((await http.call(resumeMerchant, { id: childId }, { token: admin })).status).toBe(200)
  expect((await http.call(getMerchant, { id: childId }, { token: admin })).body.data).toMatchObject({ state: 'active' })
})

test.each([
  ['sell', 'in_operation'],
  ['stop', 'stopped'],
] as const)(
  'stopped with machines that %s: they are %s, and as before once it is resumed',
  async (machines, operation) => {
    const product = await addProduct(world.services.db, { merchantId: childId })
    const machine = await addMachine(world.services.db, { merchantId: childId, products: [product] })
    const operationNow = async () => {
      const found = await sql<{ operation: string }>`select operation_of(m, c) as operation
      from machine m join merchant c on c.id = m.merchant_id where m.id = ${machine.id}`.execute(world.services.db)
      return found.rows[0]?.operation
    }
    await http.call(stopMerchant, { id: childId, machines, reason: 'unpaid' }, { token: admin })
    expect(await operationNow()).toBe(operation)
    await http.call(resumeMerchant, { id: childId }, { token: admin })
    expect(await operationNow()).toBe(machineOperation.initial)
  },
)

test('nobody stops, moves or deletes the own merchant, and nobody the platform', async () => {
  const own = family.ours.merchantId
  const stop = (id: number, token: string) =>
    http.call(stopMerchant, { id, machines: 'sell', reason: 'because' }, { token })
  expect(codeOf(await stop(own, admin))).toEqual([403, 'merchant.own'])
  expect(codeOf(await http.call(deleteMerchant, { id: own }, { token: admin }))).toEqual([403, 'merchant.own'])
  expect(codeOf(await stop(family.platformId, platform))).toEqual([409, 'merchant.root'])
  expect(codeOf(await stop(family.theirs.merchantId, admin))).toEqual([404, 'request.notFound'])
})

test('a merchant moves with all below it, never below itself or to where its mover does not see', async () => {
  const grandchild = await addMerchant(world.services.db, { parentId: childId })
  const other = await addMerchant(world.services.db, { parentId: family.ours.merchantId })
  const move = async (id: number, parentId: number, token = admin) =>
    http.call(moveMerchant, { id, parentId, version: (await detail(id)).version }, { token })
  expect(codeOf(await move(childId, grandchild))).toEqual([409, 'merchant.belowItself'])
  expect(codeOf(await move(childId, childId))).toEqual([409, 'merchant.belowItself'])
  expect(codeOf(await move(childId, family.theirs.merchantId))).toEqual([404, 'request.notFound'])
  expect((await move(childId, other)).status).toBe(200)
  expect(((await detail(grandchild)).way as string[]).length).toBe(5)
  const stale = await http.call(
    moveMerchant,
    { id: childId, parentId: family.ours.merchantId, version: 1 },
    { token: admin },
  )
  expect(codeOf(stale)).toEqual([409, 'edit.stale'])
})

test('a move is heard by those below whom it hung, and by those below whom it hangs', async () => {
  const there = await addMerchant(world.services.db, { parentId: family.theirs.merchantId })
  const bus = await startBus(world.url, world.services.log)
  const heard = new Set<number>()
  const stopHearing = bus.hear((said) => {
    if (said.topic === 'changes' && said.kinds.includes('merchant')) for (const id of said.above) heard.add(id)
  })
  await http.call(moveMerchant, { id: childId, parentId: there, version: 1 }, { token: platform })
  for (const id of [family.ours.merchantId, family.theirs.merchantId, there])
    await expect.poll(() => heard).toContain(id)
  stopHearing()
  await bus.stop()
})

test('two who cross their moves end as a tree', async () => {
  const other = await addMerchant(world.services.db, { parentId: family.ours.merchantId })
  const answers = await Promise.all([
    http.call(moveMerchant, { id: childId, parentId: other, version: 1 }, { token: admin }),
    http.call(moveMerchant, { id: other, parentId: childId, version: 1 }, { token: admin }),
  ])
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
})

test('what is in use is not deleted and says by what; what is unused goes with its unused administrator', async () => {
  const used = await http.call(deleteMerchant, { id: family.ours.merchantId }, { token: platform })
  expect(codeOf(used)).toEqual([409, 'request.inUse'])
  const fields = used.body.fields as { msg: string }[]
  expect(fields.length).toBeGreaterThan(2)
  const { id } = (await create()).body.data as { id: number }
  expect((await http.call(deleteMerchant, { id }, { token: admin })).status).toBe(200)
  expect((await http.call(getMerchant, { id }, { token: platform })).status).toBe(404)
})

test('machines show the nearest number on the way up', async () => {
  type Phones = { items: { id: number; shown: string; servicePhone: string; version: number }[] }
  const phones = async () => (await http.call(listServicePhones, {}, { token: admin })).body.data as Phones
  const of = async (id: number) => (await phones()).items.find((each) => each.id === id)
  const set = async (id: number, servicePhone: string) =>
    http.call(setServicePhone, { id, servicePhone, version: (await of(id))?.version ?? 0 }, { token: admin })
  expect((await set(family.ours.merchantId, '400-820-0001')).status).toBe(200)
  expect(await of(childId)).toMatchObject({ servicePhone: '', shown: '400-820-0001' })
  expect((await set(childId, '021 5555 1234')).status).toBe(200)
  expect(await of(childId)).toMatchObject({ shown: '021 5555 1234' })
  expect((await phones()).items.map(({ id }) => id)).not.toContain(family.theirs.merchantId)
})
