import { listSoldItems } from '@aisle/contract/trade/item'
import { listOrders } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOST_COUNTED } from '../../../kernel/list'
import type { Sight } from '../../../kernel/scope'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../../testing/builders'
import { openWorld, type World } from '../../../testing/world'
import { soldItems } from './item.reads'
import { listing } from './order.reads'
import { orderAccessPath } from './order.accessPath'

/** Whatever index leads to them, the orders of a filter are those that it says. */
const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let chain: number
let shops: number[]
let machines: BuiltMachine[]
let elsewhere: number

/** A variety of orders, each decided by its number; two pieces each, of one product or two. */
beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  const root = await addMerchant(db)
  chain = await addMerchant(db, { parentId: root })
  shops = []
  for (const parentId of [chain, chain, root]) shops.push(await addMerchant(db, { parentId }))
  const products = [await addProduct(db, { merchantId: root }), await addProduct(db, { merchantId: root })]
  machines = []
  for (const merchantId of [...shops, ...shops])
    machines.push(await addMachine(db, { merchantId, products, stock: 20 }))
  for (const machine of machines) await addOrder(db, machine, NOON)
  await sql`insert into orders (id, merchant_id, machine_id, point_id, order_no, machine_order_no, business_type,
      method, payment_state, ship_state, order_state, problem, item_count, total_fen, paid_fen, occurred_at,
      received_at,
      business_day, paid_at, finished_at)
    select ${FIRST} + o.id * 1000 + n, merchant_id, machine_id, point_id, order_no || '-' || n,
      machine_order_no || n,
      (array['sale', 'sale', 'sale', 'pickup', 'lottery'])[1 + n % 5],
      (array['alipay', 'wechat', 'cash'])[1 + n % 3], (array['paid', 'paid', 'refunded', 'unpaid'])[1 + n % 4],
      (array['completed', 'completed', 'completed', 'timeout'])[1 + (n / 4) % 4], 'done',
      (array[null, null, 'no_answer', 'late_result'])[1 + (n / 3) % 4], 2, 500, n,
      at, at, (at at time zone 'Asia/Shanghai')::date, case when n % 4 < 3 then at end, at
    from orders o, generate_series(1, 60) n, lateral (select o.occurred_at - (n / 2) * interval '11 hours' as at) t
    where o.id < ${FIRST}`.execute(db)
  await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
      price_fen, cost_fen, state, batch)
    select merchant_id, occurred_at, o.id, i, (select min(id) from slot where machine_id = o.machine_id),
      (array[${products[0]?.id}::bigint, ${products[1]?.id}::bigint])[1 + ((o.id + i) / 3) % 2], 250, 250, 100,
      case when (o.id + i) % 7 = 0 then 'jammed' else 'dispensed' end, 'B' || (o.id % 3)
    from orders o, generate_series(0, 1) i where o.id > ${FIRST}`.execute(db)
  // What was sold stays where and whose it was when its machine goes elsewhere.
  const other = await sql<{ id: number }>`select point_id as id from machine where id = ${machines[1]?.id}`.execute(db)
  elsewhere = other.rows[0]?.id ?? 0
  await sql`update machine set merchant_id = ${shops[1]}, point_id = ${elsewhere}
    where id = ${machines[0]?.id}`.execute(db)
  await sql`update point set city = '苏州' where id = ${elsewhere}`.execute(db)
  await sql`update machine set time_zone = 'Asia/Tokyo' where id = ${machines[3]?.id}`.execute(db)
})
afterAll(() => world.close())

const FIRST = 1_000_000

type Plain = Record<string, unknown> & {
  id: number
  day: string
  products: string[]
  batches: string[]
  paths: number[]
  said: { fen: number; asked: number; at: string; city: string }
}

/** All of them, read without any index in mind. */
async function everyOrder(): Promise<Plain[]> {
  const found = await sql<Plain>`
    select o.id, o.merchant_id, o.machine_id, o.point_id, o.method, o.business_type, o.payment_state,
      o.ship_state, o.problem, o.business_day as day, o.paid_at, c.path as paths, m.code as machine,
      owner.path as seers,
      json_build_object('fen', o.paid_fen, 'asked', o.total_fen, 'city', t.city,
        'at', to_char(o.occurred_at at time zone m.time_zone, 'YYYY-MM-DD HH24:MI')) as said,
      (select coalesce(array_agg(p.code), '{}') from order_item i join product p on p.id = i.product_id
        where i.order_id = o.id) as products,
      (select coalesce(array_agg(p.code || coalesce(i.batch, '')), '{}') from order_item i
        join product p on p.id = i.product_id where i.order_id = o.id and i.state = 'dispensed') as batches
    from orders o join merchant c on c.id = o.merchant_id join machine m on m.id = o.machine_id
    join merchant owner on owner.id = m.merchant_id join point t on t.id = o.point_id
    order by o.occurred_at desc, o.id desc`.execute(world.services.db)
  return found.rows
}

const code = (n: number) => machines[0]?.slots[n]?.productCode ?? ''
type Case = [string, () => Record<string, unknown>, (o: Plain) => boolean]
const cases: Case[] = [
  ['everything', () => ({}), () => true],
  ['a usual state', () => ({ paymentState: 'paid' }), (o) => o.payment_state === 'paid'],
  ['an unusual one', () => ({ paymentState: 'refunded' }), (o) => o.payment_state === 'refunded'],
  [
    'several unusual ones',
    () => ({ paymentState: 'refunded,unpaid', method: 'alipay,cash' }),
    (o) => ['refunded', 'unpaid'].includes(String(o.payment_state)) && ['alipay', 'cash'].includes(String(o.method)),
  ],
  ['one of each kind', () => ({ paymentState: 'unpaid,paid' }), (o) => o.payment_state !== 'refunded'],
  [
    'several kinds of business of a shop',
    () => ({ businessType: 'pickup,lottery', sellerId: shops[0] }),
    (o) => o.business_type !== 'sale' && o.merchant_id === shops[0],
  ],
  ['a problem, or any', () => ({ problem: 'no_answer,any' }), (o) => o.problem !== null],
  ['a shipment in doubt', () => ({ shipState: 'timeout' }), (o) => o.ship_state === 'timeout'],
  ['any problem', () => ({ problem: 'any' }), (o) => o.problem !== null],
  [
    'one problem by cash',
    () => ({ problem: 'no_answer', method: 'cash' }),
    (o) => o.problem === 'no_answer' && o.method === 'cash',
  ],
  [
    'a kind of business',
    () => ({ businessType: 'lottery', method: 'alipay' }),
    (o) => o.business_type === 'lottery' && o.method === 'alipay',
  ],
  ['one machine', () => ({ machineCode: machines[2]?.code }), (o) => o.machine === machines[2]?.code],
  ['a chain', () => ({ merchantId: chain }), (o) => o.paths.includes(chain)],
  ['a shop alone, by its old machine too', () => ({ sellerId: shops[0] }), (o) => o.merchant_id === shops[0]],
  ['a chain, and a shop outside it', () => ({ merchantId: chain, sellerId: shops[2] }), () => false],
  [
    'refunds of a shop',
    () => ({ sellerId: shops[0], paymentState: 'refunded' }),
    (o) => o.merchant_id === shops[0] && o.payment_state === 'refunded',
  ],
  ['where it was sold', () => ({ pointId: elsewhere }), (o) => o.point_id === elsewhere],
  ['a product', () => ({ productCode: code(0) }), (o) => o.products.includes(code(0))],
  [
    'a product of a machine',
    () => ({ productCode: code(1), machineCode: machines[2]?.code }),
    (o) => o.products.includes(code(1)) && o.machine === machines[2]?.code,
  ],
  [
    'a product of some days',
    () => ({ productCode: code(0), from: '2026-11-12', to: '2026-11-15' }),
    (o) => o.products.includes(code(0)) && o.day >= '2026-11-12' && o.day <= '2026-11-15',
  ],
  [
    'a product that was refunded',
    () => ({ productCode: code(0), paymentState: 'refunded' }),
    (o) => o.products.includes(code(0)) && o.payment_state === 'refunded',
  ],
  ['a product that nobody has', () => ({ productCode: 'NONE' }), () => false],
  ['a batch that came out', () => ({ batch: 'B1' }), (o) => o.batches.some((each) => each.endsWith('B1'))],
  ['a batch of a product', () => ({ batch: 'B1', productCode: code(1) }), (o) => o.batches.includes(`${code(1)}B1`)],
  [
    'some days',
    () => ({ from: '2026-11-10', to: '2026-11-11', paid: 'yes' }),
    (o) => o.day >= '2026-11-10' && o.day <= '2026-11-11' && o.paid_at !== null,
  ],
  ['what was paid, give or take', () => ({ amount: '0.10', amountMargin: '0.5' }), (o) => o.said.fen <= 60],
  ['what was asked', () => ({ amount: '5,0' }), (o) => o.said.asked === 500],
  [
    'about then, on the clock of each machine',
    () => ({ about: '2026-11-19T14:10' }),
    (o) => o.said.at >= '2026-11-19 13:55' && o.said.at <= '2026-11-19 14:25',
  ],
  [
    'within the hour, of a product',
    () => ({ about: '2026-11-19T14:10', aboutMargin: '60', productCode: code(0) }),
    (o) => o.said.at >= '2026-11-19 13:10' && o.said.at <= '2026-11-19 15:10' && o.products.includes(code(0)),
  ],
  ['a city', () => ({ place: '苏州' }), (o) => o.said.city === '苏州'],
  ['a city as it sounds', () => ({ place: 'Suzhou' }), (o) => o.said.city === '苏州'],
  ['nowhere', () => ({ place: 'Nowhere' }), () => false],
  ['paid and not out', () => ({ paid: 'notDispensed' }), (o) => o.paid_at !== null && o.ship_state === 'timeout'],
  [
    'all that a customer says',
    () => ({ amount: '5', about: '2026-11-19T14:10', place: 'suzhou', paid: 'notDispensed' }),
    (o) =>
      o.said.city === '苏州' &&
      o.ship_state === 'timeout' &&
      o.paid_at !== null &&
      o.said.at >= '2026-11-19 13:55' &&
      o.said.at <= '2026-11-19 14:25',
  ],
]
const sights: [string, () => Sight, (o: Plain) => boolean][] = [
  ['the platform', () => ({ kind: 'all' }), () => true],
  ['the chain', () => ({ kind: 'subtree', merchantId: chain }), (o) => (o.seers as number[]).includes(chain)],
]

test.each(sights.flatMap((sight) => cases.map((each) => [each[0], sight[0], each, sight] as const)))(
  '%s, by %s: page by page the orders that it says, each once, and what they come to',
  async (_what, _who, [, filter, isWanted], [, seen, isSeen]) => {
    const { db } = world.services
    const wanted = (await everyOrder()).filter((order) => isSeen(order) && isWanted(order))
    const asked = listOrders.input.parse({ ...filter(), pageSize: 50 })
    const ids: number[] = []
    const list = listing(await orderAccessPath(db, seen(), asked), asked)
    let cursor: string | undefined
    do {
      const found = await list.page(db, { cursor, pageSize: 50 })
      ids.push(...found.items.map(({ id }) => id))
      cursor = found.nextCursor ?? undefined
    } while (cursor)
    expect(ids).toEqual(wanted.map(({ id }) => id))
    expect(await list.count(db, Infinity)).toMatchObject({ total: wanted.length })
  },
)

const itemCases: [string, () => Record<string, unknown>, string][] = [
  ['all', () => ({}), 'true'],
  ['of a product', () => ({ productCode: code(0) }), `p.code = '$0'`],
  [
    'of a product and a machine',
    () => ({ productCode: code(0), machineCode: machines[2]?.code }),
    `p.code = '$0' and m.code = '$m'`,
  ],
  [
    'of a product in some days',
    () => ({ productCode: code(0), from: '2026-11-12', to: '2026-11-15' }),
    `p.code = '$0' and o.business_day between '2026-11-12' and '2026-11-15'`,
  ],
  ['that did not come out', () => ({ itemState: 'bad' }), `i.state = 'jammed'`],
  [
    'that did not come out of a machine',
    () => ({ itemState: 'bad', machineCode: machines[2]?.code }),
    `i.state = 'jammed' and m.code = '$m'`,
  ],
  ['of a kind of business', () => ({ businessType: 'lottery' }), `o.business_type = 'lottery'`],
]

test.each(itemCases)('pieces sold, %s: page by page, and what they come to', async (_, filter, plain) => {
  const { db } = world.services
  const where = sql.raw(plain.replace('$0', code(0)).replace('$m', machines[2]?.code ?? ''))
  const wanted = await sql<{ id: number; fen: number }>`
    select i.order_id * 20 + i.index as id, i.price_fen as fen from order_item i
    join orders o on o.id = i.order_id join machine m on m.id = o.machine_id join product p on p.id = i.product_id
    where o.paid_at is not null and ${where} order by i.occurred_at desc, i.order_id desc, i.index desc`.execute(db)
  const list = await soldItems(db, { kind: 'all' }, listSoldItems.input.parse(filter()))
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const found = await list.page(db, { cursor, pageSize: 50 })
    ids.push(...found.items.map(({ id }) => id))
    cursor = found.nextCursor ?? undefined
  } while (cursor)
  expect(ids).toEqual(wanted.rows.map(({ id }) => id))
  const priceFen = wanted.rows.reduce((sum, { fen }) => sum + fen, 0)
  expect(await list.count(db, Infinity)).toEqual({ total: ids.length, sums: { priceFen } })
})

test('what hardly any order is, is found without reading the others', async () => {
  const { db } = world.services
  await sql`insert into orders (id, merchant_id, machine_id, point_id, order_no, machine_order_no, business_type,
      method, payment_state, ship_state, order_state, item_count, total_fen, paid_fen, occurred_at, received_at,
      business_day,
      paid_at, finished_at)
    select ${10 * FIRST} + n, merchant_id, machine_id, point_id, 'O-' || n, n, 'sale', 'wechat', 'paid', 'completed',
      'done', 1, 500, 500, at, at, at::date, at, at
    from orders o, generate_series(1, 20000) n, lateral (select o.occurred_at - n * interval '1 minute' as at) t
    where o.machine_id = ${machines[5]?.id} and o.id < ${FIRST}`.execute(db)
  await sql`vacuum analyze orders, order_item, machine_stood, machine_owned`.execute(db)
  for (const filter of [
    { paymentState: 'partly_refunded' },
    { paymentState: 'partly_refunded,closed' },
    { method: 'unionpay,member_card' },
    { shipState: 'in_transit' },
    { businessType: 'member' },
    { problem: 'paid_late' },
    { method: 'unionpay' },
    { pointId: elsewhere },
    { sellerId: shops[0] },
    { productCode: code(1) },
    { productCode: code(1), from: '2026-11-12', to: '2026-11-12' },
    { amount: '5', about: '2026-11-19T14:10', place: 'suzhou', paid: 'notDispensed' },
    { amount: '5', about: '2026-11-19T14:10' },
    { paid: 'notDispensed' },
  ]) {
    const before = await touched()
    const asked = listOrders.input.parse(filter)
    for (const [, seen] of sights) {
      const list = listing(await orderAccessPath(db, seen(), asked), asked)
      await list.page(db, asked)
      await list.count(db, MOST_COUNTED)
    }
    expect({ filter, isFew: (await touched()) - before < 2_000 }).toEqual({ filter, isFew: true })
  }
})

/** Rows of orders that statements read so far, from tables and indexes. */
async function touched(): Promise<number> {
  const { db } = world.services
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const stat = await sql<{ touched: number }>`select sum(seq_tup_read) + sum(idx_tup_fetch) as touched
    from pg_stat_user_tables where relname like 'orders\\_%'`.execute(db)
  return stat.rows[0]?.touched ?? 0
}
