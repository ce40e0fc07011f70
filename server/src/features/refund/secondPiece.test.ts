import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { honest } from '../../../../fleet/src/provider/settings'
import type { BuiltMachine } from '../../testing/builders'
import { findOrderDetail } from '../trade/order/order.detail'
import { contradictions } from '../trade/recount'
import { saysOfMachine } from './problem.evidence'
import { sweep } from './refund.jobs'
import { NOON, openShop, type Shop } from './testing'

let shop: Shop
let machine: BuiltMachine
let count = 0

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.world.setNow(NOON)
  Object.assign(shop.providers.standIn.mischief, honest)
  machine = await shop.newMachine(false)
})

const out = { ok: true, motorCode: '100', sensorCode: '01' }

/** Two pieces of an order at 9.00, of which the machine said nothing for five minutes. */
async function unanswered(): Promise<{ mine: string; orderNo: string; id: number }> {
  count += 1
  const mine = `T-${count}`
  const orderNo = await shop.bought(machine, mine)
  shop.later(6)
  await sweep(shop.services)
  return { mine, orderNo, id: (await shop.order(orderNo)).id }
}

/** A person lets the item's product out of the first slot, and the machine says that it came out. */
async function redelivered(orderId: number, index = 0): Promise<void> {
  const slot = machine.slots[index]
  await sql`insert into remote_ship (merchant_id, machine_id, slot_code, place_id, product_id, order_no, order_id,
      item_index, command_id, cost_fen, reason, created_at)
    values (${shop.merchantId}, ${machine.id}, ${slot?.code}, ${slot?.placeId}, ${slot?.productId},
      ${`RS-${orderId}-${index}`}, ${orderId}, ${index}, gen_random_uuid(), 0, 'again', ${NOON})`.execute(shop.db)
  await shop.say(machine, 'vend.result', { orderNo: `RS-${orderId}-${index}`, index: 0, slot: slot?.code, ...out })
}

const stock = async (slot = 0) =>
  (
    await shop.one(sql<{ quantity: number }>`select quantity from stock_level
      where place_id = ${machine.slots[slot]?.placeId}`)
  ).quantity
const lost = () => shop.balance('loss', 'dispensed_after_refund')
const late = (mine: string, result = out) =>
  shop.say(machine, 'vend.result', { orderNo: mine, index: 0, slot: 'A1', ...result })

test('a piece that comes after another was handed over leaves the stock, is a loss, and is looked at', async () => {
  const { mine, orderNo, id } = await unanswered()
  const before = await lost()
  await redelivered(id)
  expect([await stock(), await lost()]).toEqual([39, before])
  await redelivered(id, 1)
  expect(await shop.order(orderNo)).toMatchObject({ ship_state: 'completed', problem: null })
  await late(mine)
  expect([await stock(), await lost()]).toEqual([38, before + 500])
  expect(await shop.order(orderNo)).toMatchObject({ ship_state: 'completed', problem: 'late_result', held_fen: 0 })
  const open = await shop.one(sql<{ id: number; kind: string }>`select id, kind from problem_case
    where order_id = ${id} and state = 'open'`)
  expect(open.kind).toBe('late_result')
  expect(await contradictions(shop.db)).toEqual([])
})

test('told again it is one piece and one loss, and its evidence stands with the case and the order', async () => {
  const { mine, id } = await unanswered()
  const before = await lost()
  await redelivered(id)
  await late(mine)
  await late(mine)
  expect([await stock(), await lost()]).toEqual([38, before + 500])
  const at = shop.services.clock.now().toISOString()
  const { merchantId } = shop
  const { occurred_at: occurredAt } = await shop.one(sql<{ occurred_at: Date }>`select occurred_at from orders
    where id = ${id}`)
  const { items } = await saysOfMachine(shop.db, { merchantId, occurredAt, id }, machine.id)
  expect(items.map(({ cameAgainAt }) => cameAgainAt && new Date(cameAgainAt).toISOString())).toEqual([at, null])
  const detail = await findOrderDetail(shop.db, { kind: 'all' }, id)
  const again = detail?.timeline.filter(({ kind }) => kind === 'itemAgain')
  expect(again).toEqual([{ at, kind: 'itemAgain', detail: expect.objectContaining({ slot: 'A1', motor: '100' }) }])
})

test('what the machine had said before another was handed over stays said: told again it is no piece', async () => {
  count += 1
  const mine = `T-${count}`
  const orderNo = await shop.bought(machine, mine)
  await shop.vended(machine, mine, [false, true])
  const { id } = await shop.order(orderNo)
  await redelivered(id)
  const standing = await stock()
  await late(mine, { ok: false, motorCode: '100', sensorCode: '03' })
  await late(mine)
  expect([standing, await stock()]).toEqual([39, 39])
  expect(await contradictions(shop.db)).toEqual([])
})

test('that nothing came out of the first command changes nothing about what was handed over', async () => {
  const { mine, orderNo, id } = await unanswered()
  await redelivered(id)
  await late(mine, { ok: false, motorCode: '100', sensorCode: '03' })
  expect(await stock()).toBe(39)
  expect(await shop.order(orderNo)).toMatchObject({ ship_state: 'completed' })
  expect(await contradictions(shop.db)).toEqual([])
})

test('goods of a merchant that collects its own money leave its stock, and no loss is in our books', async () => {
  const { mine, id } = await unanswered()
  await sql`update merchant set collects_payment = true where id = ${shop.merchantId}`.execute(shop.db)
  const before = await lost()
  await redelivered(id)
  await late(mine)
  expect([await stock(), await lost()]).toEqual([38, before])
  await sql`update merchant set collects_payment = false where id = ${shop.merchantId}`.execute(shop.db)
})
