import { createHash } from 'node:crypto'
import { drawnNumber, faultOf } from '@aisle/contract/lottery/draw'
import { isPrizeCode } from '@aisle/contract/lottery/prizeCode'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { openWorld, type World } from '../../../testing/world'
import { turnSeeds } from '../../lottery/lottery.jobs'
import { findDraw } from '../../lottery/play.reads'
import { findDue, redeliver, withBooks } from '../../trade/public'
import { contradictions } from '../../trade/recount'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let machine: BuiltMachine
let merchantId: number
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId, medicineClass: 'otc_b' })]
  machine = await addMachine(db, { merchantId, products, licenceMode: 'retail', stock: 1000 })
  await sql`update slot set capacity = 999 where machine_id = ${machine.id}`.execute(db)
  await odds(500)
  await sql`update merchant set has_high_go = true where id = ${merchantId}`.execute(db)
})
afterAll(() => world.close())

const odds = (permille: number) =>
  sql`update machine set lottery_permille = ${permille}, uplift_permille = 100 where id = ${machine.id}`.execute(
    world.services.db,
  )
const message = (type: string, data: Record<string, unknown>) => {
  seq += 1
  return spoken(world, machine.code, seq, type, data)
}
const take = (...batch: ReturnType<typeof message>[]) => ingest(world.services, batch)
const ask = (orderNo: string, more: Record<string, unknown> = {}) =>
  message('order.request', { orderNo, method: 'wechat', items: [{ slot: 'A1' }], isPlay: true, ...more })
const pay = (orderNo: string, amountFen = 275) =>
  message('pay.result', { orderNo, method: 'wechat', amountFen, channelNo: `W${orderNo}` })
const vend = (orderNo: string, ok: boolean) =>
  message('vend.result', { orderNo, index: 0, slot: 'A1', ok, motorCode: ok ? '100' : '103', sensorCode: '01' })
const answers = ({ replies }: Awaited<ReturnType<typeof take>>) => replies.flatMap(({ answer }) => answer ?? [])
const only = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(world.services.db)).rows[0]
const playOf = (orderNo: string) =>
  only(sql<Record<string, unknown>>`select p.*, o.ship_state, o.order_state, o.payment_state, o.problem, o.refunded_fen
    from lottery_play p join order_number n using (order_no) join orders o on o.merchant_id = n.merchant_id
      and o.occurred_at = n.occurred_at and o.id = n.order_id where p.order_no = ${`${machine.code}-${orderNo}`}`)

/** The seed is bound by then: what an order number will draw can be known here, and nowhere else. */
async function numberThat(result: 'won' | 'lost', prefix: string): Promise<string> {
  await turnSeeds(world.services)
  for (let i = 0; ; i += 1) {
    const orderNo = `${prefix}-${i}`
    await take(ask(orderNo))
    await take(pay(orderNo))
    if ((await playOf(orderNo))?.state === result) return orderNo
  }
}

test("a play costs the prize's average worth and the uplift; its seed is bound before it is paid", async () => {
  const [answer] = answers(await take(ask('P-1')))
  expect(answer).toMatchObject({ amountFen: 275, play: { oddsPermille: 500, seedHash: expect.any(String) } })
  expect(await playOf('P-1')).toMatchObject({ state: 'opened', prize_state: 'none', stake_fen: 275, prize_fen: 500 })
  const [again] = answers(await take(ask('P-1')))
  expect(again).toMatchObject({ amountFen: 275, play: { oddsPermille: 500 } })
})

test('who wins is shipped the prize; a prize that hangs is owed, and no money is due back', async () => {
  const orderNo = await numberThat('won', 'W')
  expect(await playOf(orderNo)).toMatchObject({ prize_state: 'shipping', ship_state: 'in_transit' })
  await take(vend(orderNo, true))
  expect(await playOf(orderNo)).toMatchObject({ prize_state: 'dispensed', ship_state: 'lottery_won', problem: null })
  const hung = await numberThat('won', 'H')
  await take(vend(hung, false))
  expect(await playOf(hung)).toMatchObject({
    prize_state: 'owed',
    ship_state: 'lottery_won',
    order_state: 'done',
    payment_state: 'paid',
    problem: null,
    refunded_fen: 0,
  })
})

test('who loses is told so; the order is through, nothing ships, and a repeated payment draws nothing', async () => {
  const orderNo = await numberThat('lost', 'L')
  const before = await playOf(orderNo)
  expect(before).toMatchObject({ ship_state: 'lottery_lost', order_state: 'done', payment_state: 'paid' })
  const taken = await take(pay(orderNo))
  expect([answers(taken), taken.dispatches]).toEqual([[], []])
  expect(await playOf(orderNo)).toEqual(before)
  const fresh = `${orderNo}-told`
  await take(ask(fresh))
  const told = await take(pay(fresh))
  const state = (await playOf(fresh))?.state
  expect(answers(told)).toMatchObject([{ orderNo: fresh, drawn: state }])
  expect(answers(told).filter((answer) => 'prizeCode' in answer && isPrizeCode(answer.prizeCode ?? ''))).toHaveLength(
    state === 'won' ? 1 : 0,
  )
  expect(told.dispatches).toHaveLength(state === 'won' ? 1 : 0)
})

test('a machine that never answers owes the prize; a late word that it came out settles it', async () => {
  const orderNo = await numberThat('won', 'T')
  const later = new Date(NOON.getTime() + 6 * 60_000)
  world.setNow(later)
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, later))
  expect(await playOf(orderNo)).toMatchObject({ prize_state: 'owed', ship_state: 'timeout' })
  await take(vend(orderNo, true))
  expect(await playOf(orderNo)).toMatchObject({ prize_state: 'dispensed', problem: 'late_result' })
  expect(await playOf('P-1')).toMatchObject({ state: 'void', payment_state: 'closed' })
  world.setNow(NOON)
})

test('a prize that is let out from afar is owed no more, and one that was handed over is not let out', async () => {
  const { db } = world.services
  const again = async (orderNo: string) => {
    const { placeId = 0, productId = 0 } = machine.slots[0] ?? {}
    const piece = { orderNo: `${machine.code}-${orderNo}`, itemIndex: 0, placeId, productId }
    const said = { ...piece, merchantId, at: NOON, motorCode: '100', sensorCode: '01' }
    return db.transaction().execute((tx) => withBooks(tx, NOON, (books) => redeliver(tx, books, said)))
  }
  const hung = await numberThat('won', 'AFAR')
  await take(vend(hung, false))
  expect(await again(hung)).toBe(true)
  expect(await playOf(hung)).toMatchObject({ prize_state: 'dispensed' })
  const handed = await numberThat('won', 'DESK')
  await take(vend(handed, false))
  await sql`update lottery_play set prize_state = 'collected'
    where order_no = ${`${machine.code}-${handed}`}`.execute(db)
  expect(await findDue(db, { kind: 'all' }, `${machine.code}-${handed}`)).toMatchObject({ due: [] })
  expect(await again(handed)).toBe(false)
})

test.each([
  ['medicine', { items: [{ slot: 'A2' }] }, 'notLawful'],
  ['two prizes', { items: [{ slot: 'A1' }, { slot: 'A1' }] }, 'playNotOpen'],
] as const)('nobody plays for %s', async (_, more, refused) => {
  expect(answers(await take(ask(`N-${seq}`, more)))).toMatchObject([{ refused }])
})

test('nobody plays where no odds are set or the merchant has not opened it', async () => {
  await odds(0)
  expect(answers(await take(ask('Z-1')))).toMatchObject([{ refused: 'playNotOpen' }])
  await odds(500)
  await sql`update merchant set has_high_go = false where id = ${merchantId}`.execute(world.services.db)
  expect(answers(await take(ask('Z-2')))).toMatchObject([{ refused: 'playNotOpen' }])
  await sql`update merchant set has_high_go = true where id = ${merchantId}`.execute(world.services.db)
  expect(await playOf('Z-1')).toBeUndefined()
})

test('64 payments at once, each told twice, draw each play once; the figures are a recount', async () => {
  const numbers = Array.from({ length: 64 }, (_, i) => `C-${i}`)
  await take(...numbers.map((orderNo) => ask(orderNo)))
  const told = numbers.map((orderNo) => pay(orderNo))
  const batches = Array.from({ length: 16 }, (_, i) => told.filter((_, at) => at % 16 === i || (at + 5) % 16 === i))
  await Promise.all(batches.map((batch) => take(...batch)))
  const counted = await only(sql<{ drawn: number }>`select count(*)::int as drawn from lottery_play
    where order_no like ${`${machine.code}-C-%`} and state in ('won', 'lost')`)
  expect(counted?.drawn).toBe(64)
  const difference = await sql`
    select business_day, machine_id, product_id, odds_permille, count(*) as plays,
      count(*) filter (where state = 'won') as wins, sum(stake_fen) as stake,
      coalesce(sum(cost_fen) filter (where state = 'won'), 0) as cost
    from lottery_play where state in ('won', 'lost') group by 1, 2, 3, 4
    except select business_day, machine_id, product_id, odds_permille, plays, wins, stake_fen, cost_fen
    from rollup_day_lottery`.execute(world.services.db)
  expect(difference.rows).toEqual([])
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a seed is shown once its day is over; every draw follows from it, and the database keeps it', async () => {
  const { db } = world.services
  const hidden = await findDraw(db, `${machine.code}-C-0`)
  expect(hidden).toMatchObject({ seed: null, revealedAt: null })
  world.setNow(new Date(NOON.getTime() + 24 * 3_600_000))
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
  await turnSeeds(world.services)
  for (let i = 0; i < 64; i += 1) {
    const draw = await findDraw(db, `${machine.code}-C-${i}`)
    if (!draw?.seed) throw new Error('the seed stays hidden')
    expect(createHash('sha256').update(Buffer.from(draw.seed, 'hex')).digest('hex')).toBe(draw.seedHash)
    expect(drawnNumber(draw.seed, draw.orderNo)).toBe(draw.number)
    expect(faultOf({ ...draw, isWon: draw.state === 'won' })).toBeNull()
  }
  await expect(sql`update lottery_series set seed = repeat('ab', 32)`.execute(db)).rejects.toThrow('lottery_series')
  await expect(sql`update lottery_play set state = 'won' where state = 'lost'`.execute(db)).rejects.toThrow(
    'drawn once',
  )
  world.setNow(NOON)
  // A clock that is a day behind asks for a seed that is known by now.
  expect(answers(await take(ask('B-1')))).toMatchObject([{ refused: 'playNotOpen' }])
})
