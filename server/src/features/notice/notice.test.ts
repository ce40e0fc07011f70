import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getBell, readAllMessages, readMessages } from '@aisle/contract/notice/bell'
import {
  addNotification,
  countReceivers,
  getNotification,
  listReceivers,
  publishNotification,
  remindNotification,
  withdrawNotification,
} from '@aisle/contract/notice/notice'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWorker } from '../../main/worker'
import { jobs } from './notice.jobs'
import { sendBatch, sendNotice } from './notice.send'
import { dataOf, NOON, openPlace, type Place, type Somebody, somebody } from './testing'

let place: Place
let admin: Somebody
let ourAdmin: Somebody
let ourOther: Somebody
let belowOne: Somebody
let theirOne: Somebody
let typeId: number

beforeAll(async () => {
  place = await openPlace()
  const { platform, ours, below, theirs } = place
  admin = await somebody(place, platform.id, { kind: 'platform_admin' })
  ourAdmin = await somebody(place, ours.id, { email: 'our@example.com' })
  ourOther = await somebody(place, ours.id, { kind: 'ordinary' })
  belowOne = await somebody(place, below.id)
  theirOne = await somebody(place, theirs.id)
  const found = await sql<{ id: number }>`select id from message_type where code = 'notice.system'`.execute(
    place.world.services.db,
  )
  typeId = found.rows[0]?.id ?? 0
})
beforeEach(() => place.world.setNow(NOON))
afterAll(() => place.close())

const notice = (more: Record<string, unknown> = {}) => ({
  title: 'Stocktaking on Friday',
  body: 'Please count every slot.',
  typeId,
  channels: ['web'],
  target: 'all',
  ...more,
})
type Added = { id: number; state: string; expected: number }
type Bell = OutputOf<typeof getBell>
const add = async (who: Somebody, more: Record<string, unknown> = {}): Promise<Added> =>
  dataOf<Added>(await who.call(addNotification, notice(more)))
const send = (id: number) => sendNotice(place.world.services, id)
const bell = async (who: Somebody) => dataOf<Bell>(await who.call(getBell))
const detail = async (who: Somebody, id: number) =>
  dataOf<OutputOf<typeof getNotification>>(await who.call(getNotification, { id }))
const titled = async (who: Somebody, title: string) => (await bell(who)).items.filter((each) => each.title === title)

test('chosen merchants by code get it, and nobody else', async () => {
  const title = 'By codes'
  const codes = `${place.ours.code},${place.theirs.code}`
  const { id, expected } = await add(admin, { title, target: 'merchants', merchantCodes: codes })
  expect(expected).toBe(3)
  await send(id)
  const told = [ourAdmin, ourOther, theirOne]
  expect(await Promise.all(told.map(async (who) => (await titled(who, title)).length))).toEqual([1, 1, 1])
  expect([await titled(belowOne, title), await titled(admin, title)]).toEqual([[], []])
  expect(await detail(admin, id)).toMatchObject({ state: 'sent', receivers: 3, readCount: 0 })
})

test('merchants below the chosen ones get it when they are asked along', async () => {
  const target = { target: 'merchants', merchantCodes: place.ours.code }
  expect(dataOf(await admin.call(countReceivers, { ...target, withChildren: true }))).toEqual({ count: 3, unknown: [] })
  const { id } = await add(admin, { title: 'With children', ...target, withChildren: true })
  await send(id)
  expect(await titled(belowOne, 'With children')).toHaveLength(1)
})

test('a role reaches its holders', async () => {
  const found = await sql<{ id: number }>`select role_id as id from user_role where user_id = ${ourOther.id}`.execute(
    place.world.services.db,
  )
  const { id, expected } = await add(ourAdmin, { title: 'By role', target: 'roles', roleIds: [found.rows[0]?.id] })
  expect(expected).toBe(1)
  await send(id)
  expect(await titled(ourOther, 'By role')).toHaveLength(1)
  expect(await titled(ourAdmin, 'By role')).toEqual([])
})

test.each([
  ['a list that ends with a comma', () => `${place.ours.code},`],
  ['a full-width comma', () => `${place.ours.code}，${place.below.code}`],
  ['nothing', () => ''],
  ['two commas in a row', () => `${place.ours.code},,${place.below.code}`],
])('%s is refused at the field', async (_, codes) => {
  const answer = await admin.call(addNotification, notice({ target: 'merchants', merchantCodes: codes() }))
  expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
  expect(answer.body.fields).toEqual([expect.objectContaining({ path: 'merchantCodes' })])
})

test('codes that nobody has are named; those out of sight are among them', async () => {
  const merchantCodes = `${place.ours.code},NOSUCH,${place.theirs.code}`
  const answer = await ourAdmin.call(addNotification, notice({ target: 'merchants', merchantCodes }))
  expect([answer.status, answer.body.code]).toEqual([422, 'notification.codes'])
  expect(answer.text).toContain('NOSUCH')
  expect(answer.text).toContain(place.theirs.code)
  expect(answer.text).not.toContain(`${place.ours.code},`)
})

test("a merchant's administrator reaches the own subtree only, an ordinary user the own merchant only", async () => {
  const all = await add(ourAdmin, { title: 'To all of ours', send: 'draft' })
  expect(all).toMatchObject({ state: 'draft', expected: 3 })
  expect((await add(ourOther, { title: 'To my own', send: 'draft' })).expected).toBe(2)
})

test('a sending that stops half-way goes on where it was, and tells nobody twice', async () => {
  const { db } = place.world.services
  const { id } = await add(admin, { title: 'Half-way', target: 'all' })
  expect(await db.transaction().execute((tx) => sendBatch(tx, id, NOON, 2))).toBe(true)
  expect(await detail(admin, id)).toMatchObject({ state: 'sending', receivers: 2, expected: 5 })
  // Two servers at once, after one of them lost its place.
  await sql`update notification set last_user_id = 0 where id = ${id}`.execute(db)
  await Promise.all([send(id), send(id)])
  expect(await detail(admin, id)).toMatchObject({ state: 'sent', receivers: 5, expected: 5 })
  const told = await sql<{ messages: number; people: number }>`select count(*) as messages,
    count(distinct user_id) as people from outbox_message where notification_id = ${id}`.execute(db)
  expect(told.rows).toEqual([{ messages: 5, people: 5 }])
})

test('reading counts once for each person, and shows who has read', async () => {
  const { id } = await add(admin, { title: 'To be read', target: 'merchants', merchantCodes: place.ours.code })
  await send(id)
  const [message] = await titled(ourAdmin, 'To be read')
  await ourAdmin.call(readMessages, { ids: [message?.id] })
  await ourAdmin.call(readMessages, { ids: [message?.id] })
  await ourAdmin.call(readAllMessages)
  expect(await detail(admin, id)).toMatchObject({ receivers: 2, readCount: 1 })
  expect((await bell(ourAdmin)).unread).toBe(0)
  const unread = dataOf<OutputOf<typeof listReceivers>>(await admin.call(listReceivers, { id, read: 'unread' }))
  expect(unread.items.map((each) => each.id)).toEqual([ourOther.id])
  // Somebody else's message is not mine to read.
  const [other] = await titled(ourOther, 'To be read')
  await ourAdmin.call(readMessages, { ids: [other?.id] })
  expect(await detail(admin, id)).toMatchObject({ readCount: 1 })
})

test('who has not read it is told again, and only they', async () => {
  const { id } = await add(admin, { title: 'Again', target: 'merchants', merchantCodes: place.ours.code })
  expect((await admin.call(remindNotification, { id })).body.code).toBe('notification.state')
  await send(id)
  const [message] = await titled(ourAdmin, 'Again')
  await ourAdmin.call(readMessages, { ids: [message?.id] })
  const [before] = await titled(ourOther, 'Again')
  expect((await admin.call(remindNotification, { id })).status).toBe(200)
  const after = await titled(ourOther, 'Again')
  expect(after).toHaveLength(1)
  expect(after[0]?.id).toBeGreaterThan(before?.id ?? 0)
  expect(await titled(ourAdmin, 'Again')).toEqual([message && expect.objectContaining({ id: message.id })])
  await ourOther.call(readMessages, { ids: [after[0]?.id] })
  expect((await admin.call(remindNotification, { id })).body.code).toBe('notification.allRead')
})

test('a notice that is taken back leaves every bell', async () => {
  const { id } = await add(admin, { title: 'Taken back', target: 'merchants', merchantCodes: place.ours.code })
  await send(id)
  await ourAdmin.call(withdrawNotification, { id })
  expect((await bell(ourAdmin)).items.map(({ title }) => title)).toContain('Taken back')
  expect((await admin.call(withdrawNotification, { id })).status).toBe(200)
  expect(await titled(ourAdmin, 'Taken back')).toEqual([])
  expect((await admin.call(withdrawNotification, { id })).body.code).toBe('notification.state')
})

test('a scheduled notice goes at its time, and a draft when somebody publishes it', async () => {
  const at = new Date(NOON.getTime() + 3600_000)
  const later = { title: 'Later', send: 'later', target: 'merchants', merchantCodes: place.ours.code }
  expect((await admin.call(addNotification, notice(later))).body.code).toBe('request.invalid')
  expect((await admin.call(addNotification, notice({ ...later, sendAt: NOON.toISOString() }))).body.code).toBe(
    'notification.past',
  )
  const { id, state } = await add(admin, { ...later, sendAt: at.toISOString() })
  expect(state).toBe('scheduled')
  const sweep = jobs.find(({ name }) => name === 'notice.sweep')
  await sweep?.run(place.world.services, {})
  expect(await titled(ourAdmin, 'Later')).toEqual([])
  place.world.setNow(at)
  await sweep?.run(place.world.services, {})
  expect(await titled(ourAdmin, 'Later')).toHaveLength(1)
  expect((await admin.call(publishNotification, { id })).body.code).toBe('notification.state')
  const draft = await add(admin, { ...later, title: 'Draft', send: 'draft' })
  expect(dataOf(await admin.call(publishNotification, { id: draft.id }))).toMatchObject({ state: 'sending' })
})

test('each reads it in their language where there is one', async () => {
  const { db } = place.world.services
  await sql`update app_user set language = 'fr' where id = ${ourOther.id}`.execute(db)
  const translations = { fr: { title: 'Inventaire', body: 'Comptez tout.' } }
  const { id } = await add(admin, {
    title: 'Languages',
    translations,
    target: 'merchants',
    merchantCodes: place.ours.code,
  })
  await send(id)
  expect(await titled(ourOther, 'Inventaire')).toHaveLength(1)
  expect(await titled(ourAdmin, 'Languages')).toHaveLength(1)
})

test('asking to send is enough: a worker takes the work from the queue', async () => {
  const worker = await startWorker(place.world.services, jobs, { databaseUrl: place.world.url, isOurs: true })
  const { id } = await add(admin, { title: 'By a worker' })
  await expect.poll(async () => (await detail(admin, id)).state, { timeout: 20_000 }).toBe('sent')
  expect(await titled(belowOne, 'By a worker')).toHaveLength(1)
  await worker.stop()
})

test('what a killed worker had in hand is taken up by the next one', async () => {
  const { db } = place.world.services
  const { id } = await add(admin, { title: 'By the next' })
  await sql`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now()`.execute(db)
  const worker = await startWorker(place.world.services, jobs, { databaseUrl: place.world.url, isOurs: true })
  // Not by the minute's sweep, which would take it up as well.
  const held = await sql`select from graphile_worker._private_jobs where locked_by = 'dead'`.execute(db)
  expect(held.rows).toHaveLength(0)
  await expect.poll(async () => (await detail(admin, id)).state, { timeout: 20_000 }).toBe('sent')
  await worker.stop()
})
