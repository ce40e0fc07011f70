import * as contract from '@aisle/contract/member/cardApplication'
import { issueCards } from '@aisle/contract/member/cardIssue'
import { cancelCard } from '@aisle/contract/member/cardVerb'
import { getCard, topUpCard } from '@aisle/contract/member/memberCard'
import { addMember, eraseMember, recordConsent } from '@aisle/contract/member/memberRecord'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { countWaitingApplications } from './cardApplication.reads'
import { routes as cardRoutes } from './card.routes'
import { routes as memberRoutes } from './member.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const grants = ['member.*', 'memberCard.*', 'cardApplication.*']
let world: World
let http: HttpWorld
let family: Family
let clerk: string
let other: string
let numbered = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...memberRoutes, ...cardRoutes))
  family = await addFamily(world.services.db, NOON)
  clerk = await tokenOf(family.ours.merchantId)
  other = await tokenOf(family.ours.merchantId)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function tokenOf(merchantId: number, held: readonly string[] = grants): Promise<string> {
  const user = await addUser(world.services.db, { merchantId, grants: held })
  return addSession(world.services.db, user.id, NOON)
}
type Call = Parameters<HttpWorld['call']>
const call = async (endpoint: Call[0], input: Record<string, unknown> = {}, token: string = clerk) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: (body.data ?? {}) as Record<string, unknown> & { id: number } }
}
const outcome = ({ status, code, data }: Awaited<ReturnType<typeof call>>) => (status === 200 ? data.state : code)
const numbers = () => {
  numbered += 1
  return { physicalNo: (0xb0000000 + numbered).toString(16), logicalNo: `A${10_000 + numbered}` }
}
async function member(more: Record<string, unknown> = {}): Promise<number> {
  numbered += 1
  const { data } = await call(addMember, {
    merchantId: family.ours.merchantId,
    name: `Applicant ${numbered}`,
    phone: `139${String(numbered).padStart(8, '0')}`,
    ...more,
  })
  return data.id
}
const apply = async (memberId: number, type = 'staff') =>
  call(contract.applyForCard, { memberId, type, note: 'new here' })
async function cardOf(memberId: number): Promise<{ id: number; physicalNo: string; logicalNo: string }> {
  const application = await apply(memberId)
  await call(contract.approveApplication, { id: application.data.id }, other)
  const line = numbers()
  const { data } = await call(contract.issueApplied, { id: application.data.id, ...line })
  return { ...line, id: Number(data.cardId) }
}

test('a card is asked for, agreed to by another person, and handed out once with a name on it', async () => {
  const memberId = await member()
  const { data: asked } = await apply(memberId)
  expect(asked.state).toBe('submitted')
  expect(outcome(await call(contract.approveApplication, { id: asked.id }))).toBe('application.own')
  expect(outcome(await call(contract.issueApplied, { id: asked.id, ...numbers() }))).toBe('application.state')
  expect(outcome(await call(contract.approveApplication, { id: asked.id }, other))).toBe('approved')
  const line = numbers()
  const issued = await call(contract.issueApplied, { id: asked.id, ...line, isActive: false })
  expect(issued.data).toMatchObject({ state: 'issued', code: expect.stringMatching(/^\S+$/) })
  expect((await call(getCard, { id: issued.data.cardId })).data).toMatchObject({
    ...line,
    memberId,
    type: 'staff',
    state: 'not_activated',
    hasCode: true,
  })
  expect((await call(contract.getApplication, { id: asked.id }, other)).data).toMatchObject({
    logicalNo: line.logicalNo,
    isOwn: false,
    note: 'new here',
  })
  expect(outcome(await call(contract.issueApplied, { id: asked.id, ...numbers() }))).toBe('application.state')
})

test('a lost card is reported lost with the application, and what was on it is on the one handed out', async () => {
  const memberId = await member()
  const old = await cardOf(memberId)
  await call(topUpCard, { id: old.id, physicalNo: old.physicalNo, amountFen: 5_000, giftFen: 500, method: 'cash' })
  const asked = await call(contract.applyForReplacement, { cardId: old.id, note: 'left on the bus' })
  expect((await call(getCard, { id: old.id })).data.state).toBe('lost')
  await call(contract.approveApplication, { id: asked.data.id }, other)
  const line = numbers()
  const issued = await call(contract.issueApplied, { id: asked.data.id, ...line })
  expect(issued.data).toMatchObject({ state: 'issued', code: null })
  expect((await call(getCard, { id: issued.data.cardId })).data).toMatchObject({
    ...line,
    memberId,
    state: 'active',
    balanceFen: 5_000,
    giftFen: 500,
    replaces: old.logicalNo,
  })
  expect((await call(getCard, { id: old.id })).data).toMatchObject({ state: 'cancelled', balanceFen: 0 })
})

test('a card in the name of who registered with another merchant is replaced as at the desk', async () => {
  const card = await cardOf(await member())
  await sql`update member_card set member_id = (select id from member where merchant_id = ${family.theirs.merchantId}
    order by id limit 1) where id = ${card.id}`.execute(world.services.db)
  const asked = await call(contract.applyForReplacement, { cardId: card.id, isLost: false })
  expect(outcome(await call(contract.approveApplication, { id: asked.data.id }, other))).toBe('approved')
  expect(outcome(await call(contract.issueApplied, { id: asked.data.id, ...numbers() }))).toBe('issued')
})

test('a broken card pays on until the other one is handed out', async () => {
  const old = await cardOf(await member())
  await call(contract.applyForReplacement, { cardId: old.id, isLost: false })
  expect((await call(getCard, { id: old.id })).data.state).toBe('active')
})

test('one application at a time: of sixty-four at once one is taken, and again when that one is over', async () => {
  const memberId = await member()
  const all = await Promise.all(Array.from({ length: 64 }, () => apply(memberId)))
  const taken = all.filter(({ status }) => status === 200)
  expect(taken).toHaveLength(1)
  expect(new Set(all.filter(({ status }) => status !== 200).map(outcome))).toEqual(new Set(['application.open']))
  expect(outcome(await call(contract.withdrawApplication, { id: taken[0]?.data.id }))).toBe('withdrawn')
  expect(outcome(await apply(memberId))).toBe('submitted')

  const card = await cardOf(await member())
  const twice = () => call(contract.applyForReplacement, { cardId: card.id })
  expect(outcome(await twice())).toBe('submitted')
  expect(outcome(await twice())).toBe('application.open')
})

test('of sixty-four who hand out one application one does, and one card is made', async () => {
  const { data: asked } = await apply(await member())
  await call(contract.approveApplication, { id: asked.id }, other)
  const all = await Promise.all(
    Array.from({ length: 64 }, () => call(contract.issueApplied, { id: asked.id, ...numbers() })),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  const made = await sql`select 1 from member_card where member_id = (
    select member_id from card_application where id = ${asked.id})`.execute(world.services.db)
  expect(made.rows).toHaveLength(1)
})

test('who may have no card is refused one, when it is asked and when it is agreed to', async () => {
  const child = await member({ birthday: '2016-03-01' })
  expect(outcome(await apply(child))).toBe('card.consent')
  await call(recordConsent, { id: child, by: 'guardian' })
  const line = numbers()
  await call(issueCards, { merchantId: family.ours.merchantId, type: 'ordinary', isActive: true, lines: [line] })
  const nameless = await sql<{ id: number }>`select id from member_card where physical_no = ${line.physicalNo}`.execute(
    world.services.db,
  )
  const replaced = (cardId: number) => call(contract.applyForReplacement, { cardId })
  expect(outcome(await replaced(nameless.rows[0]?.id ?? 0))).toBe('card.nameless')
  expect(outcome(await replaced(999_999_999))).toBe('request.notFound')
  const over = await cardOf(await member())
  await call(cancelCard, { id: over.id, why: 'holder' })
  expect(outcome(await replaced(over.id))).toBe('card.state')

  const memberId = await member()
  const { data: asked } = await apply(memberId)
  await sql`update member set state = 'stopped' where id = ${memberId}`.execute(world.services.db)
  expect(outcome(await call(contract.approveApplication, { id: asked.id }, other))).toBe('card.memberStopped')
  const refused = await call(contract.refuseApplication, { id: asked.id, reason: 'moved away' }, other)
  expect(outcome(refused)).toBe('refused')
})

test('a number that a card has already is refused, and the application waits for another', async () => {
  const card = await cardOf(await member())
  const { data: asked } = await apply(await member())
  await call(contract.approveApplication, { id: asked.id }, other)
  expect(outcome(await call(contract.issueApplied, { ...numbers(), id: asked.id, physicalNo: card.physicalNo }))).toBe(
    'card.issued',
  )
  expect(outcome(await call(contract.issueApplied, { id: asked.id, ...numbers() }))).toBe('issued')
})

test('who is forgotten wants no card any more, and nothing that was noted of it is left', async () => {
  const memberId = await member()
  const { data: asked } = await apply(memberId)
  const found = await sql<{ number: string }>`select number from member where id = ${memberId}`.execute(
    world.services.db,
  )
  expect(outcome(await call(eraseMember, { id: memberId, number: found.rows[0]?.number }))).toBe('erased')
  expect((await call(contract.getApplication, { id: asked.id })).data).toMatchObject({ state: 'withdrawn', note: '' })
})

test('the badge counts what waits in sight, and another branch sees and decides nothing of it', async () => {
  const { db } = world.services
  const waiting = () => countWaitingApplications(db, { kind: 'all' })
  const before = await waiting()
  const { data: asked } = await apply(await member())
  expect(await waiting()).toBe(before + 1)
  const stranger = await tokenOf(family.theirs.merchantId)
  expect(outcome(await call(contract.approveApplication, { id: asked.id }, stranger))).toBe('request.notFound')
  const theirs = (await call(contract.listApplications, {}, stranger)).data.items as { id: number }[]
  expect(theirs.map(({ id }) => id)).not.toContain(asked.id)
  await call(contract.refuseApplication, { id: asked.id, reason: 'asked twice' }, other)
  expect(await waiting()).toBe(before)
})
