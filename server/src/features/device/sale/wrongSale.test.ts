import type { AlarmCause } from '@aisle/contract/alarm/states'
import { getPrescriptionSales } from '@aisle/contract/pharmacy/sales'
import { channelMethods } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { detailOf } from '../../alarm/alarm.words'
import { addBatch, data, NOON, openPharmacy, type Pharmacy } from '../../pharmacy/testing'
import { contradictions } from '../../trade/recount'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

let pharmacy: Pharmacy
let drinks: BuiltMachine
let retail: BuiltMachine
let seq = 0

beforeAll(async () => {
  pharmacy = await openPharmacy()
  const { db, merchantId, products } = pharmacy
  const [rx, , otcB] = products
  const water = await addProduct(db, { merchantId })
  const otcA = await addProduct(db, { merchantId, medicineClass: 'otc_a' })
  const mode = (licenceMode: 'none' | 'retail') =>
    addMachine(db, { merchantId, products: [water, ...products, otcA], licenceMode, stock: 100 })
  drinks = await mode('none')
  retail = await mode('retail')
  const ofOtcB = { productId: otcB?.id ?? 0 }
  await addBatch(pharmacy, { ...ofOtcB, number: 'OLD', expiresOn: '2026-11-19' })
  await addBatch(pharmacy, { ...ofOtcB, number: 'BACK', expiresOn: '2027-11-19', state: 'recalled' })
  await addBatch(pharmacy, { ...ofOtcB, number: 'HELD', expiresOn: '2027-11-19', state: 'locked' })
  await addBatch(pharmacy, { ...ofOtcB, number: 'GOOD', expiresOn: '2026-11-20' })
  await addBatch(pharmacy, { productId: rx?.id ?? 0, number: 'RXOLD', expiresOn: '2026-11-19' })
})
afterAll(() => pharmacy.close())

type Item = { slot: string; product?: string; batch?: string; ok?: boolean }

async function sell(machine: BuiltMachine, method: string, items: readonly Item[], said: Record<string, unknown> = {}) {
  seq += 1
  const orderNo = `W-${seq}`
  const codeOf = (slot: string) => machine.slots.find(({ code }) => code === slot)?.productCode
  const told = items.map((item) => ({ product: codeOf(item.slot), priceFen: 500, ok: true, ...item }))
  const sale = { orderNo, method, paidFen: 500 * items.length, items: told }
  const { replies } = await ingest(pharmacy.world.services, [
    spoken(pharmacy.world, machine.code, seq, 'sale', sale, said),
  ])
  expect(replies.flatMap(({ ack }) => ack?.state ?? [])).toEqual(['processed'])
  return `${machine.code}-${orderNo}`
}

const keptOf = async (orderNo: string) => {
  const found = await sql<{ problem: string | null; business_type: string; cases: string[]; wrong: string[] }>`
    select o.problem, o.business_type, o.paid_fen,
      array(select kind from problem_case k where k.order_id = o.id and k.state <> 'closed') as cases,
      array(select i.wrong from order_item i where i.order_id = o.id and i.wrong is not null order by index) as wrong,
      array(select p.code from order_item i join product p on p.id = i.product_id where i.order_id = o.id
        order by index) as products
    from orders o where order_no = ${orderNo}`.execute(pharmacy.db)
  return found.rows[0]
}

const alarmsOf = async (machine: BuiltMachine) =>
  (
    await sql<{ cause: string; slot_code: string; level: string; facts: Record<string, string> }>`
      select cause, slot_code, level, facts from alarm where machine_id = ${machine.id} and state <> 'closed'
      order by cause, slot_code`.execute(pharmacy.db)
  ).rows

/** A1 is water, A2 and A3 prescription medicines, A4 OTC B, A5 OTC A; of the hospital's machine A1 is prescription. */
const wrongs = [
  ['prescription medicine on a drink machine', () => drinks, { slot: 'A2' }, 'notLawful'],
  ['OTC medicine on a drink machine', () => drinks, { slot: 'A4' }, 'notLawful'],
  ['prescription medicine on a retail machine', () => retail, { slot: 'A2' }, 'notLawful'],
  ['OTC A on a retail machine', () => retail, { slot: 'A5' }, 'notLawful'],
  ['prescription medicine without prescription', () => pharmacy.machine, { slot: 'A1' }, 'prescriptionMissing'],
  ['the same of an old batch', () => pharmacy.machine, { slot: 'A1', batch: 'RXOLD' }, 'prescriptionMissing'],
  ['an expired batch', () => retail, { slot: 'A4', batch: 'OLD' }, 'batchNotForSale'],
  ['a recalled batch', () => retail, { slot: 'A4', batch: 'BACK' }, 'batchNotForSale'],
  ['a locked batch', () => retail, { slot: 'A4', batch: 'HELD' }, 'batchNotForSale'],
  ['an unknown product', () => drinks, { slot: 'A1', product: 'NOBODY-KNOWS-1' }, 'productUnknown'],
  ['a product without a code', () => drinks, { slot: 'A1', product: '' }, 'productUnknown'],
] as const

for (const method of ['cash', ...channelMethods]) {
  test.each(wrongs)(`%s, by ${method}: kept, a case, an alarm`, async (_, machineOf, item, why) => {
    const machine = machineOf()
    const orderNo = await sell(machine, method, [item])
    const isLaw = !why.startsWith('product')
    const kind = isLaw ? 'unlawful_sale' : 'goods_differ'
    const kept = await keptOf(orderNo)
    expect(kept).toMatchObject({ problem: kind, cases: [kind], wrong: [why], paid_fen: 500 })
    const alarm = (await alarmsOf(machine)).find(({ cause, slot_code }) => cause === kind && slot_code === item.slot)
    expect(alarm).toMatchObject({ level: isLaw ? 'critical' : 'warning' })
  })
}

test('what the slot does not hold is named by what was sold, and its stock is what falls', async () => {
  const other = drinks.slots[3]?.productCode
  const water = await addProduct(pharmacy.db, { merchantId: pharmacy.merchantId })
  const orderNo = await sell(drinks, 'cash', [{ slot: 'A1', product: water.code }])
  expect(other).toBeDefined()
  expect(await keptOf(orderNo)).toMatchObject({
    problem: 'goods_differ',
    wrong: ['slotHoldsOther'],
    products: [water.code],
  })
})

test('a lawful sale, and a good batch on its last day, are no case', async () => {
  for (const item of [
    { slot: 'A1' },
    { slot: 'A4' },
    { slot: 'A4', batch: 'GOOD' },
    { slot: 'A4', batch: 'UNHEARD' },
  ]) {
    expect(await keptOf(await sell(retail, 'cash', [item]))).toMatchObject({ problem: null, cases: [], wrong: [] })
  }
})

test('without a batch said, the books decide: a slot in which a recalled one may stand', async () => {
  const otcB = retail.slots[3]
  seq += 1
  const fill = {
    slot: 'A4',
    product: otcB?.productCode,
    before: 0,
    change: 30,
    after: 30,
    cause: 'fill',
    batch: 'BACK',
  }
  await ingest(pharmacy.world.services, [spoken(pharmacy.world, retail.code, seq, 'stock.delta', fill)])
  expect(await keptOf(await sell(retail, 'cash', [{ slot: 'A4' }]))).toMatchObject({ wrong: ['batchNotForSale'] })
})

test('a piece that jammed was not sold; one that came out beside it is a case, and the other is owed', async () => {
  const jam = { slot: 'A1', ok: false, motorCode: '102' }
  expect(await keptOf(await sell(pharmacy.machine, 'cash', [jam]))).toMatchObject({
    problem: 'undelivered',
    wrong: [],
  })
  const orderNo = await sell(pharmacy.machine, 'cash', [{ slot: 'A1' }, jam])
  expect(await keptOf(orderNo)).toMatchObject({ problem: 'unlawful_sale', business_type: 'prescription' })
  const due = await sql`select amount_fen from refund where order_no = ${orderNo}`.execute(pharmacy.db)
  expect(due.rows).toEqual([{ amount_fen: 500 }])
})

test('what the slot held when it sold, an hour ago and offline, is in order though the plan has changed', async () => {
  const machine = await addMachine(pharmacy.db, {
    merchantId: pharmacy.merchantId,
    products: [await addProduct(pharmacy.db, { merchantId: pharmacy.merchantId })],
  })
  const before = machine.slots[0]?.productCode ?? ''
  const now = await addProduct(pharmacy.db, { merchantId: pharmacy.merchantId })
  await sql`update slot set product_id = ${now.id} where machine_id = ${machine.id}`.execute(pharmacy.db)
  const filledAt = await sql<{ at: Date }>`select max(moved_at) as at from stock_move
    where to_place_id = ${machine.slots[0]?.placeId}`.execute(pharmacy.db)
  pharmacy.world.setNow(new Date((filledAt.rows[0]?.at.getTime() ?? 0) + 2 * 3_600_000))
  const occurredAt = new Date((filledAt.rows[0]?.at.getTime() ?? 0) + 3_600_000).toISOString()
  const late = await sell(machine, 'cash', [{ slot: 'A1', product: before }], { occurredAt, offline: true })
  expect(await keptOf(late)).toMatchObject({ problem: null })
  const present = await sell(machine, 'cash', [{ slot: 'A1', product: before }])
  expect(await keptOf(present)).toMatchObject({ problem: 'goods_differ', wrong: ['slotHoldsOther'] })
  pharmacy.world.setNow(NOON)
})

test('a result that names a recalled batch makes its order a case', async () => {
  const say = (type: string, said: Record<string, unknown>) => {
    seq += 1
    return ingest(pharmacy.world.services, [spoken(pharmacy.world, drinks.code, seq, type, said)])
  }
  const orderNo = 'RESULT-1'
  const good = await sql<{ id: number }>`select product_id as id from slot
    where machine_id = ${drinks.id} and code = 'A1'`.execute(pharmacy.db)
  await addBatch(pharmacy, { productId: good.rows[0]?.id ?? 0, number: 'MILK', expiresOn: '2026-11-01' })
  await say('order.request', { orderNo, method: 'wechat', items: [{ slot: 'A1' }] })
  await say('pay.result', { orderNo, method: 'wechat', amountFen: 500, channelNo: 'W1' })
  const result = { orderNo, index: 0, slot: 'A1', ok: true, motorCode: '100', sensorCode: '01', batch: 'MILK' }
  await say('vend.result', result)
  expect(await keptOf(`${drinks.code}-${orderNo}`)).toMatchObject({
    problem: 'unlawful_sale',
    cases: ['unlawful_sale'],
    wrong: ['batchNotForSale'],
  })
})

test('the day counts them, the alarm says what and why, and the books agree', async () => {
  const { db, merchantId, http, world } = pharmacy
  const { id } = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['*'] })
  const token = await addSession(db, id, world.services.clock.now())
  const day = { from: '2026-11-20', to: '2026-11-20' }
  const sales = data<{ unbound: number; unlawful: number }>(await http.call(getPrescriptionSales, day, { token }))
  const counted = await sql<{ unlawful: number; unbound: number }>`
    select count(*) filter (where problem = 'unlawful_sale')::int as unlawful,
      count(*) filter (where business_type = 'prescription' and ship_state = 'completed')::int as unbound
    from orders where business_day = '2026-11-20'`.execute(pharmacy.db)
  expect(counted.rows[0]?.unbound).toBeGreaterThan(20)
  expect(sales).toMatchObject(counted.rows[0] ?? {})
  const open = await sql<{ cause: AlarmCause; facts: Record<string, string> }>`select cause, facts from alarm
    where machine_id = ${retail.id} and cause = 'unlawful_sale' and slot_code = 'A4'`.execute(db)
  const [alarm] = open.rows
  expect(alarm && detailOf('en', alarm.cause, alarm.facts)).toMatch(/: batch expired, locked or recalled \(TEST/)
  expect(await contradictions(pharmacy.db)).toEqual([])
})
