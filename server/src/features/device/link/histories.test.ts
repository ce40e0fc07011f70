import type { Envelope } from '@aisle/contract/device/messages'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { openWorld, type World } from '../../../testing/world'
import { contradictions } from '../../trade/recount'
import type { Incoming } from './decode'
import { ingest } from './ingest'
import { spoken } from '../testing'

/**
 * What machines say may come twice, late, in any batches and with other machines' and other orders' words between: the
 * books are to the letter those of the orderly run. Two twins hear the same history, each in its own way.
 * `HISTORIES=10000` for a night.
 */
const HISTORIES = Number(process.env.HISTORIES ?? 15)
const seed = Number(process.env.SEED ?? 1)
const NOON = new Date('2026-11-20T04:00:00Z')
const MINUTE_MS = 60_000

let world: World
let parentId: number
let products: { id: number; code: string }[]

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  parentId = await addMerchant(db)
  products = [await addProduct(db, { merchantId: parentId }), await addProduct(db, { merchantId: parentId })]
})
afterAll(() => world.close())

/** What happened at a machine, apart from who heard of it when. */
type Deed =
  | { kind: 'sale'; slot: number; falls: boolean; minutesAgo: number; offline: boolean }
  | { kind: 'order'; slot: number; end: 'asked' | 'paid' | 'taken' | 'dispensed' | 'jammed'; method: string }
  | { kind: 'fill'; slot: number; quantity: number }
  | { kind: 'door'; minutesAgo: number }

const slot = fc.integer({ min: 0, max: 1 })
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    kind: fc.constant('sale' as const),
    slot,
    falls: fc.boolean(),
    // Up to three days late: other business days, other rows of the figures.
    minutesAgo: fc.integer({ min: 0, max: 3 * 24 * 60 }),
    offline: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('order' as const),
    slot,
    end: fc.constantFrom('asked', 'paid', 'taken', 'dispensed', 'jammed'),
    method: fc.constantFrom('alipay', 'wechat'),
  }),
  fc.record({ kind: fc.constant('fill' as const), slot, quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('door' as const), minutesAgo: fc.integer({ min: 0, max: 600 }) }),
)

/** `by` is the machine; `lots` decide which chain speaks next, what is said again, and where a batch ends. */
const history = fc.record({
  deeds: fc.array(fc.record({ by: fc.integer({ min: 0, max: 1 }), deed }), { minLength: 1, maxLength: 14 }),
  lots: fc.integer({ min: 1, max: 2_147_483_646 }),
})

type Word = { type: string; data: Record<string, unknown>; said: Partial<Envelope> & { seq: number } }

/** The words of a deed in the order in which a machine can say them: it pays nothing that it has not asked for. */
function wordsOf(each: Deed, name: string, productCodes: readonly string[]): Omit<Word, 'said'>[] {
  const code = each.kind === 'door' ? '' : `A${each.slot + 1}`
  const product = each.kind === 'door' ? '' : (productCodes[each.slot] ?? '')
  if (each.kind === 'door') return [{ type: 'door', data: { door: 'main', state: 'opened', by: 'key' } }]
  if (each.kind === 'fill') {
    const counts = { before: 0, change: each.quantity, after: each.quantity }
    return [{ type: 'stock.delta', data: { slot: code, product, cause: 'fill', ...counts } }]
  }
  if (each.kind === 'sale') {
    const items = [{ slot: code, product, priceFen: 500, ok: each.falls, motorCode: '100', sensorCode: '01' }]
    return [{ type: 'sale', data: { orderNo: name, method: 'cash', paidFen: 500, items } }]
  }
  const { method } = each
  const result = { orderNo: name, index: 0, slot: code, motorCode: '100', sensorCode: '01' }
  const chain = [
    { type: 'order.request', data: { orderNo: name, method, items: [{ slot: code }] } },
    { type: 'pay.result', data: { orderNo: name, method, amountFen: 500, channelNo: `C${name}` } },
    { type: 'vend.received', data: { orderNo: name } },
    { type: 'vend.result', data: { ...result, ok: each.end === 'dispensed' } },
  ]
  return chain.slice(0, { asked: 1, paid: 2, taken: 3, dispensed: 4, jammed: 4 }[each.end])
}

type Said = Word & { by: number; msgId: string; chain: number }

function saidBy(deeds: readonly { by: number; deed: Deed }[]): Said[] {
  const counted = [0, 0]
  return deeds.flatMap(({ by, deed: each }, chain) => {
    const ago = 'minutesAgo' in each ? each.minutesAgo : 0
    const occurredAt = new Date(NOON.getTime() - ago * MINUTE_MS).toISOString()
    const offline = each.kind === 'sale' && each.offline
    const codes = products.map(({ code }) => code)
    return wordsOf(each, `H-${chain}`, codes).map((word, i): Said => {
      const seq = (counted[by] = (counted[by] ?? 0) + 1)
      return { ...word, by, chain, msgId: `history-${by}-${chain}-${i}`, said: { seq, occurredAt, offline } }
    })
  })
}

/** Chains keep their own order; all else is left to the lots: who speaks next, who repeats what, where it is cut. */
function disordered(all: readonly Said[], lots: number): Said[][] {
  let drawn = lots
  const lot = (below: number) => {
    drawn = (drawn * 48_271) % 2_147_483_647
    return drawn % below
  }
  const chains = new Set(all.map(({ chain }) => chain))
  const left = [...chains].map((chain) => all.filter((each) => each.chain === chain))
  const heard: Said[] = []
  const batches: Said[][] = [[]]
  const hear = (each: Said) => {
    heard.push(each)
    batches.at(-1)?.push(each)
    if (lot(4) === 0) batches.push([])
  }
  while (left.length > 0) {
    const at = lot(left.length)
    const next = left[at]?.shift()
    if (!next) left.splice(at, 1)
    else hear(next)
    const again = heard[lot(Math.max(1, heard.length))]
    if (again && lot(5) === 0) hear(again)
  }
  return batches.filter((batch) => batch.length > 0)
}

type Twin = { merchantId: number; machines: BuiltMachine[] }

async function addTwin(): Promise<Twin> {
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId })
  const more = { merchantId, products, stock: 500 }
  return { merchantId, machines: [await addMachine(db, more), await addMachine(db, more)] }
}

async function hears(twin: Twin, batches: readonly (readonly Said[])[]): Promise<void> {
  for (const batch of batches) {
    const incoming = batch.flatMap(({ by, type, data, msgId, said }): Incoming[] => {
      const code = twin.machines[by]?.code ?? ''
      return [spoken(world, code, said.seq, type, data, { ...said, msgId })]
    })
    await ingest(world.services, incoming)
  }
}

const facts = (twin: Twin) => {
  const { merchantId } = twin
  const machineIds = twin.machines.map(({ id }) => id)
  const own = sql`merchant_id = ${merchantId}`
  const figures = ['total', 'day', 'hour', 'day_machine', 'day_product', 'day_machine_product', 'day_batch']
  return {
    orders: sql`select machine_order_no, array_position(${machineIds}::bigint[], machine_id) as by, method,
      payment_state, ship_state, order_state, problem, is_offline, paid_fen, business_day, occurred_at
      from orders where ${own}`,
    items: sql`select o.machine_order_no, i.index, i.state, i.price_fen, i.motor_code, i.sensor_code
      from order_item i join orders o on o.id = i.order_id where o.merchant_id = ${merchantId}`,
    stock: sql`select s.code, array_position(${machineIds}::bigint[], s.machine_id) as by, l.quantity from slot s
      join stock_level l on l.place_id = s.place_id where s.machine_id = any(${machineIds}::bigint[])`,
    moves: sql`select product_id, quantity, cause, moved_at from stock_move where ${own} and reference <> 'start'
      and cause <> 'fill' or ${own} and reference like 'message/%'`,
    ledger: sql`select kind, sum(balance_fen) as fen from ledger_account where ${own} group by 1`,
    counted: sql`select boot_id, top_seq from machine_seq where machine_id = any(${machineIds}::bigint[])`,
    gaps: sql`select machine_id from message_gap where machine_id = any(${machineIds}::bigint[]) and ended_at is null`,
    events: sql`select type, occurred_at, data from device_event where ${own}`,
    ...Object.fromEntries(
      figures.map((name) => [
        name,
        sql`select to_jsonb(r) - '{merchant_id,machine_id,point_id}'::text[] as row
          from ${sql.table(`rollup_${name}`)} r where ${own}`,
      ]),
    ),
  }
}

async function booksOf(twin: Twin): Promise<Record<string, string[]>> {
  const books: Record<string, string[]> = {}
  for (const [name, query] of Object.entries(facts(twin))) {
    const { rows } = await query.execute(world.services.db)
    books[name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return books
}

test(`${HISTORIES} histories, repeated, late and out of order, end in the books of the orderly run`, {
  timeout: 60_000 + HISTORIES * 5_000,
}, async () => {
  let bought = 0
  await fc.assert(
    fc.asyncProperty(history, async ({ deeds, lots }) => {
      const all = saidBy(deeds)
      bought += deeds.filter(({ deed: { kind } }) => kind === 'sale' || kind === 'order').length
      const [orderly, other] = [await addTwin(), await addTwin()]
      await hears(orderly, [all])
      await hears(other, disordered(all, lots))
      const [one, two] = [await booksOf(orderly), await booksOf(other)]
      expect(two).toEqual(one)
      expect(one.gaps).toEqual([])
    }),
    { numRuns: HISTORIES, seed },
  )
  const found = await sql<{ orders: number; refused: number }>`select (select count(*) from orders) as orders,
    (select count(*) from device_refusal) as refused`.execute(world.services.db)
  expect(found.rows).toEqual([{ orders: 2 * bought, refused: 0 }])
  expect(await contradictions(world.services.db)).toEqual([])
})
