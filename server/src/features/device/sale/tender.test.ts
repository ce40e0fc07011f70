import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { races, racing, together } from '../../../testing/races'
import { issueCard, issueCodes, type NewCodes } from '../../../testing/tenders'
import { openWorld, type World } from '../../../testing/world'
import { creditCard } from '../../member/public'
import { sweep } from '../../pickup/pickup.jobs'
import { bookFaults } from '../../settlement/check.reads'
import { settleRest } from '../../settlement/settle.commands'
import { redeliver, withBooks } from '../../trade/public'
import { contradictions } from '../../trade/recount'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import type { Reply } from '../link/batch'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let merchantId = 0
let machines: BuiltMachine[] = []
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
})
afterAll(() => world.close())
beforeEach(async () => {
  world.setNow(NOON)
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: await platform() })
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
  machines = [await addMachine(db, { merchantId, products }), await addMachine(db, { merchantId, products })]
})

async function platform(): Promise<number> {
  const { db } = world.services
  const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(db)
  return found.rows[0]?.id ?? addMerchant(db)
}

const one = async <T>(query: ReturnType<typeof sql<T>>): Promise<T | undefined> =>
  (await query.execute(world.services.db)).rows[0]
const later = (ms: number) => world.setNow(new Date(NOON.getTime() + ms))

const say = (machine: BuiltMachine, type: string, data: Record<string, unknown>) =>
  spoken(world, machine.code, ++seq, type, data)

async function ask(at: number, order: Record<string, unknown>): Promise<Reply['answer']> {
  const machine = machines[at]
  if (!machine) throw new Error('no such machine')
  const taken = await ingest(world.services, [
    say(machine, 'order.request', { orderNo: `O-${seq}`, items: [{ slot: 'A1' }], ...order }),
  ])
  return taken.replies[0]?.answer
}
const refusedOf = (answer: Reply['answer']) => (answer && 'refused' in answer ? answer.refused : null)

const come = (at: number, orderNo: string, index = 0, ok = true) => {
  const machine = machines[at]
  if (!machine) throw new Error('no such machine')
  const slot = `A${index + 1}`
  const data = { orderNo, index, slot, ok, motorCode: '100', sensorCode: ok ? '01' : '03' }
  return ingest(world.services, [say(machine, 'vend.result', data)])
}

/** A batch of codes for the merchant's two products, or for those of them that are named. */
const issue = ({ content = [0], ...more }: Partial<NewCodes> = {}) => {
  const slots = machines[0]?.slots ?? []
  return issueCodes(world, { merchantId, content: content.map((at) => slots[at]?.productId ?? 0), ...more })
}

const byCode = (code: string | undefined, more: Record<string, unknown> = {}) => ({
  method: 'pickup_code',
  code: code ?? '',
  ...more,
})
const stateOf = async (batchId: number) =>
  (await one(sql<{ state: string }>`select state from pickup_code where batch_id = ${batchId}`))?.state

const byCard = (code: string, more: Record<string, unknown> = {}) => ({ method: 'member_card', code, ...more })

async function worthOf(cardId: number) {
  const found = await sql<{ kind: string; fen: number }>`select kind, -balance_fen as fen from ledger_account
    where key = ${String(cardId)} and kind in ('card_liability', 'gift_liability')`.execute(world.services.db)
  return Object.fromEntries(found.rows.map(({ kind, fen }) => [kind, fen]))
}

test('a code gives its content once: paid with the answer, shipped with it, and spent by what came out', async () => {
  const { batchId, codes } = await issue()
  expect(await ask(0, byCode(codes[0], { orderNo: 'ONCE' }))).toMatchObject({ amountFen: 0, isPaid: true })
  expect(await stateOf(batchId)).toBe('in_use')
  await come(0, 'ONCE')
  expect(await stateOf(batchId)).toBe('fully_shipped')
  expect(refusedOf(await ask(0, byCode(codes[0])))).toBe('codeSpent')
  const kept = await one(sql<{ tender_code: string }>`select tender_code from orders where machine_order_no = 'ONCE'`)
  expect(kept?.tender_code).toBe(`••••••${codes[0]?.slice(-4)}`)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('sixty-four machines ask for one code at once, and one of them has it', racing, async () => {
  await races('one pick-up code', async (round) => {
    const { batchId, codes } = await issue()
    const answers = await together((n) => ask(n % 2, byCode(codes[0], { orderNo: `RACE-${round}-${n}` })))
    expect(answers.filter((answer) => answer && !('refused' in answer))).toHaveLength(1)
    expect(new Set(answers.map(refusedOf))).toEqual(new Set([null, 'codeSpent']))
    expect(
      await one(sql`select count(*)::int as n from pickup_use u join pickup_code c on c.id = u.code_id
      where c.batch_id = ${batchId}`),
    ).toEqual({ n: 1 })
  })
  expect(await contradictions(world.services.db)).toEqual([])
})

test('of one batch, the first who asks has the code', async () => {
  const { codes } = await issue()
  const [machine] = machines
  if (!machine) throw new Error('no machine')
  const asked = [1, 2].map((n) =>
    say(machine, 'order.request', { orderNo: `B-${n}`, items: [{ slot: 'A1' }], ...byCode(codes[0]) }),
  )
  const { replies } = await ingest(world.services, asked)
  expect(replies.map(({ answer }) => refusedOf(answer))).toEqual([null, 'codeSpent'])
})

test('what jams goes back into the code, and the rest is fetched elsewhere', async () => {
  const { batchId, codes } = await issue({ content: [0, 1] })
  const both = { items: [{ slot: 'A1' }, { slot: 'A2' }] }
  await ask(0, byCode(codes[0], { orderNo: 'PART', ...both }))
  await come(0, 'PART', 0, true)
  await come(0, 'PART', 1, false)
  expect(await stateOf(batchId)).toBe('partly_shipped')
  expect(refusedOf(await ask(1, byCode(codes[0])))).toBe('contentDiffers')
  await ask(1, byCode(codes[0], { orderNo: 'REST', items: [{ slot: 'A2' }] }))
  await ingest(world.services, [
    say(machines[1] as BuiltMachine, 'vend.result', {
      orderNo: 'REST',
      index: 0,
      slot: 'A2',
      ok: true,
      motorCode: '100',
      sensorCode: '01',
    }),
  ])
  expect(await stateOf(batchId)).toBe('fully_shipped')
})

test('a code is free again when nothing came out, and what comes late takes its place', async () => {
  const { batchId, codes } = await issue()
  await ask(0, byCode(codes[0], { orderNo: 'LATE' }))
  later(301_000)
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
  expect(await stateOf(batchId)).toBe('unused')
  await come(0, 'LATE')
  expect(await stateOf(batchId)).toBe('fully_shipped')
  const use = sql<{ late: boolean; extra: number }>`select u.late_at is not null as late, u.extra from pickup_use u
    join pickup_code c on c.id = u.code_id where c.batch_id = ${batchId}`
  expect(await one(use)).toEqual({ late: true, extra: 0 })
})

test('what comes late after it was given elsewhere is one too many, and no code gives more than it holds', async () => {
  const { batchId, codes } = await issue()
  await ask(0, byCode(codes[0], { orderNo: 'LATE-2' }))
  later(301_000)
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
  await ask(1, byCode(codes[0], { orderNo: 'SECOND' }))
  await come(0, 'LATE-2')
  expect(await stateOf(batchId)).toBe('in_use')
  await come(1, 'SECOND')
  const stands = sql`select c.state, c.shipped, sum(u.extra)::int as extra from pickup_code c
    join pickup_use u on u.code_id = c.id where c.batch_id = ${batchId} group by 1, 2`
  expect(await one(stands)).toEqual({ state: 'fully_shipped', shipped: 1, extra: 1 })
})

test('what jammed and is let out from afar spends the code all the same', async () => {
  const { batchId, codes } = await issue({ content: [0, 1] })
  await ask(0, byCode(codes[0], { orderNo: 'AGAIN' }))
  await come(0, 'AGAIN', 0, false)
  expect(await stateOf(batchId)).toBe('unused')
  const [machine] = machines
  const slot = machine?.slots[0]
  if (!machine || !slot) throw new Error('no machine')
  const piece = { orderNo: `${machine.code}-AGAIN`, itemIndex: 0, placeId: slot.placeId, productId: slot.productId }
  const said = { ...piece, merchantId, at: NOON, motorCode: '100', sensorCode: '01' }
  const taken = await world.services.db
    .transaction()
    .execute((tx) => withBooks(tx, NOON, (books) => redeliver(tx, books, said)))
  expect(taken).toBe(true)
  expect(await stateOf(batchId)).toBe('partly_shipped')
  expect(refusedOf(await ask(1, byCode(codes[0])))).toBe('contentDiffers')
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a code of three pick-ups gives its content three times', async () => {
  const { batchId, codes } = await issue({ pickups: 3 })
  for (const n of [1, 2, 3]) {
    await ask(0, byCode(codes[0], { orderNo: `N-${batchId}-${n}` }))
    await come(0, `N-${batchId}-${n}`)
    expect(await stateOf(batchId)).toBe(n < 3 ? 'partly_shipped' : 'fully_shipped')
  }
  expect(refusedOf(await ask(0, byCode(codes[0])))).toBe('codeSpent')
})

test('a code is good where and as long as it says', async () => {
  const { batchId, codes } = await issue({ scope: 'machines' })
  expect(refusedOf(await ask(0, byCode(codes[0])))).toBe('codeElsewhere')
  await sql`insert into pickup_place (batch_id, machine_id) values (${batchId}, ${machines[1]?.id})`.execute(
    world.services.db,
  )
  expect(refusedOf(await ask(0, byCode(codes[0])))).toBe('codeElsewhere')
  later(86_400_001)
  expect(refusedOf(await ask(1, byCode(codes[0])))).toBe('codeExpired')
  await world.services.db.transaction().execute((tx) => sweep(tx, world.services.clock.now()))
  expect(await stateOf(batchId)).toBe('expired')
})

test('codes are invalid while their product is out of sale', async () => {
  const { batchId, codes } = await issue()
  const { db } = world.services
  const turn = async (state: string) => {
    await sql`update product set state = ${state} where id = ${machines[0]?.slots[0]?.productId}`.execute(db)
    await db.transaction().execute((tx) => sweep(tx, NOON))
  }
  await turn('offline')
  expect(await stateOf(batchId)).toBe('invalid')
  expect(refusedOf(await ask(0, byCode(codes[0])))).toBe('codeInvalid')
  await turn('online')
  expect(await stateOf(batchId)).toBe('unused')
})

test('codes are invalid once their machines are retired', async () => {
  const { batchId } = await issue()
  const { db } = world.services
  const turn = async (retiredAt: Date | null) => {
    await sql`update machine set retired_at = ${retiredAt} where merchant_id = ${merchantId}`.execute(db)
    await db.transaction().execute((tx) => sweep(tx, NOON))
    return stateOf(batchId)
  }
  expect([await turn(NOON), await turn(null)]).toEqual(['invalid', 'unused'])
})

test('a machine that asks for too many codes that nobody gave out is not asked for a while', async () => {
  const { codes } = await issue()
  for (let n = 0; n < 6; n += 1) expect(refusedOf(await ask(0, byCode('AAAAA-AAAAA')))).toBe('codeUnknown')
  expect(refusedOf(await ask(0, byCode(codes[0])))).toBe('codesBlocked')
  expect(refusedOf(await ask(1, byCode(codes[0])))).toBe(null)
  later(601_000)
  expect(refusedOf(await ask(0, byCode('AAAAA-AAAAA')))).toBe('codeUnknown')
})

test('a machine that was offline takes nothing by a card that was replaced meanwhile', async () => {
  const { db } = world.services
  const old = await issueCard(world, { merchantId, balanceFen: 1_000 })
  const own = await issueCard(world, { merchantId, balanceFen: 1_000 })
  await sql`update member_card set state = 'cancelled', replaced_by = ${own.cardId} where id = ${old.cardId}`.execute(
    db,
  )
  const [machine] = machines
  const slot = machine?.slots[0]
  const items = [
    { slot: 'A1', product: slot?.productCode, priceFen: 500, ok: true, motorCode: '100', sensorCode: '01' },
  ]
  const sale = { orderNo: 'OFFLINE', method: 'member_card', paidFen: 500, items }
  const taken = await ingest(
    world.services,
    machine ? [spoken(world, machine.code, ++seq, 'sale', sale, { offline: true })] : [],
  )
  expect(taken.replies.map(({ ack }) => ack)).toMatchObject([{ state: 'refused', reason: 'methodNotOpen' }])
  expect(refusedOf(await ask(0, byCard(old.physicalNo)))).toBe('cardNotActive')
  expect(await ask(0, byCard(own.physicalNo))).toMatchObject({ amountFen: 500, isPaid: true })
  expect(await worthOf(old.cardId)).toEqual({ card_liability: 1_000 })
  expect(await contradictions(db)).toEqual([])
})

test('a card pays with the answer, what was given first, and the books agree', async () => {
  const { cardId, physicalNo } = await issueCard(world, { merchantId, balanceFen: 1_000, giftFen: 300 })
  expect(await ask(0, byCard(physicalNo.toUpperCase(), { orderNo: 'CARD' }))).toMatchObject({
    amountFen: 500,
    isPaid: true,
  })
  expect(await worthOf(cardId)).toEqual({ card_liability: 800, gift_liability: 0 })
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a merchant is paid for gifts of others, and gets nothing for those of its own', async () => {
  const { db } = world.services
  const issuerId = merchantId
  const seller = await addMerchant(db, { parentId: issuerId })
  const product = await addProduct(db, { merchantId: seller })
  machines.push(await addMachine(db, { merchantId: seller, products: [product] }))
  const { physicalNo } = await issueCard(world, { merchantId, balanceFen: 700, giftFen: 800 })
  await ask(0, byCard(physicalNo, { orderNo: 'OWN-GIFT' }))
  await ask(2, byCard(physicalNo, { orderNo: 'THEIR-GIFT' }))
  const night = new Date(NOON.getTime() + 86_400_000)
  for (const orderNo of ['OWN-GIFT', 'THEIR-GIFT']) await come(orderNo === 'OWN-GIFT' ? 0 : 2, orderNo)
  await db.transaction().execute((tx) => settleRest(tx, night))
  const found = await sql<{ merchant: number; kind: string; fen: number }>`select merchant_id as merchant, kind,
      sum(balance_fen)::bigint as fen from ledger_account
    where merchant_id in (${issuerId}, ${seller}) and kind in ('available', 'pending', 'card_due')
    group by 1, 2`.execute(db)
  const fen = Object.fromEntries(
    found.rows.map((row) => [`${row.merchant === seller ? 'seller' : 'issuer'} ${row.kind}`, row.fen]),
  )
  // 500 of gifts at home, and 300 of them with 200 that were paid in elsewhere: only those 200 ever came in.
  expect(fen).toMatchObject({ 'issuer available': 0, 'issuer card_due': 300, 'seller available': -500 })
  expect(await bookFaults(db)).toEqual([])
  expect(await contradictions(db)).toEqual([])
})

test('sixty-four purchases at once take no more from a card than is on it', racing, async () => {
  await races('one card', async () => {
    const { cardId, physicalNo } = await issueCard(world, { merchantId, balanceFen: 1_700, giftFen: 400 })
    const answers = await together((n) => ask(n % 2, byCard(physicalNo, { orderNo: `C-${cardId}-${n}` })))
    expect(answers.filter((answer) => refusedOf(answer) === null)).toHaveLength(4)
    expect(new Set(answers.map(refusedOf))).toEqual(new Set([null, 'cardBalance']))
    expect(await worthOf(cardId)).toEqual({ card_liability: 100, gift_liability: 0 })
  })
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a card keeps to its limits and its state', async () => {
  const limited = await issueCard(world, { merchantId, balanceFen: 5_000, dailyCount: 2 })
  const answers = [1, 2, 3].map((n) => byCard(limited.physicalNo, { orderNo: `L-${limited.cardId}-${n}` }))
  expect([refusedOf(await ask(0, answers[0] ?? {})), refusedOf(await ask(0, answers[1] ?? {}))]).toEqual([null, null])
  expect(refusedOf(await ask(1, answers[2] ?? {}))).toBe('cardLimit')
  const locked = await issueCard(world, { merchantId, state: 'locked' })
  expect(refusedOf(await ask(0, byCard(locked.physicalNo)))).toBe('cardNotActive')
  expect(refusedOf(await ask(0, byCard('ffffffff')))).toBe('cardUnknown')
})

test('what is paid back returns to the balances that paid, once a refund and never more than was paid', async () => {
  const { cardId, physicalNo } = await issueCard(world, { merchantId, balanceFen: 1_000, giftFen: 200 })
  await ask(0, byCard(physicalNo, { orderNo: `R-${cardId}` }))
  const order = await one(sql<{ id: number }>`select id from orders where machine_order_no = ${`R-${cardId}`}`)
  const credit = (refundId: number, amountFen: number) =>
    world.services.db
      .transaction()
      .execute((tx) => creditCard(tx, { orderId: order?.id ?? 0, refundId, amountFen, at: NOON }))
  await Promise.all(Array.from({ length: 8 }, () => credit(cardId * 10 + 1, 250)))
  expect(await worthOf(cardId)).toEqual({ card_liability: 850, gift_liability: 100 })
  await credit(cardId * 10 + 2, 250)
  expect(await worthOf(cardId)).toEqual({ card_liability: 1_000, gift_liability: 200 })
  await expect(credit(cardId * 10 + 3, 1)).rejects.toThrow(RangeError)
  expect(await contradictions(world.services.db)).toEqual([])
})
