import { issueCards } from '@aisle/contract/member/cardIssue'
import * as lists from '@aisle/contract/member/cardTransaction'
import * as verbs from '@aisle/contract/member/cardVerb'
import { getCard, topUpCard } from '@aisle/contract/member/memberCard'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { postTransfers, spentPostings } from '../ledger/public'
import { bookFaults } from '../settlement/check.reads'
import { contradictions } from '../trade/recount'
import { chargeCards, creditCard } from './card.commands'
import { routes } from './card.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let clerk: string
let other: string
let numbered = 0
/** Nothing happens in the same second as another, so that what stood on a card between them can be told. */
let passed = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  clerk = await tokenOf()
  other = await tokenOf()
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function tokenOf(
  grants: readonly string[] = ['memberCard.*', 'cardTransaction.*', 'cardLog.*'],
): Promise<string> {
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  return addSession(world.services.db, user.id, NOON)
}
const call = async (
  endpoint: Parameters<HttpWorld['call']>[0],
  input: Record<string, unknown> = {},
  token: string = clerk,
) => {
  passed += 1
  world.setNow(new Date(NOON.getTime() + passed * 1_000))
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const numbers = () => {
  numbered += 1
  return { physicalNo: (0xa0000000 + numbered).toString(16), logicalNo: `C${10_000 + numbered}` }
}
async function issued(more: Record<string, unknown> = {}) {
  const line = numbers()
  const asked = { merchantId: family.ours.merchantId, type: 'ordinary', isActive: true, lines: [line], ...more }
  const { data } = await call(issueCards, asked)
  const [{ code, outcome } = {}] = data.lines as { code?: string; outcome?: string }[]
  const found = await sql<{ id: number }>`select id from member_card where physical_no = ${line.physicalNo}`.execute(
    world.services.db,
  )
  return { ...line, code, outcome, id: found.rows[0]?.id ?? 0 }
}
type Card = Awaited<ReturnType<typeof issued>>
const topUp = ({ id, physicalNo }: Pick<Card, 'id' | 'physicalNo'>, amountFen: number, giftFen = 0) =>
  call(topUpCard, { id, physicalNo, amountFen, giftFen, method: 'cash', isConfirmed: true })

/** An order of a machine of ours; its sale is posted as the books do. */
async function pay(physicalNo: string, amountFen: number): Promise<{ orderId: number; reason: string | undefined }> {
  const [machine] = family.ours.machines
  numbered += 1
  const orderNo = `CARD-${numbered}`
  const { db } = world.services
  const made = await sql<{ id: number }>`insert into order_number (order_no, occurred_at, machine_id, merchant_id)
    values (${orderNo}, ${NOON}, ${machine?.id}, ${family.ours.merchantId}) returning order_id as id`.execute(db)
  const orderId = made.rows[0]?.id ?? 0
  const reason = await db.transaction().execute(async (tx) => {
    const at = { id: machine?.id ?? 0, merchantId: family.ours.merchantId }
    const ask = {
      orderId,
      machine: at,
      code: physicalNo,
      amountFen,
      businessDay: '2026-11-20',
      receivedAt: world.services.clock.now(),
    }
    return (await chargeCards(tx, [ask])).get(orderId)
  })
  return { orderId, reason }
}
/** As the books post it when the work of the order's transaction ends. */
const postSale = (orderId: number, cardId: number, balanceFen: number, giftFen = 0) =>
  world.services.db.transaction().execute((tx) => {
    const { merchantId } = family.ours
    const pending = { account: { kind: 'pending', merchantId, key: '' }, amountFen: -balanceFen - giftFen } as const
    const postings = [...spentPostings({ cardId, issuerId: merchantId, balanceFen, giftFen }), pending]
    const at = { postedAt: world.services.clock.now(), businessDay: '2026-11-20' }
    return postTransfers(tx, [{ kind: 'sale', reference: String(orderId), merchantId, ...at, postings }])
  })
const cardOf = async (id: number) => (await call(getCard, { id })).data

async function wrongBooks(): Promise<string[]> {
  const { db } = world.services
  const said = [...(await contradictions(db)), ...(await bookFaults(db))]
  return said.filter((what) => /^(ledger|account|issuer) /.test(what))
}

test('of a batch each line says what became of it, and what can be issued is', async () => {
  const { merchantId } = family.ours
  const before = await issued()
  const { db } = world.services
  await sql`insert into member (number, name, birthday, merchant_id, registered_at, state)
    values ('KID01', 'Kid', '2018-01-01', ${merchantId}, ${NOON}, 'active'),
      ('OFF01', 'Off', null, ${merchantId}, ${NOON}, 'stopped'),
      ('YES01', 'Yes', null, ${merchantId}, ${NOON}, 'active')`.execute(db)
  const [good, named] = [numbers(), numbers()]
  const lines = [
    good,
    { ...numbers(), physicalNo: 'xyz' },
    { ...numbers(), logicalNo: '中文' },
    good,
    { ...numbers(), physicalNo: before.physicalNo },
    { ...numbers(), logicalNo: before.logicalNo },
    { ...numbers(), memberNumber: 'NOBODY' },
    { ...numbers(), memberNumber: 'OFF01' },
    { ...numbers(), memberNumber: 'KID01' },
    { ...named, memberNumber: 'yes01' },
  ]
  const { data } = await call(issueCards, { merchantId, type: 'student', lines, dailyAmountFen: 5_000 })
  expect((data.lines as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual([
    'done',
    'badPhysical',
    'badLogical',
    'twice',
    'alreadyIssued',
    'logicalTaken',
    'memberUnknown',
    'memberStopped',
    'consentMissing',
    'done',
  ])
  expect(data.done).toBe(2)
  const found = await sql<{ holder: string }>`select m.number as holder from member_card c join member m
    on m.id = c.member_id where c.physical_no = ${named.physicalNo}`.execute(db)
  expect(found.rows).toEqual([{ holder: 'YES01' }])
})

test('two desks that issue the same two thousand at once issue each card once', async () => {
  const lines = Array.from({ length: 2_000 }, numbers)
  const asked = { merchantId: family.ours.merchantId, type: 'ordinary', lines }
  const answers = await Promise.all([call(issueCards, asked), call(issueCards, asked, other)])
  expect(answers.map(({ data }) => Number(data.done)).reduce((a, b) => a + b)).toBe(2_000)
})

test('a card is activated by the code that came with it, and by no other', async () => {
  const card = await issued({ isActive: false })
  const another = await issued({ isActive: false })
  expect(card.code).toMatch(/^[A-Z0-9]{10}$/)
  expect((await topUp(card, 100)).code).toBe('card.notActive')
  for (const code of ['', 'AAAAAAAAAA', another.code]) {
    expect((await call(verbs.activateCard, { id: card.id, code })).code).toBe('card.wrongCode')
  }
  const typed = `${card.code?.slice(0, 5).toLowerCase()} ${card.code?.slice(5)}`
  expect((await call(verbs.activateCard, { id: card.id, code: typed })).data).toMatchObject({ state: 'active' })
  expect((await call(verbs.activateCard, { id: card.id, code: typed })).code).toBe('card.state')
})

test('replacing moves balance, gift, limits, machines and name in one step, and the old one is over', async () => {
  const old = await issued({ singleMaxFen: 900, dailyCountLimit: 7 })
  await topUp(old, 10_000, 2_000)
  const machineIds = family.ours.machines.slice(0, 1).map(({ id }) => id)
  const { version } = await cardOf(old.id)
  const limits = { level: 4, singleMaxFen: 900, dailyCountLimit: 7, dailyAmountFen: 0, machineIds }
  expect((await call(verbs.setCardLimits, { id: old.id, version, ...limits })).status).toBe(200)
  await call(verbs.reportLostCard, { id: old.id })
  const taken = await issued()
  const ask = (more: object) => call(verbs.replaceCard, { id: old.id, ...numbers(), ...more })
  expect((await ask({ physicalNo: old.physicalNo })).code).toBe('card.sameNumber')
  expect((await ask({ physicalNo: taken.physicalNo })).code).toBe('card.issued')
  const fresh = numbers()
  const replaced = await ask(fresh)
  expect(replaced.data).toMatchObject({ balanceFen: 10_000, giftFen: 2_000 })
  const id = Number(replaced.data.id)
  expect(await cardOf(id)).toMatchObject({
    state: 'active',
    balanceFen: 10_000,
    giftFen: 2_000,
    singleMaxFen: 900,
    dailyCountLimit: 7,
    level: 4,
    isRestricted: true,
    replaces: old.logicalNo,
  })
  expect(await cardOf(old.id)).toMatchObject({ state: 'cancelled', balanceFen: 0, giftFen: 0 })
  expect((await ask({})).code).toBe('card.state')
  expect((await call(verbs.replaceCard, { id, ...numbers(), physicalNo: old.physicalNo })).code).toBe('card.issued')
  expect(await wrongBooks()).toEqual([])
})

test('what is refunded of an order of a replaced card comes back to the card in its place', async () => {
  const old = await issued()
  await topUp(old, 5_000)
  const { orderId } = await pay(old.physicalNo, 1_200)
  const { db } = world.services
  await postSale(orderId, old.id, 1_200)
  const first = await call(verbs.replaceCard, { id: old.id, ...numbers() })
  const second = await call(verbs.replaceCard, { id: Number(first.data.id), ...numbers() })
  const id = Number(second.data.id)
  await db
    .transaction()
    .execute((tx) => creditCard(tx, { orderId, refundId: 1_000_000 + orderId, amountFen: 1_200, at: NOON }))
  expect(await cardOf(id)).toMatchObject({ balanceFen: 5_000 })
  expect(await cardOf(old.id)).toMatchObject({ balanceFen: 0 })
})

test.each([
  ['issuer', 5_833],
  ['holder', 5_000],
])('of 100 paid, 20 given and 50 used, by the wish of the %s, %i fen go back', async (why, paidFen) => {
  const card = await issued()
  await topUp(card, 10_000, 2_000)
  const { orderId } = await pay(card.physicalNo, 5_000)
  await postSale(orderId, card.id, 3_000, 2_000)
  expect((await call(verbs.cancelCard, { id: card.id, why })).data).toMatchObject({ state: 'cancelling' })
  expect((await pay(card.physicalNo, 1)).reason).toBe('cardNotActive')
  expect((await topUp(card, 1)).code).toBe('card.notActive')
  expect((await call(verbs.previewPayOut, { id: card.id })).data).toMatchObject({ paidFen, balanceFen: 7_000 })
  const back = { id: card.id, method: 'cash' }
  expect((await call(verbs.payOutCard, { ...back, paidFen: 7_000 })).code).toBe('card.amountChanged')
  expect((await call(verbs.payOutCard, { ...back, paidFen })).data).toMatchObject({ state: 'cancelled' })
  expect(await cardOf(card.id)).toMatchObject({ balanceFen: 0, giftFen: 0, paidOutFen: paidFen })
  expect((await call(verbs.payOutCard, { ...back, paidFen })).code).toBe('card.paidOut')
})

test('an empty card is over at once, and one that was to end may be kept', async () => {
  const empty = await issued()
  expect((await call(verbs.cancelCard, { id: empty.id, why: 'holder' })).data).toMatchObject({ state: 'cancelled' })
  const full = await issued()
  await topUp(full, 60_000)
  await call(verbs.cancelCard, { id: full.id, why: 'holder' })
  const back = { id: full.id, paidFen: 60_000 }
  expect((await call(verbs.payOutCard, { ...back, method: 'cash' }, other)).code).toBe('card.cashLimit')
  expect((await call(verbs.payOutCard, { ...back, method: 'transfer' })).code).toBe('card.ownRequest')
  expect((await call(verbs.keepCard, { id: full.id })).data).toMatchObject({ state: 'locked' })
  expect((await call(verbs.payOutCard, { ...back, method: 'transfer' }, other)).code).toBe('card.state')
})

test('no more stands on a card than the law lets it, with a name and without', async () => {
  const card = await issued()
  expect((await topUp(card, 100_001)).code).toBe('card.aboveLaw')
  expect((await topUp(card, 100_000)).status).toBe(200)
  const member = await sql<{ id: number }>`insert into member (number, name, merchant_id, registered_at)
    values ('LAW01', 'Law', ${family.ours.merchantId}, ${NOON}) returning id`.execute(world.services.db)
  expect((await call(verbs.bindCard, { id: card.id, memberId: member.rows[0]?.id })).status).toBe(200)
  expect((await topUp(card, 400_001)).code).toBe('card.aboveLaw')
  expect((await topUp(card, 1)).status).toBe(200)
  expect((await call(verbs.unbindCard, { id: card.id })).code).toBe('card.aboveLaw')
})

test('a top-up is reversed once, by another person, and only what is untouched of it', async () => {
  const card = await issued()
  await topUp(card, 10_000, 1_000)
  await topUp(card, 5_000, 500)
  const { orderId } = await pay(card.physicalNo, 11_700)
  await postSale(orderId, card.id, 10_200, 1_500)
  const [second, first] = (await call(lists.listTopUps, { cardId: card.id })).data.items as {
    id: number
    isOwn: boolean
  }[]
  expect(second?.isOwn).toBe(true)
  const reverse = (id: number | undefined, token = other) =>
    call(lists.reverseTopUp, { id, reason: 'typed once too often' }, token)
  expect((await reverse(second?.id, clerk)).code).toBe('topUp.own')
  expect((await reverse(first?.id)).code).toBe('topUp.used')
  const both = await Promise.all(Array.from({ length: 8 }, () => reverse(second?.id)))
  expect(both.filter(({ status }) => status === 200)).toMatchObject([{ data: { paidFen: 4_800 } }])
  expect(both.filter(({ code }) => code === 'topUp.reversed')).toHaveLength(7)
  expect(await cardOf(card.id)).toMatchObject({ balanceFen: 0, giftFen: 0 })
})

test('the log tells each act with what was on the card before and after, and deductions their order', async () => {
  const card = await issued()
  await topUp(card, 3_000, 300)
  const { orderId } = await pay(card.physicalNo, 500)
  await postSale(orderId, card.id, 200, 300)
  await call(verbs.lockCard, { id: card.id, note: 'lent out' })
  const { items } = (await call(lists.listCardLog, { cardId: card.id })).data as { items: { action: string }[] }
  const of = (action: string) => items.find((each) => each.action === action)
  expect(of('issued')).toMatchObject({ beforeFen: 0, afterFen: 0 })
  expect(of('toppedUp')).toMatchObject({ beforeFen: 0, afterFen: 3_000, giftBeforeFen: 0, giftAfterFen: 300 })
  expect(of('paid')).toMatchObject({ beforeFen: 3_000, afterFen: 2_800, giftBeforeFen: 300, giftAfterFen: 0 })
  expect(of('locked')).toMatchObject({ beforeFen: 2_800, afterFen: 2_800, note: 'lent out' })
  expect((await call(lists.listDeductions, { cardId: card.id })).data.items).toMatchObject([
    { paidFen: 500, beforeFen: 3_000, afterFen: 2_800, orderNo: expect.stringContaining('CARD-') },
  ])
  const { db } = world.services
  await sql`insert into member_card_log (card_id, merchant_id, action, at)
    values (${card.id}, ${family.ours.merchantId}, 'locked', '2019-06-21 15:59:59Z')`.execute(db)
  const old = await call(lists.listCardLog, { cardId: card.id, to: '2019-06-21' })
  expect(old.data.items).toMatchObject([{ beforeFen: null, afterFen: null }])
})

test('of sixty-four who are at one card at once each counts once, and the books stay right', async () => {
  const card = await issued()
  await topUp(card, 20_000)
  const ends = [
    () => call(verbs.lockCard, { id: card.id }),
    () => call(verbs.unlockCard, { id: card.id }, other),
    () => topUp(card, 100),
    () => call(verbs.replaceCard, { id: card.id, ...numbers() }),
    () => call(verbs.cancelCard, { id: card.id, why: 'issuer' }),
  ]
  const answers = await Promise.all(Array.from({ length: 64 }, async (_, n) => ends[n % ends.length]?.()))
  expect(answers.filter((each) => each && each.status === 500)).toEqual([])
  const replaced = await sql<{ count: number }>`with recursive line as (select id, replaced_by from member_card
      where id = ${card.id}
      union all select c.id, c.replaced_by from line join member_card c on c.id = line.replaced_by)
    select count(*)::int as count from line`.execute(world.services.db)
  expect(replaced.rows[0]?.count).toBeLessThanOrEqual(2)
  expect(await wrongBooks()).toEqual([])
})
