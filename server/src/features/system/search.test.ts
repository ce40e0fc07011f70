import { search } from '@aisle/contract/system/search'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes as merchantRoutes } from '../merchant/merchant.routes'
import { addOrder } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './search.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let order: { id: number; orderNo: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...merchantRoutes))
  family = await addFamily(world.services.db, NOON)
  order = await addOrder(world.services.db, machineOf('ours'), NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Hit = { kind: string; code: string; title: string; path: string }

function machineOf(branch: 'ours' | 'theirs') {
  const machine = family[branch].machines[0]
  if (!machine) throw new Error('a family without machines')
  return machine
}

type Asker = Partial<Parameters<typeof addUser>[1]>

/** Things; screens have names of their own, and initials that are often those of a thing too. */
const find = async (q: string, user: Asker = {}): Promise<Hit[]> =>
  (await findAll(q, user)).filter(({ kind }) => kind !== 'screen')

async function findAll(q: string, user: Asker = {}): Promise<Hit[]> {
  const made = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['*'], ...user })
  const token = await addSession(world.services.db, made.id, NOON)
  const { body } = await http.call(search, { q }, { token })
  return (body.data as { items: Hit[] }).items
}

test('a machine is found by its code in any case, and opens in its list', async () => {
  const { code, id } = machineOf('ours')
  const [first] = await find(code.toLowerCase())
  expect(first).toMatchObject({ kind: 'machine', code, path: `/shj/wdshj?code=${code}&open=${id}` })
  expect((await find('Ours Machine')).filter(({ kind }) => kind === 'machine')).toHaveLength(2)
})

test('an order is found by its number and by the beginning of it', async () => {
  const { orderNo, id } = order
  const path = `/jygl/ddgl?orderNo=${orderNo}&open=${id}`
  expect(await find(orderNo)).toEqual([{ kind: 'order', code: orderNo, title: expect.any(String), path }])
  const beginning = await find(`${machineOf('ours').code}-`)
  expect(beginning.map(({ code }) => code)).toContain(orderNo)
})

test('a product is found by its code, its name, how it sounds, its initials and its barcode', async () => {
  const { db } = world.services
  const { merchantId } = family.ours
  const made = await sql<{ id: number }>`with made as (
      insert into product (merchant_id, code, name, sound, kind, cost_fen, price_fen)
      values (${merchantId}, 'PAL-1', '可口可乐', 'kekoukele kkkl', 'goods', 1, 2) returning id), coded as (
      insert into product_barcode (merchant_id, code, product_id) select ${merchantId}, '6901028075763', id from made)
    select id from made`.execute(db)
  const path = `/spgl/wdsp?code=PAL-1&open=${made.rows[0]?.id}`
  const hit = { kind: 'product', code: 'PAL-1', title: '可口可乐', path }
  for (const q of ['pal-1', '可乐', 'KEKOUKELE', 'kkkl', '6901028075763']) expect(await find(q)).toEqual([hit])
  expect(await find('PAL-1', { grants: ['order.read'] })).toEqual([])
  expect(await find('PAL-1', { merchantId: family.theirs.merchantId })).toEqual([])
})

test('a medicine, its batch and a member are found by who may read them, and open in their lists', async () => {
  const { db } = world.services
  const { merchantId } = family.ours
  const made = await sql<{ id: number; productId: number; memberId: number }>`with made as (
      insert into product (merchant_id, code, name, sound, kind, medicine_class, cost_fen, price_fen)
      values (${merchantId}, 'IBU-9', '布洛芬', 'buluofen blf', 'medicine', 'otc_b', 1, 2) returning id), batch as (
      insert into medicine_batch (product_id, number, expires_on, changed_at)
      select id, 'B26-0777', '2029-01-01', ${NOON} from made returning id, product_id), person as (
      insert into member (number, name, sound, phone, merchant_id, registered_at)
      values ('HY777', '高云书', 'gaoyunshu gys', '13800138777', ${merchantId}, ${NOON}) returning id)
    select batch.id, product_id as "productId", person.id as "memberId" from batch, person`.execute(db)
  const { id, productId, memberId } = made.rows[0] ?? {}
  const medicine = { kind: 'medicine', code: 'IBU-9', title: '布洛芬', path: `/ypgl/yplb?code=IBU-9&open=${productId}` }
  const batch = { kind: 'batch', code: 'B26-0777', title: '布洛芬', path: `/ypgl/yppc?q=B26-0777&open=${id}` }
  const member = { kind: 'member', code: 'HY777', title: '高云书', path: `/hygl/wdhy?q=HY777&open=${memberId}` }
  for (const q of ['ibu-9', '布洛芬', 'blf']) expect(await find(q)).toEqual([medicine])
  expect(await find('b26-07')).toEqual([batch])
  for (const q of ['hy777', '高云', 'gys', 'gaoyun', '13800138777']) expect(await find(q)).toEqual([member])
  expect(await find('1380013877')).toEqual([])
  expect(await find('ibu-9', { grants: ['medicine.read'] })).toEqual([medicine])
  expect(await find('ibu-9', { grants: ['product.read'] })).toEqual([
    { ...medicine, path: `/spgl/wdsp?code=IBU-9&open=${productId}` },
  ])
  for (const q of ['B26-0777', 'HY777', 'blf']) {
    expect(await find(q, { grants: ['order.read'] })).toEqual([])
    expect(await find(q, { merchantId: family.theirs.merchantId })).toEqual([])
  }
})

test('what is out of sight or not permitted is not found', async () => {
  expect(await find(machineOf('theirs').code)).toEqual([])
  expect(await find('Theirs')).toEqual([])
  expect(await find(order.orderNo, { merchantId: family.theirs.merchantId })).toEqual([])
  expect(await find(order.orderNo, { grants: ['machine.read'] })).toEqual([])
  expect(await find(machineOf('ours').code, { grants: ['order.read'] })).not.toContainEqual(
    expect.objectContaining({ kind: 'machine' }),
  )
})

test('signs that mean something to a pattern are only signs', async () => {
  for (const q of ['%', '_', '\\', '%%%%%%%%', 'TEST_']) expect(await find(q)).toEqual([])
})

test('an order is found by the number that the channel gave its payment, and by our own', async () => {
  const { db } = world.services
  const { merchantId } = family.ours
  const { id: machineId } = machineOf('ours')
  await sql`with provider as (
      insert into provider_account (merchant_id, provider, name, token)
      values (${merchantId}, 'wechat', 'WeChat', 'a-token-of-sixteen') returning id), account as (
      insert into payment_account (merchant_id, provider, provider_account_id, funds_mode)
      select ${merchantId}, 'wechat', id, 'direct' from provider returning id)
    insert into payment_attempt (attempt_no, order_id, order_no, occurred_at, merchant_id, machine_id, account_id,
      method, product, amount_fen, state, channel_no, msg_id, business_day, created_at, expires_at)
    select 'AISLE20261120', ${order.id}, ${order.orderNo}, ${NOON}, ${merchantId}, ${machineId}, id, 'wechat', 'native',
      100, 'waiting', '4200001234202611201234567890', 'm-1', '2026-11-20', ${NOON}, ${NOON} from account`.execute(db)
  for (const q of ['4200001234202611201234567890', 'AISLE20261120']) {
    expect(await find(q)).toEqual([expect.objectContaining({ kind: 'order', code: order.orderNo })])
    expect(await find(q, { merchantId: family.theirs.merchantId })).toEqual([])
  }
})

test('a merchant is found by its code and its name, by who may read merchants', async () => {
  const { db } = world.services
  const { merchantId } = family.ours
  const found = await sql<{
    code: string
    name: string
  }>`select code, name from merchant where id = ${merchantId}`.execute(db)
  const { code = '', name = '' } = found.rows[0] ?? {}
  const merchant = { kind: 'merchant', code, title: name, path: `/shgl/wdsh?q=${code}&open=${merchantId}` }
  expect(await find(code)).toContainEqual(merchant)
  expect(await find(name, { grants: ['merchant.read'] })).toContainEqual(merchant)
  expect(await find(code, { grants: ['order.read'] })).toEqual([])
  expect(await find(code, { merchantId: family.theirs.merchantId })).not.toContainEqual(merchant)
})

test('a screen is found in any of the languages, by how it sounds and by initials, by who may open it', async () => {
  const screen = { kind: 'screen', code: 'jygl/ddgl', title: '订单管理', path: '/jygl/ddgl' }
  for (const q of ['order manag', 'des commandes', 'dingdanguanli', 'ddgl'])
    expect(await findAll(q)).toContainEqual(screen)
  expect(await findAll('dingdanguanli', { grants: ['machine.read'] })).toEqual([])
})
