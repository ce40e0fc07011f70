import { getBell } from '@aisle/contract/notice/bell'
import * as contract from '@aisle/contract/support/feedback'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes as bellRoutes } from '../notice/bell.routes'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './feedback.routes'

/** A Friday, 12:00 in Shanghai: eight business hours from then are Monday, 11:00. */
const NOON = new Date('2026-11-20T04:00:00Z')
const MONDAY = '2026-11-23T03:00:00.000Z'
const LATE = new Date('2026-11-23T03:00:01Z')
let world: World
let http: HttpWorld
let family: Family
let asker: string
let helper: string
let helperId: number
let askerId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...bellRoutes))
  const { db } = world.services
  family = await addFamily(db, NOON)
  const user = await addUser(db, { merchantId: family.ours.merchantId, kind: 'ordinary' })
  askerId = user.id
  const support = await addUser(db, { merchantId: family.platformId, kind: 'platform_admin', grants: ['feedback.*'] })
  helperId = support.id
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  await goTo(NOON)
  const { db } = world.services
  await sql`alter table feedback_word disable trigger user`.execute(db)
  await sql`delete from feedback_word`.execute(db)
  await sql`alter table feedback_word enable trigger user`.execute(db)
  await sql`delete from feedback`.execute(db)
})

const said = {
  kind: 'problem',
  body: 'The order list stays empty.',
  contact: '13812345678',
  page: '/jygl/ddgl',
} as const
const seen = {
  heading: 'Orders',
  open: 7,
  opened: 'Order 7',
  failure: 'H5000 #abc',
  language: 'en',
  window: '1440×900',
}
type Detail = OutputOf<typeof contract.getFeedback>

/** Sessions end over a weekend: both sign in again. */
async function goTo(at: Date): Promise<void> {
  world.setNow(at)
  asker = await addSession(world.services.db, askerId, at)
  helper = await addSession(world.services.db, helperId, at)
}

async function tell(): Promise<number> {
  const answer = await http.call(contract.addFeedback, { ...said, seen }, { token: asker })
  return (answer.body.data as { id: number }).id
}
const detail = async (id: number) =>
  (await http.call(contract.getFeedback, { id }, { token: helper })).body.data as Detail
const stateOf = async (id: number) => (await detail(id)).state
const isListed = async (id: number, state: 'toAnswer' | 'unsolved') => {
  const { data } = (await http.call(contract.listFeedback, { state }, { token: helper })).body
  return (data as OutputOf<typeof contract.listFeedback>).items.some((each) => each.id === id)
}
const does = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>, token = helper) =>
  (await http.call(endpoint, input, { token })).body.code

test('anybody who is signed in says what is wrong, with what was on the page, and hears until when', async () => {
  const answer = await http.call(contract.addFeedback, { ...said, seen }, { token: asker })
  expect(answer.body.data).toMatchObject({ state: 'unprocessed', dueAt: MONDAY })
  const kept = await detail((answer.body.data as { id: number }).id)
  expect(kept).toMatchObject({ ...said, seen, state: 'unprocessed', words: [] })
})

test.each([
  ['more than 200 characters', { body: 'x'.repeat(201) }],
  ['hardly a word', { body: '  no ' }],
  ['an address of another site', { page: 'https://elsewhere.example/' }],
  ['a page with its query, where names may stand', { page: '/jygl/ddgl?orderNo=1' }],
  ['more of the page than support needs', { seen: { ...seen, heading: 'x'.repeat(121) } }],
])('%s is refused', async (_, part) => {
  const answer = await http.call(contract.addFeedback, { ...said, ...part }, { token: asker })
  expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
})

test('nobody says twenty-one things in an hour, sent at once or not', async () => {
  const all = Array.from({ length: 25 }, () => http.call(contract.addFeedback, said, { token: asker }))
  const codes = (await Promise.all(all)).map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'H0000')).toHaveLength(20)
  expect(codes.filter((code) => code === 'feedback.tooMany')).toHaveLength(5)
})

test('what nobody answers in time is overdue; an answer renews the promise, a question stops it', async () => {
  const id = await tell()
  await goTo(LATE)
  expect(await stateOf(id)).toBe('timeout')
  expect(await does(contract.answerFeedback, { id, body: 'We look into it.' })).toBe('H0000')
  expect(await detail(id)).toMatchObject({
    state: 'processing',
    assigneeId: helperId,
    dueAt: '2026-11-24T02:00:01+00:00',
  })
  await does(contract.answerFeedback, { id, body: 'Which order is it?', isQuestion: true })
  await goTo(new Date('2027-01-04T04:00:00Z'))
  expect(await detail(id)).toMatchObject({ state: 'processing', dueAt: null })
  expect([await isListed(id, 'toAnswer'), await isListed(id, 'unsolved')]).toEqual([false, true])
  await does(contract.replyFeedback, { id, body: 'Number 7.' }, asker)
  expect(await isListed(id, 'toAnswer')).toBe(true)
  const { dueAt, words } = await detail(id)
  expect(dueAt).toBe('2027-01-05T03:00:00+00:00')
  expect(words.map(({ kind }) => kind)).toEqual(['reply', 'question', 'answer'])
})

test('who asked is told by the bell, sees the answers, and opens again what was not solved', async () => {
  const id = await tell()
  await does(contract.solveFeedback, { id, body: 'Reload the page.' })
  const bell = (await http.call(getBell, {}, { token: asker })).body.data as OutputOf<typeof getBell>
  expect(bell.items[0]).toMatchObject({ type: 'feedback.answered' })
  expect(bell.items[0]?.body).toContain('Reload the page.')
  const own = (await http.call(contract.listOwnFeedback, {}, { token: asker })).body.data
  expect(own).toMatchObject({
    items: [{ id, state: 'solved', words: [{ kind: 'solution', body: 'Reload the page.' }] }],
  })
  expect(await does(contract.featureFeedback, { id })).toBe('H0000')
  expect(await stateOf(id)).toBe('essence')
  await does(contract.replyFeedback, { id, body: 'It is empty again.' }, asker)
  expect(await detail(id)).toMatchObject({ state: 'processing', closedAt: null, dueAt: '2026-11-23T03:00:00+00:00' })
})

test('a state from which a verb does not lead refuses it, and who looks for what was deleted sees it', async () => {
  const id = await tell()
  expect(await does(contract.featureFeedback, { id })).toBe('feedback.state')
  expect(await does(contract.reopenFeedback, { id, body: 'again' })).toBe('feedback.state')
  expect(await does(contract.removeFeedback, { id })).toBe('H0000')
  expect(await does(contract.answerFeedback, { id, body: 'hello' })).toBe('feedback.state')
  expect(await does(contract.replyFeedback, { id, body: 'hello' }, asker)).toBe('feedback.state')
  const list = async (query: Record<string, unknown>) =>
    (await http.call(contract.listFeedback, query, { token: helper })).body.data as { items: { id: number }[] }
  expect((await list({})).items).toEqual([])
  expect((await list({ state: 'deleted' })).items).toMatchObject([{ id }])
  expect((await http.call(contract.listOwnFeedback, {}, { token: asker })).body.data).toMatchObject({ items: [] })
  expect(await does(contract.restoreFeedback, { id })).toBe('H0000')
  expect(await stateOf(id)).toBe('unprocessed')
})

test('of 64 who solve it at once one does, and it is said once', async () => {
  const id = await tell()
  const all = Array.from({ length: 64 }, () => does(contract.solveFeedback, { id, body: 'Done.' }))
  const codes = await Promise.all(all)
  expect(codes.filter((code) => code === 'H0000')).toHaveLength(1)
  expect((await detail(id)).words).toHaveLength(1)
})

test('it is given only to who sees its merchant and may answer', async () => {
  const { db } = world.services
  const id = await tell()
  const reader = await addUser(db, { merchantId: family.platformId, kind: 'platform_admin', grants: ['feedback.read'] })
  const stranger = await addUser(db, {
    merchantId: family.theirs.merchantId,
    kind: 'merchant_admin',
    grants: ['feedback.*'],
  })
  expect(await does(contract.assignFeedback, { id, assigneeId: reader.id })).toBe('feedback.blind')
  expect(await does(contract.assignFeedback, { id, assigneeId: stranger.id })).toBe('feedback.blind')
  expect(await does(contract.assignFeedback, { id, assigneeId: helperId })).toBe('H0000')
  const mine = await http.call(contract.listFeedback, { assignee: 'me' }, { token: helper })
  expect(mine.body.data).toMatchObject({ items: [{ id, state: 'processing' }] })
})

test('what is promised first stands first, what waits for who asked behind it, what is over last', async () => {
  const [first, second, third] = [await tell(), await tell(), await tell()]
  await does(contract.solveFeedback, { id: first, body: 'Done.' })
  await does(contract.answerFeedback, { id: second, body: 'Which one?', isQuestion: true })
  const ids: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await http.call(contract.listFeedback, { pageSize: 1, ...(cursor && { cursor }) }, { token: helper })
    const data = page.body.data as { items: { id: number }[]; nextCursor: string | null }
    ids.push(...data.items.map(({ id }) => id))
    cursor = data.nextCursor
  }
  expect(ids).toEqual([third, second, first])
  const found = await http.call(contract.listFeedback, { q: 'list stays' }, { token: helper })
  expect((found.body.data as { items: unknown[] }).items).toHaveLength(3)
  const counted = await http.call(contract.summariseFeedback, {}, { token: helper })
  expect(counted.body.data).toEqual({ unprocessed: 1, timeout: 0, processing: 1, mine: 1 })
})
