import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { openWorld, type World } from '../../testing/world'
import { detailOf } from './alarm.words'
import { detectFailures, detectStock } from './detect.jobs'

const NOON = new Date('2026-11-20T04:00:00Z')
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
let world: World
let rootId: number
let merchantId: number
let machine: BuiltMachine

beforeAll(async () => {
  world = await openWorld(NOON)
  rootId = await addMerchant(world.services.db)
})
afterAll(() => world.close())
beforeEach(async () => {
  const { db } = world.services
  world.setNow(NOON)
  merchantId = await addMerchant(db, { parentId: rootId })
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
  machine = await addMachine(db, { merchantId, products })
})

type Lasting = { cause: string; facts: Record<string, string | number> }
const lasting = async (): Promise<Lasting[]> =>
  (
    await sql<Lasting>`select cause, facts from alarm where machine_id = ${machine.id} and state <> 'closed'
      order by cause`.execute(world.services.db)
  ).rows
const causes = async () => (await lasting()).map(({ cause }) => cause)

async function accountOf(): Promise<number> {
  const made = await sql<{ id: number }>`with provider as (
      insert into provider_account (merchant_id, provider, name, token, provider_no)
      values (${merchantId}, 'wechat', 'W', ${`token-of-${merchantId}-0000000000`}, ${`16${merchantId}`}) returning id)
    insert into payment_account (merchant_id, provider, provider_account_id, funds_mode, state, activated_at)
    select ${merchantId}, 'wechat', id, 'custody', 'activated', ${NOON} from provider returning id`.execute(
    world.services.db,
  )
  return made.rows[0]?.id ?? 0
}

async function attempt(accountId: number, state: 'failed' | 'unknown' | 'closed' | 'paid', minutes: number) {
  const { db } = world.services
  const order = await addOrder(db, machine, at(minutes), 500)
  const paidAt = state === 'paid' ? at(minutes) : null
  await sql`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at, merchant_id, machine_id,
      account_id, method, product, amount_fen, paid_fen, state, msg_id, business_day, created_at, expires_at, paid_at,
      closed_at)
    values (${randomUUID().replaceAll('-', '')}, ${order.id}, ${order.orderNo}, ${at(minutes)}, ${merchantId},
      ${machine.id}, ${accountId}, 'wechat', 'native', 500, ${paidAt && 500}, ${state}, ${randomUUID()}, '2026-11-20',
      ${at(minutes)}, ${at(minutes)}, ${paidAt}, ${state === 'closed' ? at(minutes) : null})`.execute(db)
}

test('three attempts to pay that came to nothing one after the other are an alarm, until one is paid', async () => {
  const account = await accountOf()
  await attempt(account, 'failed', -40)
  await attempt(account, 'unknown', -30)
  // A customer who went away says nothing of the channel.
  await attempt(account, 'closed', -20)
  await detectFailures(world.services)
  expect(await causes()).toEqual([])
  await attempt(account, 'failed', -10)
  await detectFailures(world.services)
  expect(await lasting()).toEqual([{ cause: 'payment_failure', facts: { count: 3, method: 'wechat' } }])
  await attempt(account, 'paid', -5)
  await detectFailures(world.services)
  expect(await causes()).toEqual([])
})

const command = (type: string, state: string, minutes: number, detail: string | null = null) =>
  sql`insert into device_command (id, merchant_id, machine_id, type, data, state, detail, created_at, expires_at,
      finished_at)
    values (${randomUUID()}, ${merchantId}, ${machine.id}, ${type}, '{}', ${state}, ${detail}, ${at(minutes)},
      ${at(minutes)}, ${at(minutes)})`.execute(world.services.db)

test('three commands that failed in a row are an alarm, in the reader’s words, until one is done', async () => {
  await command('restart_app', 'failed', -60)
  await command('push_prices', 'refused', -50, 'malformed')
  // Goods that hang are the slot's, and a machine with a customer before it may wait.
  await command('ship', 'failed', -45)
  await command('self_check', 'refused', -44, 'busy')
  await detectFailures(world.services)
  expect(await causes()).toEqual([])
  await command('restart_app', 'failed', -40, 'silent')
  await detectFailures(world.services)
  const [alarm] = await lasting()
  expect(alarm).toEqual({ cause: 'command_failure', facts: { count: 3, command: 'restart_app', detail: 'silent' } })
  expect(detailOf('en', 'command_failure', alarm?.facts ?? {})).toContain('Restart the app')
  await command('self_check', 'done', -30)
  await detectFailures(world.services)
  expect(await causes()).toEqual([])
})

test('more than fits in, or less than nothing, is an alarm until it is counted', async () => {
  const { db } = world.services
  const [first, second] = machine.slots
  const level = (slot: typeof first, pieces: number) =>
    sql`update stock_level set quantity = ${pieces}, may_go_negative = true
      where place_id = ${slot?.placeId}`.execute(db)
  await level(first, 11)
  await level(second, -2)
  await detectStock(world.services)
  expect(await lasting()).toEqual([{ cause: 'stock_impossible', facts: { slots: 2, slot: 'A1', pieces: 11 } }])
  await level(first, 10)
  await level(second, 0)
  await detectStock(world.services)
  expect(await causes()).toEqual([])
})

test('what is usually sold within half a day is said before it is gone, all slots of a product together', async () => {
  const { db } = world.services
  const [first] = machine.slots
  // Ten pieces at 5 yuan; 5 yuan an hour last ten hours.
  await sql`insert into usual_slot (slot_id, fen_hour) values (${first?.id}, 500)`.execute(db)
  await detectStock(world.services)
  expect(await lasting()).toMatchObject([{ cause: 'selling_out', facts: { count: 1, hours: 10 } }])
  await sql`update usual_slot set fen_hour = 400`.execute(db)
  await detectStock(world.services)
  expect(await causes()).toEqual([])
  await sql`update usual_slot set fen_hour = 500`.execute(db)
  await sql`update machine set operation = 'stopped' where id = ${machine.id}`.execute(db)
  await detectStock(world.services)
  expect(await causes()).toEqual([])
})
