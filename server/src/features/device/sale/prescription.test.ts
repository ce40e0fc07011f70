import type { MessageData } from '@aisle/contract/device/messages'
import { getPrescription } from '@aisle/contract/pharmacy/prescription'
import { releasePrescription } from '@aisle/contract/pharmacy/review'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addBatch, data, DAY_MS, ID_NUMBER, NOON, openPharmacy, type Pharmacy } from '../../pharmacy/testing'
import { expirePrescriptions } from '../../pharmacy/pharmacy.jobs'
import { addMachine, type BuiltMachine } from '../../../testing/builders'
import { races, racing, together } from '../../../testing/races'
import { redeliver, withBooks } from '../../trade/public'
import { contradictions } from '../../trade/recount'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

let pharmacy: Pharmacy
let seq = 0
let rx: [number, number, number]

beforeAll(async () => {
  pharmacy = await openPharmacy()
  rx = pharmacy.products.map(({ id }) => id) as typeof rx
})
afterAll(() => pharmacy.close())
beforeEach(() => pharmacy.world.setNow(NOON))

const message = (machine: BuiltMachine, type: string, content: Record<string, unknown>) => {
  seq += 1
  return spoken(pharmacy.world, machine.code, seq, type, content)
}
const take = (...batch: ReturnType<typeof message>[]) => ingest(pharmacy.world.services, batch)

type Asking = Partial<MessageData<'order.request'>> & { slots?: string[] }
const request = (orderNo: string, { slots = ['A1'], ...more }: Asking = {}, machine = pharmacy.machine) =>
  message(machine, 'order.request', { orderNo, method: 'wechat', items: slots.map((slot) => ({ slot })), ...more })

const said = ({ replies }: Awaited<ReturnType<typeof take>>) =>
  replies.flatMap(({ answer }) => (answer ? ['refused' in answer ? answer.refused : 'quoted'] : []))

const ask = async (orderNo: string, asking: Asking = {}, machine = pharmacy.machine) =>
  said(await take(request(orderNo, asking, machine)))[0]

const pay = (orderNo: string, amountFen = 500, machine = pharmacy.machine) =>
  take(message(machine, 'pay.result', { orderNo, method: 'wechat', amountFen, channelNo: `W${orderNo}` }))

const vend = (orderNo: string, more: Record<string, unknown> = {}, machine = pharmacy.machine) =>
  take(
    message(machine, 'vend.result', {
      orderNo,
      index: 0,
      slot: 'A1',
      ok: true,
      motorCode: '100',
      sensorCode: '01',
      ...more,
    }),
  )

type Shown = { state: string; usesLeft: number; lines: { left: number; held: number; excess: number }[] }
const shown = async (id: number) => data<Shown>(await pharmacy.pharmacist.call(getPrescription, { id }))

test('a prescription medicine needs a prescription that is approved and names it', async () => {
  const { code } = await pharmacy.approved([{ productId: rx[0] }])
  const waiting = data<{ code: string }>(await pharmacy.write([{ productId: rx[0] }]))
  expect(await ask('N-1')).toBe('prescriptionMissing')
  expect(await ask('N-2', { prescription: 'RX000000NOTHING' })).toBe('prescriptionUnknown')
  expect(await ask('N-3', { prescription: waiting.code })).toBe('prescriptionNotApproved')
  expect(await ask('N-4', { prescription: code, slots: ['A2'] })).toBe('medicineNotNamed')
  expect(await ask('N-5', { prescription: code, slots: ['A1', 'A1'] })).toBe('prescriptionSpent')
  expect(await ask('N-6', { prescription: code, slots: ['A1', 'A3'] })).toBe('quoted')
})

test('a single one dispenses once: in use, then spent', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  expect(await ask('S-1', { prescription: code })).toBe('quoted')
  expect(await ask('S-1', { prescription: code })).toBe('quoted')
  expect(await ask('S-2', { prescription: code })).toBe('prescriptionSpent')
  await pay('S-1')
  await vend('S-1', { batch: 'B-1', traceCode: '81000010000000000001' })
  expect(await shown(id)).toMatchObject({ state: 'dispensed', usesLeft: 0, lines: [{ left: 0, held: 0 }] })
  await vend('S-1', { batch: 'B-1', traceCode: '81000010000000000001' })
  expect(await ask('S-3', { prescription: code })).toBe('prescriptionSpent')
  const bound = await sql`select state, batch, trace_code from prescription_fill_item i
    join prescription_fill f using (order_id) where f.prescription_id = ${id}`.execute(pharmacy.db)
  expect(bound.rows).toEqual([{ state: 'dispensed', batch: 'B-1', trace_code: '81000010000000000001' }])
})

test('a jam gives it back, once', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  await ask('J-1', { prescription: code })
  await pay('J-1')
  const jam = { ok: false, motorCode: '102', sensorCode: '03' }
  await vend('J-1', jam)
  await vend('J-1', jam)
  expect(await shown(id)).toMatchObject({ state: 'approved', lines: [{ left: 1, held: 0 }] })
  expect(await ask('J-2', { prescription: code })).toBe('quoted')
  expect(await ask('J-3', { prescription: code })).toBe('prescriptionSpent')
})

test('what jammed and is let out from afar is spent', async () => {
  const { id, code } = await pharmacy.approved()
  await ask('AFAR-1', { prescription: code })
  await pay('AFAR-1')
  await vend('AFAR-1', { ok: false, motorCode: '102', sensorCode: '03' })
  expect(await shown(id)).toMatchObject({ lines: [{ left: 1 }] })
  const slot = pharmacy.machine.slots[0]
  const piece = {
    orderNo: `${pharmacy.machine.code}-AFAR-1`,
    itemIndex: 0,
    placeId: slot?.placeId ?? 0,
    productId: rx[0],
  }
  const said = { ...piece, merchantId: pharmacy.merchantId, at: NOON, motorCode: '100', sensorCode: '01' }
  await pharmacy.db.transaction().execute((tx) => withBooks(tx, NOON, (books) => redeliver(tx, books, said)))
  expect(await shown(id)).toMatchObject({ state: 'dispensed', lines: [{ left: 0, held: 0, excess: 0 }] })
  expect(await ask('AFAR-2', { prescription: code })).toBe('prescriptionSpent')
})

test('what was not paid for is free again', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  await ask('U-1', { prescription: code })
  const later = new Date(NOON.getTime() + 6 * 60_000)
  await pharmacy.db.transaction().execute((tx) => sweepWaiting(tx, later))
  expect(await shown(id)).toMatchObject({ lines: [{ left: 1, held: 0 }] })
  expect(await ask('U-2', { prescription: code })).toBe('quoted')
})

test('while nobody knows whether it came out it stays held, and a late result counts', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  await ask('T-1', { prescription: code })
  await pay('T-1')
  pharmacy.world.setNow(new Date(NOON.getTime() + 6 * 60_000))
  await pharmacy.db.transaction().execute((tx) => sweepWaiting(tx, pharmacy.world.services.clock.now()))
  expect(await shown(id)).toMatchObject({ state: 'approved', lines: [{ left: 0, held: 1 }] })
  expect(await ask('T-2', { prescription: code })).toBe('prescriptionSpent')
  await vend('T-1')
  expect(await shown(id)).toMatchObject({ state: 'dispensed', lines: [{ left: 0, held: 0, excess: 0 }] })
})

test('a pharmacist lets go what is in doubt; what then comes out after all is told as excess', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  await ask('X-1', { prescription: code })
  await pay('X-1')
  const at = new Date(NOON.getTime() + 6 * 60_000)
  pharmacy.world.setNow(at)
  await pharmacy.db.transaction().execute((tx) => sweepWaiting(tx, at))
  const { fills } = data<{ fills: { orderId: number }[] }>(await pharmacy.pharmacist.call(getPrescription, { id }))
  const letGo = { id, orderId: fills[0]?.orderId, reason: 'machine opened, nothing missing' }
  expect((await pharmacy.pharmacist.call(releasePrescription, letGo)).status).toBe(200)
  expect((await pharmacy.pharmacist.call(releasePrescription, letGo)).body.code).toBe('prescription.nothingHeld')
  expect(await ask('X-2', { prescription: code })).toBe('quoted')
  await pay('X-2')
  await vend('X-2')
  await vend('X-1')
  expect(await shown(id)).toMatchObject({ state: 'dispensed', lines: [{ left: 0, held: 0, excess: 1 }] })
})

test('a repeat is had once an interval, until its uses are gone', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }], { uses: 2, intervalDays: 7 })
  await ask('R-1', { prescription: code })
  await pay('R-1')
  await vend('R-1')
  expect(await shown(id)).toMatchObject({ state: 'approved', usesLeft: 1 })
  expect(await ask('R-2', { prescription: code })).toBe('limitReached')
  pharmacy.world.setNow(new Date(NOON.getTime() + 7 * DAY_MS))
  expect(await ask('R-3', { prescription: code })).toBe('quoted')
  await pay('R-3')
  await vend('R-3')
  expect(await shown(id)).toMatchObject({ state: 'dispensed', usesLeft: 0 })
})

test('it expires at its time, also before the sweep says so', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  pharmacy.world.setNow(new Date(NOON.getTime() + 3 * DAY_MS))
  expect(await ask('E-1', { prescription: code })).toBe('prescriptionExpired')
  await expirePrescriptions(pharmacy.world.services)
  expect(await shown(id)).toMatchObject({ state: 'expired', usesLeft: 0 })
})

test('an approval holds for what was approved and nothing else', async () => {
  const { id, code } = await pharmacy.approved([{ productId: rx[0] }])
  const tamper = sql`update prescription_item set quantity = 20 where prescription_id = ${id}`
  await expect(tamper.execute(pharmacy.db)).rejects.toThrow('left its draft')
  await sql`alter table prescription_item disable trigger prescription_item_kept`.execute(pharmacy.db)
  await tamper.execute(pharmacy.db)
  await sql`alter table prescription_item enable trigger prescription_item_kept`.execute(pharmacy.db)
  expect(await ask('H-1', { prescription: code })).toBe('prescriptionNotApproved')
})

test('of 64 orders at once one has the last pack', racing, async () => {
  const machines = [pharmacy.machine, await pharmacy.hospital(), await pharmacy.hospital(), await pharmacy.hospital()]
  await races('one single-use prescription', async () => {
    const { code } = await pharmacy.approved([{ productId: rx[0] }])
    const asked = await together((n) => ask(`${code}-${n}`, { prescription: code }, machines[n % 4]))
    expect(asked.filter((each) => each === 'quoted')).toHaveLength(1)
    expect(asked.filter((each) => each === 'prescriptionSpent')).toHaveLength(63)
  })
})

test.each([
  ['expired', { expiresOn: '2026-11-19' }],
  ['recalled', { expiresOn: '2027-11-19', state: 'recalled' }],
  ['locked', { expiresOn: '2027-11-19', state: 'locked' }],
])('a slot with a batch that is %s sells nothing', async (word, batch) => {
  const machine = await pharmacy.hospital(0)
  const { code } = await pharmacy.approved([{ productId: rx[0] }])
  await addBatch(pharmacy, { productId: rx[0], number: `B-${word}`, ...batch })
  await addBatch(pharmacy, { productId: rx[0], number: `G-${word}`, expiresOn: '2027-01-01' })
  const fill = (number: string, change: number) => {
    const [slot] = machine.slots
    const what = { slot: slot?.code, product: slot?.productCode, before: 0, change, after: change }
    return take(message(machine, 'stock.delta', { ...what, cause: 'fill', batch: number }))
  }
  await fill(`B-${word}`, 1)
  await fill(`G-${word}`, 2)
  const alarm = await sql<{ cause: string; facts: unknown }>`select cause, facts from alarm
    where machine_id = ${machine.id} and state <> 'closed'`.execute(pharmacy.db)
  const isOlderBehind = word !== 'expired'
  expect(alarm.rows.map(({ cause }) => cause)).toEqual([isOlderBehind ? 'batch_order' : 'batch_mixed'])
  expect(await ask(`B1-${word}`, { prescription: code }, machine)).toBe('batchNotForSale')
  await sql`update medicine_batch set state = 'available', expires_on = '2027-02-01'
    where number = ${`B-${word}`}`.execute(pharmacy.db)
  expect(await ask(`B2-${word}`, { prescription: code }, machine)).toBe('quoted')
})

test(
  'of 64 sales and a recall at once each has its outcome: refused, paid back, or under way before',
  racing,
  async () => {
    await races('a recall in the middle of sales', async (nth) => {
      const number = `RACE-${nth}`
      await addBatch(pharmacy, { productId: rx[2], number, expiresOn: '2027-11-19' })
      const machines = await Promise.all(Array.from({ length: 8 }, () => pharmacy.hospital(0)))
      const fill = (machine: BuiltMachine) => {
        const what = { slot: 'A3', product: machine.slots[2]?.productCode, before: 0, change: 9, after: 9 }
        return take(message(machine, 'stock.delta', { ...what, cause: 'fill', batch: number }))
      }
      for (const machine of machines) await fill(machine)
      let recalledAt = 0
      const recall = async () => {
        await sql`update medicine_batch set state = 'recalled' where number = ${number}`.execute(pharmacy.db)
        recalledAt = performance.now()
      }
      const sales = await together(async (n) => {
        const machine = machines[n % 8] ?? pharmacy.machine
        if (n === 32) await recall()
        const askedAt = performance.now()
        const answer = await ask(`R${nth}-${n}`, { slots: ['A3'] }, machine)
        const paid = answer === 'quoted' ? await pay(`R${nth}-${n}`, 500, machine) : null
        return { n, answer, isLate: recalledAt > 0 && askedAt > recalledAt, shipped: paid?.dispatches.length ?? 0 }
      })
      for (const { answer, isLate } of sales)
        expect(['quoted', isLate ? '' : 'quoted', 'batchNotForSale']).toContain(answer)
      expect(sales.filter(({ answer, isLate }) => isLate && answer === 'quoted')).toEqual([])
      const unshipped = sales.filter(({ answer, shipped }) => answer === 'quoted' && shipped === 0)
      const kept = await sql<{ problem: string; refunds: number }>`select o.problem,
        (select count(*)::int from refund r where r.order_id = o.id) as refunds from orders o
      where o.machine_order_no like ${`R${nth}-%`} and o.ship_state = 'invalid'`.execute(pharmacy.db)
      expect(kept.rows).toEqual(unshipped.map(() => ({ problem: 'undelivered', refunds: 1 })))
    })
  },
)

test('a limited group is counted by person, over machines, and comes back with a jam', async () => {
  await sql`insert into medicine (product_id, limit_group) values (${rx[1]}, 'ephedrine'), (${rx[2]}, 'ephedrine')
    on conflict (product_id) do update set limit_group = excluded.limit_group`.execute(pharmacy.db)
  const other = await pharmacy.hospital()
  expect(await ask('L-0', { slots: ['A3'] })).toBe('personMissing')
  const written = async () =>
    (await pharmacy.approved([{ productId: rx[1], quantity: 2 }], { patientIdNumber: ID_NUMBER, warningReason: 'so' }))
      .code
  const [one, two] = [await written(), await written()]
  expect(await ask('L-1', { prescription: one, slots: ['A2', 'A2'] })).toBe('quoted')
  expect(await ask('L-2', { prescription: two, slots: ['A2'] }, other)).toBe('limitReached')
  await pay('L-1', 1000)
  await vend('L-1', { slot: 'A2', index: 0, ok: false, motorCode: '102', sensorCode: '03' })
  await vend('L-1', { slot: 'A2', index: 1 })
  expect(await ask('L-3', { prescription: two, slots: ['A2', 'A2'] }, other)).toBe('limitReached')
  expect(await ask('L-4', { prescription: two, slots: ['A2'] }, other)).toBe('quoted')
  pharmacy.world.setNow(new Date(NOON.getTime() + 8 * DAY_MS))
  const three = await pharmacy.approved([{ productId: rx[1], quantity: 2 }], {
    patientIdNumber: ID_NUMBER,
    warningReason: 'so',
  })
  expect(await ask('L-5', { prescription: three.code, slots: ['A2', 'A2'] }, other)).toBe('quoted')
  await sql`delete from medicine`.execute(pharmacy.db).catch(() => undefined)
})

test('what of a limited group is bought beside the prescription counts, and is free again when it jams', async () => {
  await sql`insert into medicine (product_id, limit_group) values (${rx[2]}, 'ephedrine')
    on conflict (product_id) do update set limit_group = excluded.limit_group`.execute(pharmacy.db)
  pharmacy.world.setNow(new Date(NOON.getTime() + 20 * DAY_MS))
  const written = async () =>
    (await pharmacy.approved([{ productId: rx[0], quantity: 1 }], { patientIdNumber: ID_NUMBER, warningReason: 'so' }))
      .code
  const [one, two, three] = [await written(), await written(), await written()]
  const slots = ['A1', 'A3', 'A3']
  expect(await ask('BESIDE-1', { prescription: one, slots })).toBe('quoted')
  await pay('BESIDE-1', 1500)
  await vend('BESIDE-1', { index: 0 })
  await vend('BESIDE-1', { index: 1, slot: 'A3' })
  await vend('BESIDE-1', { index: 2, slot: 'A3', ok: false, motorCode: '102', sensorCode: '03' })
  expect(await ask('BESIDE-2', { prescription: two, slots })).toBe('limitReached')
  expect(await ask('BESIDE-3', { prescription: two, slots: ['A1', 'A3'] })).toBe('quoted')
  expect(await ask('BESIDE-4', { prescription: three, slots: ['A1', 'A3'] })).toBe('limitReached')
  await sql`delete from medicine`.execute(pharmacy.db).catch(() => undefined)
})

test('a machine hears what a prescription allows, and nothing is held by asking', async () => {
  const retail = await addMachine(pharmacy.db, {
    merchantId: pharmacy.merchantId,
    products: pharmacy.products,
    licenceMode: 'retail',
  })
  const { code } = await pharmacy.approved([{ productId: rx[0], quantity: 2 }], { warningReason: 'for two weeks' })
  const check = async (prescription: string, machine = pharmacy.machine) => {
    const { replies } = await take(message(machine, 'rx.check', { prescription }))
    return replies.flatMap(({ answer }) => answer ?? [])[0]
  }
  const allowed = { prescription: code, medicines: [{ product: pharmacy.products[0]?.code, packs: 2 }] }
  expect(await check(code)).toMatchObject(allowed)
  expect(await check(code.toLowerCase())).toMatchObject({ medicines: allowed.medicines })
  expect(await check('RX000000NOTHING')).toMatchObject({ refused: 'prescriptionUnknown' })
  expect(await check(code, retail)).toMatchObject({ refused: 'notLawful' })
  await ask('Q-1', { prescription: code })
  expect(await check(code)).toMatchObject({ medicines: [{ packs: 1 }] })
})

test('who guesses at prescriptions is told nothing for a while, right or wrong, by question or by order', async () => {
  const machine = await pharmacy.hospital()
  const other = await pharmacy.hospital()
  const { code } = await pharmacy.approved([{ productId: rx[0] }])
  const checked = async (prescription: string, by = machine) =>
    said(await take(message(by, 'rx.check', { prescription })))[0]
  const guess = (n: number) => `RX00000GUESS${n}`
  for (let n = 0; n < 3; n += 1) expect(await checked(guess(n))).toBe('prescriptionUnknown')
  for (let n = 0; n < 3; n += 1) {
    expect(await ask(`GUESS-${n}`, { prescription: guess(n) }, machine)).toBe('prescriptionUnknown')
  }
  expect(await checked(code)).toBe('prescriptionsBlocked')
  expect(await checked(guess(9))).toBe('prescriptionsBlocked')
  expect(await ask('GUESS-9', { prescription: code }, machine)).toBe('prescriptionsBlocked')
  expect(await checked(code, other)).toBe('quoted')
  const blocked = await sql`select 1 from pickup_guess where machine_id = ${machine.id}`.execute(pharmacy.db)
  expect(blocked.rows).toEqual([])
  const before = pharmacy.world.services.clock.now()
  pharmacy.world.setNow(new Date(before.getTime() + 10 * 60_000 + 1))
  expect(await ask('GUESS-10', { prescription: code }, machine)).toBe('quoted')
  pharmacy.world.setNow(before)
})

test('of a hundred guesses at once no more are looked at than in turn', async () => {
  const machine = await pharmacy.hospital()
  const batch = Array.from({ length: 100 }, (_, n) =>
    message(machine, 'rx.check', { prescription: `RX0000ATONCE${n}` }),
  )
  const answers = (await Promise.all([take(...batch.slice(0, 50)), take(...batch.slice(50))])).flatMap(said)
  expect(answers.filter((each) => each === 'prescriptionUnknown')).toHaveLength(6)
  expect(answers.filter((each) => each === 'prescriptionsBlocked')).toHaveLength(94)
})

test('figures are what came out, and nothing contradicts itself', async () => {
  const kept = await sql`select business_day, merchant_id, doctor_id, hospital_id, product_id, packs, sold_fen
    from rollup_day_prescription where packs <> 0 order by 1, 2, 3, 4, 5`.execute(pharmacy.db)
  const counted =
    await sql`select o.business_day, p.merchant_id, p.doctor_id, coalesce(p.hospital_id, 0) as hospital_id,
      i.product_id, count(*) as packs, sum(i.price_fen) as sold_fen
    from orders o join prescription p on p.code = o.prescription_code
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    join prescription_item n on n.prescription_id = p.id and n.product_id = i.product_id
    where i.state = 'dispensed' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(pharmacy.db)
  expect(kept.rows.length).toBeGreaterThan(1)
  expect(kept.rows).toEqual(counted.rows)
  expect(await contradictions(pharmacy.db)).toEqual([])
})
