import * as outbound from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../kernel/must'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { randomFrom } from '../../testing/trade'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { openStore, type Store } from '../stock/testing.store'

/** `SEED=…` plays a failure again, `STEPS=…` longer. */
const seed = Number(process.env.SEED ?? 1)
const steps = Number(process.env.STEPS ?? 120)
const NOON = new Date('2026-11-20T04:00:00Z')
const BATCHES = ['A', 'B'] as const

let store: Store
let machine: BuiltMachine
beforeAll(async () => {
  store = await openStore(NOON)
  const { db, merchantId } = store
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId, medicineClass: 'otc_b' })]
  machine = await addMachine(db, { merchantId, products, stock: 0 })
  const medicineId = must(products[1], 'medicine').id
  for (const [at, batch] of BATCHES.entries()) {
    await store.knowBatch(medicineId, batch, { expiresOn: `202${8 + at}-01-01` })
  }
})
afterAll(() => store.close())

type Order = { id: number; state: 'draft' | 'picked' | 'loaded' }
type Detail = { picks: Lot[]; inBag: Lot[] }
type Lot = { productId: number; batch: string; quantity: number }
const lotOf = ({ productId, batch, quantity }: Lot): Lot => ({ productId, batch, quantity })

const below = randomFrom(seed)
const any = <T>(all: readonly T[]): T => must(all[below(all.length)], 'one of them')
const said: ReturnType<typeof spoken>[] = []
const orders: Order[] = []
let slots: (BuiltMachine['slots'][number] & { isMedicine: boolean; before: number })[] = []
let seq = 0
const say = async (type: string, data: Record<string, unknown>) => {
  seq += 1
  said.push(spoken(store.world, machine.code, seq, type, data))
  // Several at once, the newest first, and now and then one again: as networks are.
  if (below(3) > 0) return
  const again = below(2) === 0 ? said.slice(0, 1) : []
  await ingest(store.world.services, [...said.toReversed(), ...again])
  if (again.length > 0) await ingest(store.world.services, again)
  said.length = 0
}
const detail = async (id: number) => (await store.call(outbound.getOutboundOrder, { id })).data as unknown as Detail
const moved = async (order: Order, endpoint: Parameters<Store['call']>[0], more: object, state: Order['state']) => {
  const { status } = await store.call(endpoint, { id: order.id, ...more })
  if (status === 200) order.state = state
}
const acts: (() => Promise<unknown>)[] = [
  () => {
    const { productId, isMedicine } = any(slots)
    return store.buy({ productId, quantity: 1 + below(12), ...(isMedicine && { batch: any(BATCHES) }) })
  },
  async () => {
    const lines = slots.map(({ productId }) => ({ productId, quantity: 1 + below(8) }))
    const about = { warehouseId: store.warehouseId, replenisherId: store.replenisher.id, lines }
    const { data } = await store.call(outbound.addOutboundOrder, about)
    orders.push({ id: Number(data.id), state: 'draft' })
  },
  async () => {
    const order = orders.find(({ state }) => state === 'draft')
    if (!order) return
    const picks = (await detail(order.id)).picks.map(lotOf)
    await moved(order, outbound.pickOutboundOrder, { picks }, 'picked')
  },
  async () => {
    const order = orders.find(({ state }) => state === 'picked')
    if (order) await moved(order, outbound.loadOutboundOrder, {}, 'loaded')
  },
  async () => {
    const at = orders.findIndex(({ state }) => state === 'loaded')
    const order = orders[at]
    if (!order || below(2) === 0) return
    const returns = (await detail(order.id)).inBag.map((lot) => ({
      ...lotOf(lot),
      quantity: below(lot.quantity + 1),
    }))
    expect((await store.call(outbound.closeOutboundOrder, { id: order.id, returns })).status).toBe(200)
    orders.splice(at, 1)
  },
  ...[0, 1].map(() => async () => {
    const slot = any(slots)
    const change = 1 + below(6)
    const batch = slot.isMedicine && below(3) > 0 ? { batch: any(BATCHES) } : {}
    const user = any([store.replenisher.account, 'filler'])
    const about = { slot: slot.code, product: slot.productCode, before: slot.before, change, cause: 'fill', user }
    slot.before += change
    await say('stock.delta', { ...about, after: slot.before, ...batch })
  }),
  ...[0, 1].map(() => async () => {
    const slot = any(slots)
    const item = { slot: slot.code, product: slot.productCode, priceFen: 500, ok: true }
    await say('sale', { orderNo: `S-${seq}`, method: 'cash', paidFen: 500, items: [item] })
  }),
]

test(`bought is what lies in warehouse, bags and slots, what was sold and what is scrap (seed ${seed})`, async () => {
  slots = machine.slots.map((slot, at) => ({ ...slot, isMedicine: at === 1, before: 0 }))
  for (let step = 0; step < steps; step += 1) await any(acts)()
  await ingest(store.world.services, said)
  expect({ seed, apart: await apart() }).toEqual({ seed, apart: [] })
  const filled = await sql<{ bag: number; outside: number }>`
    select count(*) filter (where p.kind = 'replenisher')::int as bag,
      count(*) filter (where p.kind = 'supplier')::int as outside
    from stock_move v join place p on p.id = v.from_place_id where v.cause = 'fill'`.execute(store.db)
  // Both roads were gone, or the test says nothing.
  expect(Math.min(filled.rows[0]?.bag ?? 0, filled.rows[0]?.outside ?? 0)).toBeGreaterThan(0)
})

/** Products, and batches outside of slots, of which another number lies somewhere than came from outside. */
async function apart(): Promise<unknown[]> {
  const found = await sql`
    with flow as (
      select v.product_id, sum(case when f.kind = 'supplier' then v.quantity when t.kind = 'supplier' then -v.quantity
          else 0 end) as bought,
        sum(case when t.kind in ('customer', 'scrap') then v.quantity when f.kind in ('customer', 'scrap')
          then -v.quantity else 0 end) as gone
      from stock_move v join place f on f.id = v.from_place_id join place t on t.id = v.to_place_id
      where v.merchant_id = ${store.merchantId} group by 1)
    select 'product' as what, w.product_id, '' as batch from flow w
    where w.bought <> w.gone +
      (select coalesce(sum(l.quantity), 0) from stock_level l where l.product_id = w.product_id)
    union all
    select 'value', v.product_id, '' from stock_value v join stock_level l using (place_id, product_id)
    where v.pieces <> l.quantity
    union all
    select 'batch', m.product_id, m.batch from (
      select v.product_id, p.id as place_id, v.batch,
        sum(case when v.to_place_id = p.id then v.quantity else -v.quantity end) as moved
      from stock_move v join place p on p.id in (v.from_place_id, v.to_place_id)
        and p.kind in ('warehouse', 'replenisher')
      where v.batch is not null and v.product_id = ${machine.slots[1]?.productId} group by 1, 2, 3) m
    join batch_level b on b.place_id = m.place_id and b.product_id = m.product_id and b.batch = m.batch
    where b.quantity <> m.moved or b.quantity < 0
    union all
    select 'layers', l.product_id, '' from stock_level l join place p on p.id = l.place_id and p.kind = 'slot'
    where l.product_id = ${machine.slots[1]?.productId} and greatest(l.quantity, 0) <> (
      select coalesce(sum(y.quantity), 0) from slot_layer y
      where y.place_id = l.place_id and y.product_id = l.product_id)`.execute(store.db)
  return found.rows
}
