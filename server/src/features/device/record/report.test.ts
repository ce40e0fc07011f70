import { cancelCount, getCount, listCounts } from '@aisle/contract/counting/count'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../kernel/must'
import { addMachine, addProduct, type BuiltMachine } from '../../../testing/builders'
import { routes } from '../../counting/counting.routes'
import { openStore, type Store } from '../../stock/testing.store'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
const [water, pills] = [0, 1]
let store: Store
let machine: BuiltMachine
let seq = 0

beforeAll(async () => {
  store = await openStore(NOON, { grants: ['stockCount.*', 'machine.read'], routes })
  const { db, merchantId } = store
  const medicine = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  await store.knowBatch(medicine.id, 'B1', { expiresOn: '2027-11-20' })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId }), medicine], stock: 0 })
})
afterAll(() => store.close())

const slotOf = (n: number) => must(machine.slots[n], 'slot')
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000)
const placed = { product: 'code', before: 0, change: 0, after: 0 }
/** What a machine says of a slot, at a minute before noon. */
function delta(n: number, cause: string, data: Partial<typeof placed> & Record<string, unknown>, minute: number) {
  seq += 1
  const { code: slot, productCode: product } = slotOf(n)
  const said = { occurredAt: minutes(minute).toISOString() }
  return spoken(store.world, machine.code, seq, 'stock.delta', { ...placed, slot, product, cause, ...data }, said)
}
const tell = async (...said: ReturnType<typeof spoken>[]) => {
  const { replies } = await ingest(store.world.services, said)
  return replies.map(({ ack }) => ack?.reason ?? ack?.state)
}
const levels = async () => {
  const found = await sql<{ pieces: number }>`select coalesce(l.quantity, 0) as pieces from slot s
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${machine.id} order by s.position`.execute(store.db)
  return found.rows.map(({ pieces }) => pieces)
}
const counts = async (state: string) => {
  const asked = { machineCode: machine.code, scope: 'machine', state }
  return ((await store.call(listCounts, asked)).data as { items: { id: number; lines: number }[] }).items
}
type Count = { items: { counted: number | null; difference: number | null }[]; story: { verb: string; note: string }[] }
const countOf = async (id: number) => (await store.call(getCount, { id })).data as unknown as Count

test('what a machine says was counted is a difference at its moment, whatever is heard later', async () => {
  await tell(delta(water, 'fill', { change: 9 }, -90), delta(pills, 'fill', { change: 4, batch: 'B1' }, -90))
  // One less than the books had then; one has been filled in since.
  expect(await tell(delta(water, 'fill', { change: 1 }, -50), delta(water, 'count', { after: 8 }, -60))).toEqual([
    'processed',
    'processed',
  ])
  expect(await levels()).toEqual([9, 4])
  const [posted] = await counts('posted')
  expect((await countOf(must(posted, 'a count').id)).items).toMatchObject([{ counted: 8, difference: -1 }])
  // A sale from before the count was counted already.
  const item = { slot: slotOf(water).code, product: slotOf(water).productCode, priceFen: 500, ok: true }
  const early = { occurredAt: minutes(-70).toISOString() }
  const sale = { orderNo: 'EARLY-1', method: 'cash', paidFen: 500, items: [item] }
  await tell(spoken(store.world, machine.code, (seq += 1), 'sale', sale, early))
  expect(await levels()).toEqual([9, 4])
  // Told once more, by another message, and an older one: nothing to book.
  await tell(delta(water, 'count', { after: 8 }, -60), delta(water, 'count', { after: 2 }, -80))
  expect(await levels()).toEqual([9, 4])
})

test('what differs much, and any piece of a medicine, is asked of people, who are not told the figure', async () => {
  expect(await tell(delta(water, 'count', { after: 4 }, -40), delta(pills, 'count', { after: 3 }, -40))).toEqual([
    'processed',
    'processed',
  ])
  expect(await levels()).toEqual([9, 4])
  const [asked] = await counts('counting')
  const { id, lines } = must(asked, 'a count')
  expect(lines).toBe(2)
  expect((await countOf(id)).story).toEqual([])
  // What is open already is not asked a second time.
  await tell(delta(water, 'count', { after: 5 }, -39))
  expect(await counts('counting')).toHaveLength(1)
  expect((await store.call(cancelCount, { id, reason: 'wrong machine' })).status).toBe(200)
  expect((await countOf(id)).story.map(({ verb, note }) => `${verb} ${note}`)).toEqual([
    'cancel wrong machine',
    'said A1 5',
    'said A1 4 · A2 3',
  ])
})

test('what was taken out leaves the slot; more than the books have is booked, and to be counted', async () => {
  expect(
    await tell(
      delta(water, 'remove', { change: -2 }, -30),
      delta(pills, 'expired', { change: -4, batch: 'B1' }, -30),
      delta(water, 'remove', { change: -1, slot: 'ZZ' }, -30),
      delta(water, 'remove', { change: -1, product: 'NOTHING' }, -30),
    ),
  ).toEqual(['processed', 'processed', 'unknownSlot', 'itemUnknown'])
  expect(await levels()).toEqual([7, 0])
  expect(await counts('counting')).toEqual([])
  // Nobody is known to carry what has expired: it is lost, in the ledger too.
  const lost = await sql`select w.batch, w.quantity, w.state, w.asker = ${machine.code} as "byMachine",
      a.balance_fen = w.cost_fen as "isPosted"
    from write_off w join ledger_account a on a.merchant_id = w.merchant_id and a.kind = 'loss'
      and a.key = 'written_off_stock' where w.merchant_id = ${store.merchantId}`.execute(store.db)
  expect(lost.rows).toEqual([{ batch: 'B1', quantity: 4, state: 'done', byMachine: true, isPosted: true }])
  await tell(delta(pills, 'remove', { change: -2 }, -20))
  expect(await levels()).toEqual([7, -2])
  expect(await counts('counting')).toMatchObject([{ lines: 1 }])
})
