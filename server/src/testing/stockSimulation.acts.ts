import * as counts from '@aisle/contract/counting/count'
import * as tours from '@aisle/contract/field/replenishmentOrder'
import * as visits from '@aisle/contract/field/visit'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import * as orders from '@aisle/contract/purchase/order'
import * as receipts from '@aisle/contract/purchase/receipt'
import * as returns from '@aisle/contract/purchase/supplierReturn'
import * as outbound from '@aisle/contract/stock/outbound'
import * as transfers from '@aisle/contract/stock/transfer'
import * as writeOffs from '@aisle/contract/stock/writeOff'
import { type RawBuilder, sql } from 'kysely'
import { spoken } from '../features/device/testing'
import { must } from '../kernel/must'
import { SIMULATED_BATCHES, type StockNetwork } from './stockSimulation.network'

type Answer = { isDone: boolean; data: Record<string, unknown> }
type Call = (who: number, endpoint: Endpoint, input: Record<string, unknown>) => Promise<Answer>
type Held = { network: StockNetwork; random: (below: number) => number; call: Call }
type Lot = { productId: number; batch: string; quantity: number }
type Phone = { userId: number; id: string; orderId: number; machineId: number; seq: number; unsent: object[] }

/** What may happen next. A refusal is an answer like another: people try what does not go. */
export function stockActs(held: Held) {
  const machine = machineActs(held)
  const weighted: (() => Promise<unknown>)[] = [
    ...[0, 1].map(() => () => buy(held)),
    () => sendBack(held),
    () => transfer(held),
    ...driving(held),
    ...phoneActs(held),
    ...machine.acts,
    () => count(held),
    () => writeOff(held),
    () => decide(held),
  ]
  return { any: () => anyOf(held, weighted)(), said: machine.said }
}

const anyOf = <T>({ random }: Pick<Held, 'random'>, all: readonly T[]): T =>
  must(all[random(all.length)], 'one of them')
const batchFor = (held: Held, productId: number): string =>
  productId === held.network.medicineId ? anyOf(held, SIMULATED_BATCHES).batch : ''

function two(held: Held): [number, number] {
  const first = anyOf(held, held.network.people)
  const others = held.network.people.filter((each) => each !== first)
  return [first, anyOf(held, others)]
}

async function rowsOf<R>({ network }: Held, query: RawBuilder<R>): Promise<R[]> {
  return (await query.execute(network.db)).rows
}

/** Ordered, sent, and what came: too little, too much, some of it refused; some of it written wrongly and reversed. */
async function buy(held: Held): Promise<void> {
  const { network, random, call } = held
  const [buyer, other] = two(held)
  const { productId, supplierProductId } = anyOf(held, network.goods)
  const warehouseId = anyOf(held, network.warehouses).id
  const packs = 2 + random(4)
  const lines = [{ supplierProductId, packs, priceFen: 700 + random(700) }]
  const order = await call(buyer, orders.addPurchaseOrder, { supplierId: network.supplierId, warehouseId, lines })
  const id = Number(order.data.id)
  await call(buyer, orders.submitPurchaseOrder, { id })
  await call(other, orders.approvePurchaseOrder, { id })
  await call(buyer, orders.sendPurchaseOrder, { id, how: 'print' })
  const named = batchFor(held, productId)
  const came = {
    productId,
    counted: packs * 6 - random(4),
    ...SIMULATED_BATCHES.find(({ batch }) => batch === named),
  }
  const refused = random(4) === 0 ? { refused: 1, reason: 'Dented' } : {}
  const receipt = await call(buyer, receipts.addGoodsReceipt, {
    orderId: id,
    warehouseId,
    lines: [{ ...came, ...refused }],
  })
  if (!receipt.isDone) return
  await call(other, receipts.acceptGoodsReceipt, { id: receipt.data.id })
  if (random(6) === 0) await call(other, receipts.reverseGoodsReceipt, { id: receipt.data.id, reason: 'Wrong paper' })
}

async function sendBack(held: Held): Promise<void> {
  const { network, random, call } = held
  const [maker, other] = two(held)
  const { productId } = anyOf(held, network.goods)
  const lines = [{ productId, quantity: 1 + random(4), batch: batchFor(held, productId) }]
  const about = { supplierId: network.supplierId, fromId: anyOf(held, network.warehouses).id, why: 'quality', lines }
  const made = await call(maker, returns.addSupplierReturn, about)
  if (!made.isDone) return
  const { id } = made.data
  await call(other, returns.approveSupplierReturn, { id })
  await call(maker, returns.sendSupplierReturn, { id })
  if (random(3) === 0) await call(maker, returns.cancelSupplierReturn, { id, reason: 'Kept after all' })
  else
    await call(maker, returns.creditSupplierReturn, {
      id,
      creditNote: `C-${String(id)}`,
      creditedFen: 100 + random(900),
    })
}

async function transfer(held: Held): Promise<void> {
  const { network, random, call } = held
  const who = anyOf(held, network.people)
  const [from, to] = network.warehouses.toSorted(() => random(3) - 1)
  const { productId } = anyOf(held, network.goods)
  const quantity = 1 + random(6)
  const lines = [{ productId, quantity, batch: batchFor(held, productId) }]
  const sent = await call(who, transfers.sendTransfer, { fromId: from?.id, toId: to?.id, lines })
  if (!sent.isDone) return
  const { id } = sent.data
  if (random(3) === 0) await call(who, transfers.callBackTransfer, { id })
  else await call(who, transfers.receiveTransfer, { id, lines: [{ line: 1, arrived: quantity - random(2) }] })
}

/** Each tour by a step of its own, in whatever order they are tried. */
function driving(held: Held): (() => Promise<unknown>)[] {
  const { network, random, call } = held
  const one = async (state: string) => {
    const found = await rowsOf(
      held,
      sql<{ id: number; userId: number; outboundId: number | null }>`select id, user_id as "userId",
          outbound_id as "outboundId" from replenishment_order where state = ${state} order by id`,
    )
    return found[random(Math.max(1, found.length))]
  }
  const on =
    (state: string, run: (tour: NonNullable<Awaited<ReturnType<typeof one>>>) => Promise<unknown>) => async () => {
      const tour = await one(state)
      if (tour) await run(tour)
    }
  return [
    async () => {
      const [who, replenisherId] = two(held)
      const machineIds = network.machines.map(({ id }) => id).slice(random(2))
      const warehouseId = anyOf(held, network.warehouses).id
      await call(who, tours.addReplenishmentOrder, { warehouseId, replenisherId, machineIds, coverDays: 1 + random(5) })
    },
    on('draft', ({ id, userId }) => call(userId, tours.releaseReplenishmentOrder, { id })),
    on('released', ({ id, userId }) => call(userId, tours.loadReplenishmentOrder, { id })),
    on('loading', async ({ id, userId, outboundId }) => {
      if (outboundId !== null) await pickAndLoad(held, userId, outboundId)
      if (random(5) === 0) await call(userId, tours.reviseReplenishmentOrder, { id })
      await call(userId, tours.departReplenishmentOrder, { id })
    }),
    on('underWay', async ({ id, userId }) => {
      if (random(4) === 0) await call(userId, tours.finishReplenishmentOrder, { id })
    }),
    async () => {
      const loaded = await rowsOf(
        held,
        sql<{ id: number }>`select b.id from outbound_order b join replenishment_order o on o.outbound_id = b.id
          where b.state = 'loaded' and o.state = 'done' order by b.id`,
      )
      const [order] = loaded
      if (!order) return
      const { data } = await call(anyOf(held, network.people), outbound.getOutboundOrder, { id: order.id })
      const left = (data.inBag as Lot[]).map(({ productId, batch, quantity }) => {
        return { productId, batch, quantity: random(quantity + 1) }
      })
      await call(anyOf(held, network.people), outbound.closeOutboundOrder, { id: order.id, returns: left })
    },
  ]
}

async function pickAndLoad({ call }: Held, who: number, id: number): Promise<void> {
  const { data } = await call(who, outbound.getOutboundOrder, { id })
  const picks = (data.picks as Lot[]).map(({ productId, batch, quantity }) => ({ productId, batch, quantity }))
  await call(who, outbound.pickOutboundOrder, { id, picks })
  await call(who, outbound.loadOutboundOrder, { id })
}

/** Phones tell of visits hours later, twice, in any order, and two of them of one machine. */
function phoneActs(held: Held): (() => Promise<unknown>)[] {
  const { network, random, call } = held
  const phones: Phone[] = []
  let named = 0
  const uuid = () => {
    named += 1
    return `00000000-0000-4000-8000-${String(named * 4_096 + random(4_096)).padStart(12, '0')}`
  }
  const now = () => network.world.services.clock.now()
  const write = async () => {
    const stops = await rowsOf(
      held,
      sql<{ orderId: number; machineId: number; userId: number }>`select o.id as "orderId",
          t.machine_id as "machineId", o.user_id as "userId"
        from replenishment_order o join replenishment_stop t on t.order_id = o.id
        where o.state = 'underWay' order by o.id, t.machine_id`,
    )
    const stop = stops[random(Math.max(1, stops.length))]
    if (!stop) return
    const { orderId, machineId } = stop
    const known = phones.find((each) => each.orderId === orderId && each.machineId === machineId && random(4) > 0)
    const phone = known ?? { ...stop, id: uuid(), seq: 0, unsent: [] }
    if (!known) phones.push(phone)
    const slot = anyOf(
      held,
      must(
        network.machines.find(({ id }) => id === machineId),
        'a machine',
      ).slots,
    )
    const goods = { slotCode: slot.code, productCode: slot.productCode, batch: batchFor(held, slot.productId) }
    const pieces = 1 + random(5)
    const said = anyOf(held, [
      { kind: 'open' },
      { kind: 'fill', ...goods, pieces },
      { kind: 'fill', ...goods, pieces },
      { kind: 'takeOut', ...goods, pieces, why: 'damaged' },
      { kind: 'count', ...goods, counted: random(9) },
      { kind: 'done' },
    ])
    phone.seq += 1
    phone.unsent.push({ id: uuid(), seq: phone.seq, occurredAt: now().toISOString(), ...said })
  }
  const send = async () => {
    const phone = phones.filter(({ unsent }) => unsent.length > 0)[random(Math.max(1, phones.length))]
    if (!phone) return
    const { userId, id, orderId, machineId, unsent } = phone
    const steps = unsent.toSorted(() => random(3) - 1).slice(0, 1 + random(unsent.length))
    const about = { orderId, machineId, phone: id, sentAt: now().toISOString(), steps }
    const { isDone, data } = await call(userId, visits.sendVisit, about)
    // The answer is lost: all of it is sent again.
    if (!isDone || random(3) === 0) return
    const kept = new Set((data.answers as visits.StepAnswer[]).flatMap((each) => (each.isKept ? [each.id] : [])))
    phone.unsent = unsent.filter((step) => !kept.has((step as { id: string }).id))
  }
  return [write, write, write, send, send]
}

/** What machines say is heard in bundles, later, and now and then twice. */
function machineActs(held: Held) {
  const { network, random } = held
  /** Happened, and not heard yet. */
  const said: (() => ReturnType<typeof spoken>)[] = []
  let seq = 0
  const say = (machineCode: string, type: string, data: Record<string, unknown>) => {
    seq += 1
    const mine = seq
    const told = { msgId: `sim-message-${mine}`, occurredAt: network.world.services.clock.now().toISOString() }
    const again = () => spoken(network.world, machineCode, mine, type, data, told)
    said.push(again)
    if (random(6) === 0) said.push(again)
    return Promise.resolve()
  }
  const delta = (cause: string, sign: 1 | -1) => () => {
    const { code, slots } = anyOf(held, network.machines)
    const slot = anyOf(held, slots)
    const batch =
      slot.productId === network.medicineId && random(3) > 0 ? { batch: batchFor(held, slot.productId) } : {}
    const change = sign * (1 + random(4))
    const user = anyOf(held, [...network.accounts, 'somebody'])
    const about = { slot: slot.code, product: slot.productCode, before: 0, change, after: random(9), cause, user }
    return say(code, 'stock.delta', { ...about, ...batch })
  }
  const sell = () => {
    const { code, slots } = anyOf(held, network.machines)
    const { code: slot, productCode: product } = anyOf(held, slots)
    const items = [{ slot, product, priceFen: 500, ok: random(8) > 0 }]
    return say(code, 'sale', { orderNo: `S-${seq}`, method: 'cash', paidFen: 500, items })
  }
  return {
    said,
    acts: [delta('fill', 1), delta('remove', -1), delta('expired', -1), delta('count', 1), sell, sell, sell],
  }
}

/** Begun, counted by one, by another where it differs much, and posted; at any time, whatever moves meanwhile. */
async function count(held: Held): Promise<void> {
  const { network, random, call } = held
  const [first, second] = two(held)
  const { code } = anyOf(held, network.machines)
  await call(first, counts.openCount, { machineCode: code, scope: anyOf(held, ['all', 'cycle']) })
  const open = await rowsOf(
    held,
    sql<{ id: number }>`select id from stock_count where state in ('counting', 'recounting', 'review') order by id`,
  )
  const one = open[random(Math.max(1, open.length))]
  if (!one) return
  const { id } = one
  for (const who of [first, second]) {
    const items = (await call(who, counts.getCount, { id })).data.items as counts.CountLine[]
    const at = network.world.services.clock.now().toISOString()
    const lines = items
      .filter(({ mayCount }) => mayCount)
      .map((line) => ({ id: line.id, counted: random(9), countedAt: at }))
    if (lines.length > 0) await call(who, counts.saveCount, { id, sentAt: at, lines })
    await call(who, counts.finishCount, { id })
  }
  if (random(3) === 0) return
  const items = (await call(first, counts.getCount, { id })).data.items as counts.CountLine[]
  await call(first, counts.explainLines, { id, lineIds: items.map((line) => line.id), reason: 'other' })
  const costFen = items.reduce((sum, line) => sum + (line.costFen ?? 0), 0)
  await call(anyOf(held, network.people), counts.postCount, { id, costFen })
}

async function writeOff(held: Held): Promise<void> {
  const { random, call } = held
  const [asker, other] = two(held)
  const lying = await rowsOf(
    held,
    sql<Lot & { placeId: number }>`select l.place_id as "placeId", l.product_id as "productId", l.quantity, '' as batch
      from stock_level l join place p on p.id = l.place_id where l.quantity > 0 and p.kind <> 'transit' order by 1, 2`,
  )
  const spot = lying[random(Math.max(1, lying.length))]
  if (!spot) return
  const { placeId, productId, quantity } = spot
  const lines = [{ placeId, productId, batch: batchFor(held, productId), quantity: 1 + random(quantity) }]
  await call(asker, writeOffs.writeOffGoods, { lines, why: 'quality', note: 'Smells' })
  const made = await rowsOf(
    held,
    sql<{ id: number; state: string }>`select id, state from write_off order by id desc limit 1`,
  )
  const [last] = made
  if (last?.state === 'waiting') await call(other, writeOffs.approveWriteOff, { id: last.id })
  if (last && random(4) === 0) await call(other, writeOffs.reverseWriteOff, { id: last.id, reason: 'A slip' })
}

/** Somebody decides about steps that contradict. */
async function decide(held: Held): Promise<void> {
  const { network, random, call } = held
  const asked = await rowsOf(
    held,
    sql<{ id: number }>`select v.id from visit_step v where v.answer <> 'applied'
        and not exists (select from visit_decision d where d.step_id = v.id) order by v.id`,
  )
  const step = asked[random(Math.max(1, asked.length))]
  if (step)
    await call(anyOf(held, network.people), visits.decideStep, { id: step.id, verb: anyOf(held, visits.stepVerbs) })
}
