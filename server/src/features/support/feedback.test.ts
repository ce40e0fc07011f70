import { addFeedback } from '@aisle/contract/support/feedback'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './feedback.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const merchantId = await addMerchant(world.services.db)
  const user = await addUser(world.services.db, { merchantId, kind: 'ordinary' })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const said = { kind: 'problem', body: 'The order list stays empty.', contact: '13812345678', page: '/jygl/ddgl' }

test('anybody who is signed in says what is wrong; it waits unprocessed, with the page where it was said', async () => {
  const answer = await http.call(addFeedback, said, { token })
  expect(answer.body.data).toMatchObject({ state: 'unprocessed' })
  const kept = await sql`select kind, body, contact, page, state from feedback`.execute(world.services.db)
  expect(kept.rows).toEqual([{ ...said, state: 'unprocessed' }])
})

test.each([
  ['more than 200 characters', { body: 'x'.repeat(201) }],
  ['hardly a word', { body: '  no ' }],
  ['an address of another site', { page: 'https://elsewhere.example/' }],
  ['a page with its query, where names may stand', { page: '/jygl/ddgl?orderNo=1' }],
])('%s is refused', async (_, part) => {
  const answer = await http.call(addFeedback, { ...said, ...part }, { token })
  expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
})

test('nobody says twenty-one things in an hour', async () => {
  const codes = []
  for (let i = 0; i < 21; i += 1) codes.push((await http.call(addFeedback, said, { token })).body.code)
  expect(codes.at(0)).toBe('H0000')
  expect(codes.at(-1)).toBe('feedback.tooMany')
})
