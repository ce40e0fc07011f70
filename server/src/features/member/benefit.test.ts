import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/member/benefit'
import { issueCards } from '@aisle/contract/member/cardIssue'
import { getCard, listCards, previewTopUp, topUpCard } from '@aisle/contract/member/memberCard'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as benefitRoutes } from './benefit'
import { routes as cardRoutes } from './card.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let issued = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...benefitRoutes, ...cardRoutes))
  family = await addFamily(world.services.db, NOON)
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: (body.data ?? {}) as Record<string, unknown> }
}
const ours = () => ({ merchantId: family.ours.merchantId })

async function issue(more: Record<string, unknown> = {}) {
  issued += 1
  const physicalNo = issued.toString(16).padStart(8, 'a')
  const lines = [{ physicalNo, logicalNo: `B${1000 + issued}` }]
  await call(issueCards, { ...ours(), type: 'ordinary', lines, isActive: true, ...more })
  const { items } = (await call(listCards, { q: lines[0]?.logicalNo })).data as { items: { id: number }[] }
  return { id: items[0]?.id ?? 0, physicalNo }
}
const put = (card: { id: number; physicalNo: string }, amountFen: number, giftFen?: number) =>
  call(topUpCard, { ...card, amountFen, method: 'cash', ...(giftFen !== undefined && { giftFen }) })

test('without rules the desk decides what is given; with them it is what they give, or less', async () => {
  const card = await issue()
  expect((await put(card, 10_000, 3_000)).data).toMatchObject({ giftFen: 3_000 })
  const step = { ...ours(), fromDay: '2026-11-01', toDay: '2026-11-20' }
  const first = await call(contract.addTopUpGift, { ...step, name: 'Hundred', fromFen: 10_000, giftFen: 500 })
  const higher = { name: 'Two hundred', cardType: null, fromFen: 20_000, giftFen: 2_000, fromDay: '2026-11-01' }
  const second = await call(contract.addTopUpGift, { ...ours(), ...higher })
  const asked = { id: card.id, amountFen: 20_000, method: 'cash' }
  expect((await call(previewTopUp, asked)).data).toMatchObject({ ruleGiftFen: 2_000 })
  expect((await put(card, 20_000)).data).toMatchObject({ balanceFen: 30_000, giftFen: 5_000 })
  expect(await put(card, 10_000, 501)).toMatchObject({ status: 422, code: 'card.giftAbove' })
  expect((await put(card, 10_000, 100)).data).toMatchObject({ giftFen: 5_100 })
  expect((await put(card, 9_999)).data).toMatchObject({ giftFen: 5_100 })
  await call(contract.stopTopUpGift, { id: first.data.id })
  expect(await put(card, 10_000, 1)).toMatchObject({ code: 'card.giftAbove' })
  await call(contract.editTopUpGift, { id: second.data.id, version: 1, ...higher, toDay: '2026-11-19' })
  expect((await put(card, 1_000, 1_000)).data).toMatchObject({ giftFen: 6_100 })
})

test('a rule gives no more than is put on, ends after it begins, and has a name of its own', async () => {
  const sound = { ...ours(), name: 'Own', fromFen: 1_000, giftFen: 100, fromDay: '2026-11-01' }
  expect((await call(contract.addTopUpGift, { ...sound, giftFen: 1_001 })).code).toBe('gift.amounts')
  expect((await call(contract.addTopUpGift, { ...sound, toDay: '2026-10-31' })).code).toBe('gift.days')
  expect((await call(contract.addTopUpGift, sound)).status).toBe(200)
  expect((await call(contract.addTopUpGift, sound)).code).toBe('gift.nameTaken')
})

test('gifts of a kind of card are found by it, and by several', async () => {
  const gift = { ...ours(), fromFen: 50_000, giftFen: 100, fromDay: '2026-11-01' }
  await call(contract.addTopUpGift, { ...gift, name: 'Staff', cardType: 'staff' })
  await call(contract.addTopUpGift, { ...gift, name: 'Student', cardType: 'student' })
  const found = async (cardType: string) =>
    ((await call(contract.listTopUpGifts, { cardType })).data.items as { name: string }[]).map(({ name }) => name)
  expect(await found('staff')).toEqual(['Staff'])
  expect((await found('staff,student')).toSorted()).toEqual(['Staff', 'Student'])
  expect(await found('test')).toEqual([])
})

test('a card of a kind begins with what is set for it, but for what is said when it is issued', async () => {
  const set = { ...ours(), type: 'ordinary', level: 3, dailyCountLimit: 5, singleMaxFen: 2_000, dailyAmountFen: 4_000 }
  expect((await call(contract.addCardDefault, set)).status).toBe(200)
  expect((await call(contract.addCardDefault, set)).code).toBe('cardDefault.taken')
  const usual = await issue()
  const { merchantId: _, type: __, ...begins } = set
  expect((await call(getCard, { id: usual.id })).data).toMatchObject(begins)
  const own = await issue({ level: 1, singleMaxFen: 0 })
  expect((await call(getCard, { id: own.id })).data).toMatchObject({ ...begins, level: 1, singleMaxFen: 0 })
})
