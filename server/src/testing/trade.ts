import { sql } from 'kysely'
import { type Books, findMachinesById, withBooks } from '../features/trade/public'
import { businessTime } from '../kernel/businessDay'
import type { Reader, Tx } from '../kernel/context'
import type { BuiltMachine } from './builders'

/** The same numbers again for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const methods = ['alipay', 'wechat', 'cash', 'unionpay'] as const
const types = ['sale', 'member', 'prescription'] as const
const states = ['dispensed', 'dispensed', 'dispensed', 'jammed'] as const

/**
 * An order somewhere in the last days, paid, with its figures, and for some of them a refund on a later day: facts as
 * the commands leave them, figures as the commands add them.
 */
export async function addRandomSale(
  db: Reader,
  machine: BuiltMachine,
  random: (below: number) => number,
  { now, days }: { now: Date; days: number },
): Promise<void> {
  const at = new Date(now.getTime() - random(days * 1_440) * 60_000)
  const add = async (tx: Tx, books: Books) => {
    const sold = await sell(tx, books, { machine, at }, random)
    if (random(4) === 0) {
      const items = sold.items.filter(() => random(2) === 0)
      const endedAt = new Date(Math.min(now.getTime(), at.getTime() + random(72) * 3_600_000))
      await refund(tx, books, sold, { items, endedAt, extraFen: random(3) })
    }
  }
  await db.transaction().execute((tx) => withBooks(tx, at, (books) => add(tx, books)))
}

type Sold = { id: number; merchantId: number; machineId: number; orderNo: string; at: Date; method: string } & {
  timeZone: string
  items: { index: number; productId: number; priceFen: number }[]
}

async function sell(
  tx: Tx,
  books: Books,
  { machine: built, at }: { machine: BuiltMachine; at: Date },
  random: (below: number) => number,
): Promise<Sold> {
  const machine = (await findMachinesById(tx, [built.id])).get(built.id)
  if (!machine) throw new Error('no machine')
  const [method, businessType] = [methods[random(4)] ?? 'cash', types[random(3)] ?? 'sale']
  const isOffline = random(6) === 0
  const items = [...Array(1 + random(3)).keys()].map((index) => {
    const slot = built.slots[random(built.slots.length)]
    if (!slot) throw new Error('a machine without slots sells nothing')
    const state = states[random(4)] ?? 'dispensed'
    return {
      index,
      slot,
      state,
      priceFen: 100 + random(900),
      costFen: 50 + (slot.productId % 40),
      batch: `B${random(3)}`,
    }
  })
  const paidFen = items.reduce((sum, { priceFen }) => sum + priceFen, 0)
  const businessDay = businessTime(at, machine.timeZone).day
  const orderNo = `${machine.code}-R${random(2_000_000_000)}`
  const numbered = await sql<{ id: number }>`insert into order_number (order_no, merchant_id, machine_id, occurred_at)
    values (${orderNo}, ${machine.merchantId}, ${machine.id}, ${at}) returning order_id as id`.execute(tx)
  const id = numbered.rows[0]?.id ?? 0
  await sql`insert into orders (id, merchant_id, machine_id, point_id, order_no, machine_order_no, business_type,
      method, payment_state, ship_state, order_state, is_offline, item_count, total_fen, paid_fen, occurred_at,
      received_at, business_day, paid_at)
    values (${id}, ${machine.merchantId}, ${machine.id}, ${machine.pointId}, ${orderNo}, ${orderNo}, ${businessType},
      ${method}, 'paid', 'completed', 'done', ${isOffline}, ${items.length}, ${paidFen}, ${paidFen}, ${at}, ${at},
      ${businessDay}, ${at})`.execute(tx)
  for (const item of items) {
    await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
        price_fen, cost_fen, state, batch)
      values (${machine.merchantId}, ${at}, ${id}, ${item.index}, ${item.slot.id}, ${item.slot.productId},
        ${item.priceFen}, ${item.priceFen}, ${item.costFen}, ${item.state}, ${item.batch})`.execute(tx)
  }
  const place = { businessDay, machineId: machine.id, merchantId: machine.merchantId, pointId: machine.pointId }
  const pieces = items.map(({ slot, ...item }) => ({ ...item, productId: slot.productId }))
  const handedOut = pieces.filter(({ state }) => state === 'dispensed').map((item) => ({ ...place, ...item }))
  const sale = { orderId: id, machine, pointId: machine.pointId, method, businessType, paidFen, discountFen: 0 }
  books.paid([{ ...sale, occurredAt: at, businessDay, isOffline, items: pieces }])
  books.handedOut(handedOut)
  const { merchantId, timeZone } = machine
  return { id, merchantId, machineId: machine.id, orderNo, at, method, timeZone, items: pieces }
}

type Refund = { items: Sold['items']; endedAt: Date; extraFen: number }

/** Of some items whole, or of a small amount alone. */
async function refund(tx: Tx, books: Books, sold: Sold, { items, endedAt, extraFen }: Refund): Promise<void> {
  const amountFen = items.length > 0 ? items.reduce((sum, { priceFen }) => sum + priceFen, 0) : 1 + extraFen
  const made = await sql<{ id: number }>`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id,
      order_no, method, amount_fen, cause, state, requested_at, ended_at)
    values (${`R${String(sold.id).padStart(12, '0')}`}, ${sold.id}, ${sold.merchantId}, ${sold.at}, ${sold.machineId},
      ${sold.orderNo}, ${sold.method}, ${amountFen}, 'other', 'refunded', ${sold.at}, ${endedAt})
    returning id`.execute(tx)
  const refundId = made.rows[0]?.id ?? 0
  for (const { index, productId, priceFen } of items) {
    await sql`insert into refund_item (refund_id, order_id, item_index, product_id, amount_fen)
      values (${refundId}, ${sold.id}, ${index}, ${productId}, ${priceFen})`.execute(tx)
  }
  books.refunded([
    {
      refundId,
      orderId: sold.id,
      businessDay: businessTime(endedAt, sold.timeZone).day,
      amountFen,
      items: items.map(({ productId, priceFen }) => ({ productId, quantity: 1, amountFen: priceFen })),
    },
  ])
}
