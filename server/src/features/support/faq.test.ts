import * as contract from '@aisle/contract/support/faq'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { questionsForCustomers, routes } from './faq'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let writer: string
let merchants: string
let reader: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const { platformId, ours } = await addFamily(db, NOON)
  const grants = ['faq.*']
  const admin = await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants })
  const boss = await addUser(db, { merchantId: ours.merchantId, kind: 'merchant_admin', grants })
  const anybody = await addUser(db, { merchantId: ours.merchantId, kind: 'ordinary' })
  writer = await addSession(db, admin.id, NOON)
  merchants = await addSession(db, boss.id, NOON)
  reader = await addSession(db, anybody.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const does = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>, token = writer) =>
  (await http.call(endpoint, input, { token })).body
const add = async (typed: Record<string, unknown>) =>
  ((await does(contract.addFaq, { topic: 'order', ...typed })).data as { id: number }).id
const helpIn = async (query: Record<string, unknown>) =>
  ((await does(contract.listHelp, query, reader)).data as { items: contract.Help[] }).items

test('one language is enough to be published, and whoever is signed in reads it in its order', async () => {
  const second = await add({ place: 20, questionZh: '怎么退款？', answerZh: '原路退回。' })
  const first = await add({
    place: 10,
    questionEn: 'Where is my order?',
    answerEn: 'Under Orders.',
    questionZh: '订单在哪',
  })
  expect(await helpIn({})).toEqual([])
  for (const id of [first, second]) expect((await does(contract.publishFaq, { id })).code).toBe('H0000')
  expect(await helpIn({ inLanguage: 'zh' })).toMatchObject([
    { id: first, language: 'en', question: 'Where is my order?', answer: 'Under Orders.' },
    { id: second, language: 'zh', question: '怎么退款？' },
  ])
  expect((await helpIn({ q: 'tuikuan' })).map(({ id }) => id)).toEqual([second])
  const missing = (await does(contract.listFaqs, { missing: 'en' })).data as { items: { id: number }[] }
  expect(missing.items.map(({ id }) => id)).toContain(second)
  expect(missing.items.map(({ id }) => id)).not.toContain(first)
})

test('a question is read by those whom it is for and by nobody else', async () => {
  const id = await add({ readers: ['customers'], questionEn: 'Nothing came out?', answerEn: 'Say it here.' })
  const both = await add({ readers: ['staff', 'customers'], questionZh: '怎么开发票？', answerZh: '联系商户。' })
  for (const each of [id, both]) await does(contract.publishFaq, { id: each })
  const staff = (await helpIn({})).map((each) => each.id)
  expect([staff.includes(id), staff.includes(both)]).toEqual([false, true])
  const { db } = world.services
  expect(await questionsForCustomers(db, 'en')).toMatchObject([{ id, question: 'Nothing came out?' }])
  expect(await questionsForCustomers(db, 'zh')).toMatchObject([{ id: both, question: '怎么开发票？' }])
  const listed = (await does(contract.listFaqs, { reader: 'customers' })).data as { items: { id: number }[] }
  expect(listed.items.map((each) => each.id)).toEqual([id, both])
  expect((await does(contract.addFaq, { topic: 'order', readers: [] })).code).toBe('request.invalid')
})

test('a question without an answer in any language is not published, nor does one that is lose its last', async () => {
  const id = await add({ questionZh: '为什么？', answerFr: 'Parce que.' })
  expect((await does(contract.publishFaq, { id })).code).toBe('faq.unanswered')
  const whole = { questionZh: '为什么？', answerZh: '因为。' }
  const edit = (version: number, more: Record<string, unknown>) =>
    does(contract.editFaq, { id, version, topic: 'order', place: 1, ...more })
  expect((await edit(1, whole)).code).toBe('H0000')
  expect((await does(contract.publishFaq, { id })).code).toBe('H0000')
  expect((await edit(3, { questionZh: '为什么？' })).code).toBe('faq.unanswered')
  expect((await does(contract.withdrawFaq, { id })).code).toBe('H0000')
  expect((await helpIn({})).map((each) => each.id)).not.toContain(id)
  expect((await does(contract.withdrawFaq, { id })).code).toBe('faq.state')
})

test('only the platform writes what all read', async () => {
  expect((await does(contract.addFaq, { topic: 'order', questionZh: '甲', answerZh: '乙' }, merchants)).code).toBe(
    'request.notFound',
  )
})
