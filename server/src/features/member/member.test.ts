import {
  getMember,
  linkMembers,
  listMembers,
  maskedPhone,
  moveMembers,
  unlinkMembers,
} from '@aisle/contract/member/member'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './member.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let childId: number
let writer: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  childId = await addMerchant(world.services.db, { parentId: family.ours.merchantId })
  writer = await tokenOf(['member.*'])
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  await sql`delete from card_application`.execute(world.services.db)
  await sql`delete from member`.execute(world.services.db)
})

async function tokenOf(grants: readonly string[]): Promise<string> {
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  return addSession(world.services.db, user.id, NOON)
}

/** @returns their ids, tied to nobody */
async function addMembers(count: number, merchantId = family.ours.merchantId, state = 'active'): Promise<number[]> {
  const made = await sql<{ id: number }>`insert into member (number, name, phone, state, merchant_id, registered_at)
    select 'T' || ${merchantId}::text || '00' || n || ${state === 'active' ? 'A' : 'S'}, 'Member ' || n,
      '1380000' || (1000 + n), ${state}, ${merchantId}, ${NOON}::timestamptz - n * interval '1 day'
    from generate_series(1, ${count}) n returning id`.execute(world.services.db)
  return made.rows.map(({ id }) => id)
}

const call = async (
  endpoint: Parameters<HttpWorld['call']>[0],
  input: Record<string, unknown> = {},
  token: string = writer,
) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}

test('many are tied in one go, and each of the others is told why not', async () => {
  const { merchantId } = family.ours
  const [first = 0, second = 0] = await addMembers(2)
  const [stopped = 0] = await addMembers(1, merchantId, 'stopped')
  const [theirs = 0] = await addMembers(1, family.theirs.merchantId)
  await call(linkMembers, { ids: [first], merchantId })
  const linked = await call(linkMembers, { ids: [first, second, second, stopped, theirs, 987_654], merchantId })
  expect(linked.data).toMatchObject({ done: 1 })
  expect(linked.data.outcomes).toEqual(
    expect.arrayContaining([
      { id: first, outcome: 'alreadyTied' },
      { id: second, outcome: 'done' },
      { id: stopped, outcome: 'stopped' },
      { id: theirs, outcome: 'notFound' },
      { id: 987_654, outcome: 'notFound' },
    ]),
  )
  const none = await call(linkMembers, { ids: [first, stopped], merchantId })
  expect([none.status, none.code]).toEqual([409, 'member.nothingDone'])
})

test('a move ends one tie and begins the other, with what was before kept', async () => {
  const { merchantId } = family.ours
  const ids = await addMembers(3)
  await call(linkMembers, { ids, merchantId })
  world.setNow(new Date(NOON.getTime() + 60_000))
  const moved = await call(moveMembers, { ids, fromMerchantId: merchantId, merchantId: childId, reason: 'Site closed' })
  expect(moved.data).toMatchObject({ done: 3 })
  expect((await call(listMembers.count, { merchantId })).data.total).toBe(0)
  expect((await call(listMembers.count, { merchantId: childId })).data.total).toBe(3)
  const { ties } = (await call(getMember, { id: ids[0] })).data
  expect(ties).toMatchObject([
    { merchantId: childId, unlinkedAt: null },
    { merchantId, unlinkedAt: expect.any(String), movedTo: expect.any(String), reason: 'Site closed' },
  ])
  const again = await call(moveMembers, { ids, fromMerchantId: merchantId, merchantId: childId })
  expect(again.code).toBe('member.nothingDone')
  const same = await call(moveMembers, { ids, fromMerchantId: childId, merchantId: childId })
  expect([same.status, same.code]).toEqual([422, 'member.sameMerchant'])
  world.setNow(NOON)
})

test('who is untied stays in sight of whom they registered with, and can be tied again', async () => {
  const { merchantId } = family.ours
  const ids = await addMembers(1)
  await call(linkMembers, { ids, merchantId })
  await call(unlinkMembers, { ids, merchantId })
  expect((await call(unlinkMembers, { ids, merchantId })).code).toBe('member.nothingDone')
  expect((await call(listMembers.count, { tie: 'untied' })).data.total).toBe(1)
  expect((await call(linkMembers, { ids, merchantId })).status).toBe(200)
  expect((await call(listMembers.count, { notOf: merchantId })).data.total).toBe(0)
})

test('who is tied to a merchant out of sight is not told, by a filter for it or against it', async () => {
  const { merchantId } = family.ours
  const ids = await addMembers(1)
  await call(linkMembers, { ids, merchantId })
  await sql`insert into member_merchant (member_id, merchant_id, linked_at)
    values (${ids[0]}, ${family.theirs.merchantId}, ${NOON})`.execute(world.services.db)
  const all = (await call(listMembers.count, {})).data.total
  expect((await call(listMembers.count, { notOf: family.theirs.merchantId })).data.total).toBe(all)
  expect((await call(listMembers.count, { merchantId: family.theirs.merchantId })).data.total).toBe(0)
})

test('only merchants in sight can be tied to, left or moved between', async () => {
  const { merchantId } = family.ours
  const theirs = family.theirs.merchantId
  const ids = await addMembers(1)
  await call(linkMembers, { ids, merchantId })
  expect((await call(linkMembers, { ids, merchantId: theirs })).status).toBe(404)
  expect((await call(moveMembers, { ids, fromMerchantId: merchantId, merchantId: theirs })).status).toBe(404)
  expect((await call(moveMembers, { ids, fromMerchantId: theirs, merchantId })).status).toBe(404)
  expect((await call(unlinkMembers, { ids, merchantId: theirs })).status).toBe(404)
})

test('who only reads sees phones masked, and finds a member by the whole number alone', async () => {
  await addMembers(2)
  const reader = await tokenOf(['member.read'])
  const listed = (await call(listMembers, {}, reader)).data.items as { phone: string }[]
  expect(listed.map(({ phone }) => phone)).toEqual(['138****1001', '138****1002'])
  expect((await call(listMembers.count, { q: '13800001001' }, reader)).data.total).toBe(1)
  expect((await call(listMembers.count, { q: '1380000' }, reader)).data.total).toBe(0)
  expect((await call(listMembers)).data.items).toMatchObject([{ phone: '13800001001' }, { phone: '13800001002' }])
})

test.each([
  ['13800001001', '138****1001'],
  ['1234567', '*******'],
  ['', ''],
])('%s is shown as %s', (phone, expected) => {
  expect(maskedPhone(phone)).toBe(expected)
})

test('a thousand are tied in one action', async () => {
  const ids = await addMembers(1_000)
  const linked = await call(linkMembers, { ids, merchantId: family.ours.merchantId })
  expect(linked.data).toMatchObject({ done: 1_000 })
  const tooMany = await call(linkMembers, { ids: [...ids, 1], merchantId: family.ours.merchantId })
  expect(tooMany.status).toBe(422)
})
