import type { Envelope, MessageData } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { empty } from '../../../testing/emptied'
import { openWorld, type World } from '../../../testing/world'
import { findOrderDetail } from '../../trade/order/order.detail'
import { contradictions } from '../../trade/recount'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import type { Incoming } from './decode'
import { type Ingested, ingest } from './ingest'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let machine: BuiltMachine
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
})
afterAll(() => world.close())
beforeEach(async () => {
  world.setNow(NOON)
  await empty(
    world.services,
    'merchant',
    'device_message',
    'orders',
    'order_item',
    'order_number',
    'stock_move',
    'ledger_entry',
    'rollup_total',
    'rollup_day',
    'rollup_hour',
    'rollup_day_machine',
    'rollup_day_product',
    'rollup_day_machine_product',
    'rollup_day_batch',
    'rollup_machine_merchant',
  )
  const merchantId = await addMerchant(world.services.db, { parentId: await addMerchant(world.services.db) })
  const products = [
    await addProduct(world.services.db, { merchantId }),
    await addProduct(world.services.db, { merchantId, medicineClass: 'otc_a' }),
  ]
  machine = await addMachine(world.services.db, { merchantId, products, licenceMode: 'retail' })
})

type Said = Partial<Envelope>

function message(type: string, data: Record<string, unknown>, said: Said = {}): Incoming {
  seq += 1
  return spoken(world, machine.code, seq, type, data, said)
}

const sale = (more: Partial<MessageData<'sale'>> = {}, said: Said = {}) =>
  message(
    'sale',
    {
      orderNo: `S-${seq}`,
      method: 'cash',
      paidFen: 500,
      items: [{ slot: 'A1', product: machine.slots[0]?.productCode ?? '', priceFen: 500, ok: true }],
      ...more,
    },
    said,
  )

const take = (...batch: Incoming[]) => ingest(world.services, batch)
const acksOf = (taken: Ingested) => taken.replies.flatMap((reply) => reply.ack ?? [])
const one = async <T>(query: ReturnType<typeof sql<T>>): Promise<T | undefined> =>
  (await query.execute(world.services.db)).rows[0]

const stockOf = async (slot: number) =>
  (
    await one(
      sql<{ quantity: number }>`select quantity from stock_level where place_id = ${machine.slots[slot]?.placeId}`,
    )
  )?.quantity

const orderOf = (machineOrderNo: string) =>
  one(sql<Record<string, unknown>>`select * from orders where machine_order_no = ${machineOrderNo}`)

const refusalsNoted = async () =>
  (
    await sql<{ reason: string }>`select reason from device_refusal where machine_code = ${machine.code}`.execute(
      world.services.db,
    )
  ).rows.map((row) => row.reason)

async function openOrder(orderNo: string) {
  const asked = await take(message('order.request', { orderNo, method: 'wechat', items: [{ slot: 'A1' }] }))
  return asked.replies[0]?.answer
}
const pay = (orderNo: string, more: Record<string, unknown> = {}) =>
  message('pay.result', { orderNo, method: 'wechat', amountFen: 500, channelNo: `W${orderNo}`, ...more })
const vend = (orderNo: string, more: Record<string, unknown> = {}) =>
  message('vend.result', { orderNo, index: 0, slot: 'A1', ok: true, motorCode: '100', sensorCode: '01', ...more })

test('a cash sale becomes an order, a stock move, a ledger transfer and figures, and is acknowledged', async () => {
  const taken = await take(sale({ orderNo: 'C-1' }))
  expect(acksOf(taken)).toMatchObject([{ state: 'processed' }])
  expect(await orderOf('C-1')).toMatchObject({
    payment_state: 'paid',
    ship_state: 'completed',
    order_state: 'done',
    paid_fen: 500,
  })
  expect(await stockOf(0)).toBe(9)
  const cash = await one(
    sql<{ balance_fen: number }>`select balance_fen from ledger_account where kind = 'cash_in_machine'`,
  )
  expect(cash?.balance_fen).toBe(500)
  expect(await one(sql`select orders, paid_fen, online_orders from rollup_day`)).toEqual({
    orders: 1,
    paid_fen: 500,
    online_orders: 1,
  })
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a message that comes again, later or in one batch, changes nothing and is answered as a duplicate', async () => {
  const said = sale({ orderNo: 'D-1' })
  const first = await take(said, said)
  const second = await take(said)
  expect(acksOf(first).map((ack) => ack.state)).toEqual(['processed', 'duplicate'])
  expect(acksOf(second).map((ack) => ack.state)).toEqual(['duplicate'])
  expect(await stockOf(0)).toBe(9)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('the same id with other content is a conflict that a person sees, and changes nothing', async () => {
  const said = sale({ orderNo: 'K-1' }, { msgId: 'message-000001' })
  const other = sale({ orderNo: 'K-1', paidFen: 1 }, { msgId: 'message-000001' })
  await take(said)
  expect(acksOf(await take(other))).toMatchObject([{ state: 'conflict', reason: 'sameIdOtherContent' }])
  expect(await refusalsNoted()).toEqual(['sameIdOtherContent'])
  expect(await orderOf('K-1')).toMatchObject({ paid_fen: 500 })
})

test('a sale number is taken once, also under another message id', async () => {
  const [first, second] = [sale({ orderNo: 'N-1' }), sale({ orderNo: 'N-1' })]
  expect(acksOf(await take(first, second)).map((ack) => ack.state)).toEqual(['processed', 'refused'])
  expect(acksOf(await take(second))).toMatchObject([{ state: 'refused', reason: 'orderNoReused' }])
  expect(await contradictions(world.services.db)).toEqual([])
})

test('one bad message in a batch is refused alone', async () => {
  const bad = sale({ items: [{ slot: 'Z9', product: 'nothing', priceFen: 500, ok: true }] })
  const taken = await take(sale({ orderNo: 'B-1' }), bad, sale({ orderNo: 'B-2' }))
  expect(acksOf(taken).map((ack) => ack.state)).toEqual(['processed', 'refused', 'processed'])
  expect(await refusalsNoted()).toEqual(['unknownSlot'])
})

test('an order runs from request over payment and ship command to its result', async () => {
  expect(await openOrder('O-1')).toMatchObject({ orderNo: 'O-1', amountFen: 500 })
  expect(await openOrder('O-1')).toMatchObject({ amountFen: 500 })
  expect(await orderOf('O-1')).toMatchObject({ payment_state: 'unpaid', order_state: 'open' })
  const paid = await take(pay('O-1'))
  expect(paid.dispatches).toMatchObject([{ type: 'ship', data: { orderNo: 'O-1', items: [{ index: 0, slot: 'A1' }] } }])
  expect(acksOf(await take(message('vend.received', { orderNo: 'O-1' }), vend('O-1'))).map((ack) => ack.state)).toEqual(
    ['processed', 'processed'],
  )
  expect(await orderOf('O-1')).toMatchObject({ ship_state: 'completed', order_state: 'done', problem: null })
  expect(await stockOf(0)).toBe(9)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a jam brings nothing out: stock stays, the order is flagged as undelivered', async () => {
  await openOrder('J-1')
  await take(pay('J-1'), vend('J-1', { ok: false, motorCode: '102', sensorCode: '03' }))
  expect(await orderOf('J-1')).toMatchObject({ ship_state: 'invalid', problem: 'undelivered', payment_state: 'paid' })
  expect(await stockOf(0)).toBe(10)
})

test.each([
  ['a wrong amount', () => pay('P-1', { amountFen: 499 }), 'amountDiffers'],
  ['another method', () => pay('P-1', { method: 'alipay' }), 'methodDiffers'],
  ['an unknown order', () => pay('P-404'), 'unknownOrder'],
  ['a result before the money', () => vend('P-1'), 'orderState'],
  ['an item that is not there', () => vend('P-1', { index: 7 }), 'itemUnknown'],
])('%s is refused and changes nothing', async (_, say, reason) => {
  await openOrder('P-1')
  const before = await orderOf('P-1')
  expect(acksOf(await take(say()))).toMatchObject([{ state: 'refused', reason }])
  expect(await orderOf('P-1')).toEqual(before)
  expect(await refusalsNoted()).toEqual([reason])
})

test('five minutes of silence time a paid order out; goods that come later are recorded and flagged', async () => {
  await openOrder('T-1')
  await openOrder('T-2')
  await take(pay('T-1'))
  world.setNow(new Date(NOON.getTime() + 5 * 60_000 + 1))
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
  expect(await orderOf('T-1')).toMatchObject({ ship_state: 'timeout', problem: 'no_answer', order_state: 'done' })
  expect(await orderOf('T-2')).toMatchObject({ payment_state: 'closed', order_state: 'closed' })
  await take(vend('T-1'))
  expect(await orderOf('T-1')).toMatchObject({ ship_state: 'timeout', problem: 'late_result' })
  expect(await stockOf(0)).toBe(9)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a sale made offline before midnight belongs to its own day and not to the online total', async () => {
  const occurredAt = '2026-11-19T15:58:00.000Z'
  await take(sale({ orderNo: 'F-1' }, { occurredAt, offline: true }))
  expect(await one(sql`select business_day, orders, online_orders from rollup_day`)).toEqual({
    business_day: '2026-11-19',
    orders: 1,
    online_orders: 0,
  })
})

test('a clock that is years off is corrected by the time of sending; a fact from another year is refused', async () => {
  const wrong = { occurredAt: '2019-01-01T00:00:00.000Z', sentAt: '2019-01-01T00:01:00.000Z' }
  await take(sale({ orderNo: 'Y-1' }, wrong))
  expect(await orderOf('Y-1')).toMatchObject({ occurred_at: new Date(NOON.getTime() - 60_000) })
  expect(acksOf(await take(sale({}, { occurredAt: wrong.occurredAt })))).toMatchObject([{ reason: 'clockImpossible' }])
})

const answerTo = async (slot: string) =>
  (await take(message('order.request', { orderNo: `R-${seq}`, method: 'wechat', items: [{ slot }] }))).replies[0]
    ?.answer

test('a stopped machine, an empty slot and an unlawful medicine are not sold', async () => {
  expect(await answerTo('A2')).toMatchObject({ refused: 'notLawful' })
  await sql`update machine set operation = 'stopped'`.execute(world.services.db)
  expect(await answerTo('A1')).toMatchObject({ refused: 'machineStopped' })
})

test('a product that is offline is not sold, in words of its own, and is again once it is listed', async () => {
  const list = (state: string) =>
    sql`update product set state = ${state} where code = ${machine.slots[0]?.productCode ?? ''}`.execute(
      world.services.db,
    )
  await list('offline')
  expect(await answerTo('A1')).toMatchObject({ refused: 'productOffline' })
  await list('online')
  expect(await answerTo('A1')).not.toHaveProperty('refused')
})

test('machines of a stopped merchant sell on or refuse, as was said when it was stopped', async () => {
  const stop = (sellsOn: boolean) =>
    sql`update merchant set state = 'stopped', sells_when_stopped = ${sellsOn}`.execute(world.services.db)
  await stop(true)
  expect(await answerTo('A1')).not.toHaveProperty('refused')
  await stop(false)
  expect(await answerTo('A1')).toMatchObject({ refused: 'machineStopped' })
})

test('a fill raises the stock of its slot once; one for a slot that is not there is refused', async () => {
  const product = machine.slots[0]?.productCode ?? ''
  const counts = { before: 10, change: 5, after: 15 }
  const fill = message('stock.delta', { slot: 'A1', product, ...counts, cause: 'fill', user: 'Li Na' })
  expect(acksOf(await take(fill, fill)).map((ack) => ack.state)).toEqual(['processed', 'duplicate'])
  expect(await stockOf(0)).toBe(15)
  const kept = await sql`select before_pieces, after_pieces, replenisher from stock_move where quantity = 5
    and cause = 'fill'`.execute(world.services.db)
  expect(kept.rows).toEqual([{ before_pieces: 10, after_pieces: 15, replenisher: 'Li Na' }])
  const unknown = message('stock.delta', { slot: 'Z9', product, before: 0, change: 5, after: 5, cause: 'fill' })
  expect(acksOf(await take(unknown))).toMatchObject([{ state: 'refused', reason: 'unknownSlot' }])
  expect(await contradictions(world.services.db)).toEqual([])
})

const ask = (orderNo: string, more: Record<string, unknown> = {}) =>
  message('order.request', { orderNo, method: 'wechat', items: [{ slot: 'A1' }], ...more })

test('an order asked for twice in one batch is one order with one answer', async () => {
  const { replies } = await take(ask('Q-1'), ask('Q-1'))
  expect(replies.map((reply) => reply.answer)).toMatchObject([{ amountFen: 500 }, { amountFen: 500 }])
})

test('an order asked for again keeps the time at which it closes, and its method', async () => {
  const first = await openOrder('Q-2')
  world.setNow(new Date(NOON.getTime() + 60_000))
  expect(await openOrder('Q-2')).toMatchObject({ ...first, msgId: expect.any(String) })
  const { replies } = await take(ask('Q-2', { method: 'alipay' }))
  expect(replies[0]?.answer).toMatchObject({ refused: 'orderNoReused' })
})

test('an order takes no more of a slot than is in it', async () => {
  const items = [{ slot: 'A1' }, { slot: 'A1' }]
  await take(...Array.from({ length: 9 }, (_, i) => sale({ orderNo: `L-${i}` })))
  expect((await take(ask('L-10', { items }))).replies[0]?.answer).toMatchObject({ refused: 'slotNotForSale' })
  expect((await take(ask('L-11'))).replies[0]?.answer).toMatchObject({ amountFen: 500 })
})

test('a machine that keeps stock for its orders sells the last piece once, before and after it is paid', async () => {
  await take(...Array.from({ length: 9 }, (_, i) => sale({ orderNo: `K-${i}` })))
  // A machine that keeps none asks as often as it likes.
  expect((await take(ask('K-10'), ask('K-11'))).replies.map(({ answer }) => answer)).toMatchObject([
    { amountFen: 500 },
    { amountFen: 500 },
  ])
  await sql`update orders set order_state = 'closed', payment_state = 'closed'
    where machine_order_no = 'K-11'`.execute(world.services.db)
  await sql`update machine set locks_stock = true where id = ${machine.id}`.execute(world.services.db)
  const again = [ask('K-10'), ask('K-12')]
  const isKept = [{ amountFen: 500 }, { refused: 'slotNotForSale' }]
  expect((await take(...again)).replies.map(({ answer }) => answer)).toMatchObject(isKept)
  await take(pay('K-10'))
  expect((await take(ask('K-13'))).replies[0]?.answer).toMatchObject({ refused: 'slotNotForSale' })
  await take(vend('K-10', { ok: false, motorCode: '100', sensorCode: '03' }))
  expect((await take(ask('K-14'), ask('K-15'))).replies.map(({ answer }) => answer)).toMatchObject(isKept)
})

test('an order also says what was paid as its merchant counts', async () => {
  const { db } = world.services
  await take(sale({ orderNo: 'ABROAD-1' }))
  const id = Number((await orderOf('ABROAD-1'))?.id)
  const abroad = async () => await findOrderDetail(db, { kind: 'all' }, id)
  expect(await abroad()).toMatchObject({ paidFen: 500, currency: null, paidAbroad: null })
  await sql`update merchant set currency = 'EUR', exchange_rate = 8`.execute(db)
  expect(await abroad()).toMatchObject({ paidFen: 500, currency: 'EUR', paidAbroad: 0.625 })
})

const sweep = () => world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
const later = (ms: number) => world.setNow(new Date(NOON.getTime() + ms))

test('five minutes are counted by this clock, not by that of a machine which is a little slow or fast', async () => {
  for (const [orderNo, offMs] of [
    ['W-1', -280_000],
    ['W-2', 280_000],
  ] as const) {
    const at = new Date(NOON.getTime() + offMs).toISOString()
    const said = { occurredAt: at, sentAt: at }
    world.setNow(NOON)
    const request = { orderNo, method: 'wechat', items: [{ slot: 'A1' }] }
    const asked = await take(message('order.request', request, said))
    expect(asked.replies[0]?.answer).toMatchObject({ expiresAt: new Date(NOON.getTime() + 300_000).toISOString() })
    later(290_000)
    await sweep()
    const payment = { orderNo, method: 'wechat', amountFen: 500, channelNo: `W${orderNo}` }
    expect(acksOf(await take(message('pay.result', payment, said)))).toMatchObject([{ state: 'processed' }])
    later(580_000)
    await sweep()
    expect(await orderOf(orderNo)).toMatchObject({ ship_state: 'in_transit' })
    later(590_001)
    await sweep()
    expect(await orderOf(orderNo)).toMatchObject({ ship_state: 'timeout' })
  }
})

test('a late result does not move the time at which the order timed out', async () => {
  await openOrder('E-1')
  await take(pay('E-1'))
  later(300_001)
  await sweep()
  const { finished_at: timedOutAt } = (await orderOf('E-1')) ?? {}
  later(400_000)
  await take(vend('E-1'))
  expect(await orderOf('E-1')).toMatchObject({ problem: 'late_result', finished_at: timedOutAt })
})

test.each(['member_card', 'pickup_code'] as const)(
  'a sale by %s, which no machine may settle alone, is refused and said to be',
  async (method) => {
    const taken = await take(sale({ orderNo: 'MC-1', method }), sale({ orderNo: 'MC-2' }))
    expect(acksOf(taken)).toMatchObject([{ state: 'refused', reason: 'methodNotOpen' }, { state: 'processed' }])
    expect(await refusalsNoted()).toEqual(['methodNotOpen'])
  },
)

test('a machine that went and came back within one batch is there', async () => {
  const connected = async () =>
    (await one(sql<{ is_connected: boolean }>`select is_connected from machine_state where machine_id = ${machine.id}`))
      ?.is_connected
  await take(message('presence', { online: false }), message('presence', { online: true }))
  expect(await connected()).toBe(true)
  await take(message('presence', { online: true }), message('presence', { online: false }))
  expect(await connected()).toBe(false)
})

test('while a batch waits for a row that another gateway holds, the figures are free for others', async () => {
  const { db } = world.services
  const { waiting } = await db.transaction().execute(async (tx) => {
    await sql`select 1 from machine_state where machine_id = ${machine.id} for update`.execute(tx)
    const waiting = take(sale({ orderNo: 'X-1' }))
    await expect
      .poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length)
      .toBeGreaterThan(0)
    expect(
      await one(sql`select count(*) as held from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`),
    ).toEqual({ held: 0 })
    return { waiting }
  })
  expect(acksOf(await waiting)).toMatchObject([{ state: 'processed' }])
})
