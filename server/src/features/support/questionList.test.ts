import { createHash } from 'node:crypto'
import { addFaq, editFaq, getFaq, publishFaq, withdrawFaq } from '@aisle/contract/support/faq'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { serveRaw } from '../../transport/http/raw'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { routes } from './faq'
import { rawRoutes, tellQuestions } from './questionList'

const NOON = new Date('2026-11-20T04:00:00Z')
const MINUTE_MS = 60_000
let world: World
let http: HttpWorld
let token: string
let merchants: string
let machine: BuiltMachine
let never: BuiltMachine
let others: BuiltMachine
let seq = 0
let now = NOON

beforeAll(async () => {
  world = await openWorld(NOON)
  const pages = (app: FastifyInstance) => serveRaw(app, rawRoutes, world.services)
  http = await openHttp(world, routesWith(...routes), pages)
  const { db } = world.services
  const platformId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: platformId })
  const admin = await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants: ['faq.*'] })
  token = await addSession(db, admin.id, NOON)
  const boss = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['faq.*'] })
  merchants = await addSession(db, boss.id, NOON)
  machine = await addMachine(db, { merchantId, products: [] })
  never = await addMachine(db, { merchantId, products: [] })
  others = await addMachine(db, { merchantId: platformId, products: [] })
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  now = NOON
  world.setNow(NOON)
  const { db } = world.services
  await sql`update faq set state = 'draft'`.execute(db)
  await tell()
  await sql`delete from device_command`.execute(db)
  await sql`delete from machine_questions`.execute(db)
  await passed(0)
})

const does = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>, as = token) =>
  (await http.call(endpoint, input, { token: as })).body.data as Record<string, unknown>
const tell = () => tellQuestions(world.services)

/** So much later two of the machines are heard. */
async function passed(minutes: number): Promise<void> {
  now = new Date(now.getTime() + minutes * MINUTE_MS)
  world.setNow(now)
  const heard = [machine.id, others.id]
  await sql`update machine_state set last_seen_at = ${now} where machine_id = any(${heard}::bigint[])`.execute(
    world.services.db,
  )
}

async function publish(typed: Record<string, unknown>): Promise<number> {
  const { id } = await does(addFaq, { topic: 'order', readers: ['customers'], ...typed })
  await does(publishFaq, { id })
  return Number(id)
}

type Data = { version: number; url: string; sha256: string; bytes: number }
async function pushes({ id }: BuiltMachine): Promise<{ id: string; state: string; data: Data }[]> {
  const found = await sql<{ id: string; state: string; data: Data }>`select id, state, data from device_command
    where machine_id = ${id} and type = 'push_questions' order by seq`.execute(world.services.db)
  return found.rows
}

async function answer(by: BuiltMachine, state: string, detail?: string): Promise<void> {
  const cmdId = (await pushes(by)).at(-1)?.id
  seq += 1
  await ingest(world.services, [spoken(world, by.code, seq, 'cmd.ack', { cmdId, state, ...(detail && { detail }) })])
}

async function listAt(path: string): Promise<{ status: number; bytes: Buffer }> {
  const { statusCode, rawPayload } = await http.app.inject({ url: path })
  return { status: statusCode, bytes: rawPayload }
}

test('machines that were ever heard are told once where the list lies, and it is what was announced', async () => {
  const second = await publish({
    place: 20,
    questionZh: '怎么退款？',
    answerZh: '原路退回。',
    questionFr: 'Et ensuite ?',
  })
  const first = await publish({ place: 10, questionEn: 'Nothing came out?', answerEn: 'Say it here.' })
  await publish({ readers: ['staff'], questionEn: 'Where is my day?', answerEn: 'In the application.' })
  await tell()
  await tell()
  expect(await pushes(never)).toEqual([])
  const [pushed, ...more] = await pushes(machine)
  expect(more).toEqual([])
  const { url, bytes, sha256 } = pushed?.data ?? { url: '', bytes: 0, sha256: '' }
  const list = await listAt(url)
  expect([list.status, list.bytes.length]).toEqual([200, bytes])
  expect(createHash('sha256').update(list.bytes).digest('hex')).toBe(sha256)
  expect(JSON.parse(list.bytes.toString())).toEqual({
    questions: [
      { id: first, topic: 'order', texts: { en: { question: 'Nothing came out?', answer: 'Say it here.' } } },
      { id: second, topic: 'order', texts: { zh: { question: '怎么退款？', answer: '原路退回。' } } },
    ],
  })
  for (const path of ['/c/questions/999', '/c/questions/x', '/c/questions/99999999999']) {
    expect((await listAt(path)).status).toBe(404)
  }
})

test('who wrote a question reads how many of the machines in sight show it', async () => {
  const id = await publish({ questionEn: 'Is it open?', answerEn: 'Day and night.' })
  await tell()
  expect((await does(getFaq, { id })).onMachines).toEqual({ shown: 0, of: 2 })
  await answer(machine, 'done')
  expect((await does(getFaq, { id })).onMachines).toEqual({ shown: 1, of: 2 })
  await tell()
  expect((await does(getFaq, { id }, merchants)).onMachines).toEqual({ shown: 1, of: 1 })
  // Withdrawn, it is there until the machine has the list without it.
  await does(withdrawFaq, { id })
  await tell()
  expect((await does(getFaq, { id })).onMachines).toEqual({ shown: 1, of: 2 })
  await answer(machine, 'done')
  expect((await does(getFaq, { id })).onMachines).toEqual({ shown: 0, of: 2 })
})

test('what changed goes out as a new version, and the list before that nobody took is taken back', async () => {
  const id = await publish({ questionEn: 'Is it open?', answerEn: 'Day and night.' })
  await tell()
  const { version } = await does(getFaq, { id })
  const typed = { topic: 'order', readers: ['customers'], questionEn: 'Is it open?', answerEn: 'By day.' }
  await does(editFaq, { id, version, ...typed })
  await tell()
  const [old, fresh] = await pushes(machine)
  expect([old?.state, fresh?.state]).toEqual(['cancelled', 'queued'])
  expect(fresh?.data.version).toBe(Number(old?.data.version) + 1)
})

test('a machine that could not fetch it is asked again after an hour in which it was heard', async () => {
  await publish({ questionEn: 'Is it open?', answerEn: 'Day and night.' })
  await tell()
  await answer(machine, 'failed', 'notFetched')
  await passed(30)
  await tell()
  expect(await pushes(machine)).toHaveLength(1)
  await passed(40)
  await tell()
  const [first, again] = await pushes(machine)
  expect(again?.data).toEqual(first?.data)
  await answer(machine, 'failed', 'notFetched')
  // Nobody has heard it since.
  world.setNow(new Date(now.getTime() + 100 * MINUTE_MS))
  await tell()
  expect(await pushes(machine)).toHaveLength(2)
})

test('a machine that does not know how is asked with the next list and not before', async () => {
  await publish({ questionEn: 'Is it open?', answerEn: 'Day and night.' })
  await tell()
  await answer(machine, 'refused', 'unknownCommand')
  await passed(100)
  await tell()
  expect(await pushes(machine)).toHaveLength(1)
  world.setNow(NOON)
  await publish({ questionEn: 'Is it cold?', answerEn: 'Yes.' })
  await tell()
  expect(await pushes(machine)).toHaveLength(2)
})

test('no more than thirty go out, those of the first places', async () => {
  const ids: number[] = []
  for (let place = 40; place > 0; place -= 1) {
    ids.push(await publish({ place, questionEn: `What is ${place}?`, answerEn: 'A number.' }))
  }
  await tell()
  const [pushed] = await pushes(machine)
  const { bytes } = await listAt(pushed?.data.url ?? '')
  const sent = JSON.parse(bytes.toString()) as { questions: { id: number }[] }
  expect(sent.questions.map(({ id }) => id)).toEqual(ids.slice(-30).reverse())
})
