import * as contract from '@aisle/contract/field/cashCollection'
import * as deposit from '@aisle/contract/field/cashDeposit'
import { sendVisit } from '@aisle/contract/field/visit'
import type { Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../main/features'
import { addMachine, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { ingest } from '../../device/link/ingest'
import { spoken } from '../../device/testing'
import { openStore, type Store } from '../../stock/testing.store'
import { setOut } from '../testing.tour'

const NOON = new Date('2026-11-20T04:00:00Z')
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const grants = ['cashCollection.*', 'machine.read']
const people = ['taker', 'counter', 'third'] as const
type Person = (typeof people)[number]

let store: Store
let product: { id: number; code: string }
let machine: BuiltMachine
const tokens = new Map<Person, string>()
let said = 0

beforeAll(async () => {
  store = await openStore(NOON, { grants: [...grants, 'replenishmentOrder.*', 'visit.*'], routes: [...routes] })
  product = await addProduct(store.db, { merchantId: store.merchantId })
  await store.buy({ productId: product.id, quantity: 500 })
  for (const person of people) {
    const { id } = await addUser(store.db, { merchantId: store.merchantId, grants })
    tokens.set(person, await addSession(store.db, id, NOON))
  }
})
afterAll(() => store.close())
beforeEach(async () => {
  store.world.setNow(NOON)
  machine = await addMachine(store.db, { merchantId: store.merchantId, products: [product] })
})

/** Sold for cash at 5 yuan then, and heard now. */
async function sell(minutes: number): Promise<void> {
  said += 1
  const items = [{ slot: machine.slots[0]?.code, product: product.code, priceFen: 500, ok: true, motorCode: '100' }]
  const sale = { orderNo: `C-${said}`, method: 'cash', paidFen: 500, items }
  const occurredAt = at(minutes).toISOString()
  await ingest(store.world.services, [spoken(store.world, machine.code, said, 'sale', sale, { occurredAt })])
}
const ask = (person: Person, endpoint: Endpoint, input: Record<string, unknown>) =>
  store.call(endpoint, input, { token: tokens.get(person) })
const take = (boxNo: string, takenAt: string | null = null) =>
  ask('taker', contract.takeCashBox, { machineCode: machine.code, boxNo, takenAt })
const count = (person: Person, id: number, countedFen: number) => ask(person, contract.countCashBox, { id, countedFen })
const idOf = ({ data }: { data: unknown }) => (data as { id: number }).id
const readBox = async (id: number) =>
  (await ask('third', contract.getCashCollection, { id })).data as OutputOf<typeof contract.getCashCollection>

/** Of this machine, and of the merchant as far as it has changed since. */
async function balances(): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; fen: number }>`select kind, sum(balance_fen)::bigint as fen
    from ledger_account where merchant_id = ${store.merchantId} and (key = ${machine.code}
      or kind = 'cash_counted' or kind = 'loss' and key = 'cash_difference') group by kind`.execute(store.db)
  return Object.fromEntries(rows.map(({ kind, fen }) => [kind, fen]))
}
const since = (before: Record<string, number>, now: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(now)
      .map(([kind, fen]) => [kind, fen - (before[kind] ?? 0)] as const)
      .filter(([, fen]) => fen !== 0),
  )

test('what was sold for cash is in the box; who took it does not count it, and another one books it', async () => {
  for (const minutes of [-30, -20, -10]) await sell(minutes)
  const before = await balances()
  expect(before).toMatchObject({ cash_in_machine: 1_500 })
  const id = idOf(await take('BOX-1'))
  expect(since(before, await balances())).toEqual({ cash_in_machine: -1_500, cash_in_transit: 1_500 })
  expect((await ask('taker', contract.summariseCash, {})).data).toMatchObject({ onTheWayFen: 1_500, taken: 1 })
  expect(await count('taker', id, 1_500)).toMatchObject({ status: 403, code: 'cash.ownCount' })
  expect((await count('counter', id, 1_500)).data).toMatchObject({ state: 'settled' })
  expect(since(before, await balances())).toEqual({ cash_in_machine: -1_500, cash_counted: 1_500 })
  expect(await readBox(id)).toMatchObject({ expectedFen: 1_500, differenceFen: 0, orders: 3, ordersFen: 1_500 })
  expect(await count('counter', id, 1_500)).toMatchObject({ status: 409, code: 'cash.state' })
})

test('a sale that was told late was in the box, one that came after it was not', async () => {
  await sell(-30)
  await sell(-5)
  const id = idOf(await take('BOX-2', at(-10).toISOString()))
  expect((await readBox(id)).expectedFen).toBe(500)
  store.world.setNow(at(5))
  await sell(-20)
  await count('counter', id, 1_000)
  expect(await readBox(id)).toMatchObject({ state: 'settled', expectedFen: 1_000, differenceFen: 0, orders: 2 })
  expect(await balances()).toMatchObject({ cash_in_machine: 500, cash_in_transit: 0 })
})

test('off by too much it waits for a third person, can be counted again, and what is missing is a loss', async () => {
  for (let n = 0; n < 10; n += 1) await sell(-40 + n)
  const before = await balances()
  const id = idOf(await take('BOX-3'))
  expect((await count('counter', id, 3_000)).data).toMatchObject({ state: 'counted' })
  const reason = { id, reason: 'Counted by two' }
  expect(await ask('counter', contract.acceptCashDifference, reason)).toMatchObject({ code: 'cash.ownDecision' })
  expect(await ask('taker', contract.acceptCashDifference, reason)).toMatchObject({ code: 'cash.ownDecision' })
  await ask('third', contract.recountCashBox, reason)
  expect(await readBox(id)).toMatchObject({ state: 'taken', countedFen: null })
  await count('counter', id, 3_500)
  expect((await ask('third', contract.acceptCashDifference, reason)).data).toMatchObject({ state: 'settled' })
  expect(since(before, await balances())).toEqual({ cash_in_machine: -5_000, cash_counted: 3_500, loss: 1_500 })
  const short = { off: 'short', machineId: machine.id }
  expect((await ask('third', contract.listCashCollections.count, short)).data).toMatchObject({
    total: 1,
    sums: { differenceFen: -1_500 },
  })
})

test('a box that was not taken is back in its machine', async () => {
  await sell(-30)
  const before = await balances()
  const id = idOf(await take('BOX-4'))
  await ask('taker', contract.cancelCashBox, { id, reason: 'Wrong machine' })
  expect(since(before, await balances())).toEqual({})
  expect((await take('BOX-4')).status).toBe(200)
})

test('a number on its way is not given twice, and no box is taken before the one before it', async () => {
  const id = idOf(await take('BOX-5'))
  store.world.setNow(at(10))
  expect(await take('BOX-5')).toMatchObject({ status: 409, code: 'cash.boxUsed' })
  expect(await take('BOX-6', at(-5).toISOString())).toMatchObject({ status: 422, code: 'cash.early' })
  expect(await take('BOX-6', at(60).toISOString())).toMatchObject({ status: 422, code: 'cash.early' })
  await count('counter', id, 0)
  expect((await take('BOX-5')).status).toBe(200)
})

test('of 64 who take the same box at once one has it, and the books move its cash once', async () => {
  await sell(-30)
  const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => take(`BOX-7-${n}`)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await balances()).toMatchObject({ cash_in_machine: 0, cash_in_transit: 500 })
})

test('a visit tells of the box, once however often it is sent', async () => {
  machine = await addMachine(store.db, { merchantId: store.merchantId, products: [product], stock: 1 })
  await sql`update slot set capacity = 50 where machine_id = ${machine.id}`.execute(store.db)
  await sell(-30)
  const orderId = await setOut(store, [machine.id])
  store.world.setNow(at(10))
  const step = { id: randomUUID(), seq: 1, occurredAt: at(5).toISOString(), kind: 'cash', boxNo: 'BOX-8' }
  const visit = { orderId, machineId: machine.id, phone: randomUUID(), sentAt: at(10).toISOString(), steps: [step] }
  const [first, again] = [await store.call(sendVisit, visit), await store.call(sendVisit, visit)]
  expect(first.data).toMatchObject({ answers: [{ answer: 'applied' }] })
  expect(again.data).toMatchObject({ answers: [{ answer: 'duplicate', first: 'applied' }] })
  const listed = (await ask('counter', contract.listCashCollections, { machineId: machine.id })).data
  expect(listed).toMatchObject({ items: [{ boxNo: 'BOX-8', expectedFen: 500 }] })
  const [box] = (listed as { items: { takenAt: string }[] }).items
  expect(new Date(box?.takenAt ?? '')).toEqual(at(5))
})

test('what the machine and its controller say of the box stands beside the count', async () => {
  await sell(-30)
  said += 1
  const told = { kind: 'box_removed', fen: 480 }
  const occurredAt = at(-1).toISOString()
  await ingest(store.world.services, [spoken(store.world, machine.code, said, 'cash', told, { occurredAt })])
  const id = idOf(await take('BOX-9'))
  expect(await readBox(id)).toMatchObject({ expectedFen: 500, machineFen: 480, controllerFen: null, previousAt: null })
})

test('what was counted goes to the bank under one slip, once, and comes back when another person says so', async () => {
  await sell(-30)
  await count('counter', idOf(await take('BOX-B1')), 500)
  const which = { merchantId: store.merchantId, through: '2026-11-20' }
  const { boxes, countedFen } = (await ask('third', deposit.previewCashDeposit, which)).data as {
    boxes: number
    countedFen: number
  }
  const slip = { ...which, slipNo: 'SLIP-1', depositedOn: '2026-11-20', amountFen: countedFen }
  expect(await ask('third', deposit.depositCash, { ...slip, amountFen: countedFen - 100 })).toMatchObject({
    status: 422,
    code: 'cashDeposit.amount',
  })
  expect((await ask('third', deposit.depositCash, { ...slip, depositedOn: '2026-11-21' })).code).toBe(
    'cashDeposit.future',
  )
  const before = await balances()
  const id = idOf(await ask('third', deposit.depositCash, slip))
  expect(since(before, await balances())).toEqual({ cash_counted: -countedFen })
  expect((await ask('third', contract.listCashCollections.count, { depositId: id })).data).toMatchObject({
    total: boxes,
    sums: { countedFen },
  })
  expect((await ask('third', contract.summariseCash, {})).data).toMatchObject({ unbankedFen: 0 })
  expect((await ask('third', deposit.depositCash, { ...slip, slipNo: 'SLIP-2' })).code).toBe('cashDeposit.nothing')

  const reason = { id, reason: 'The counter was closed' }
  expect((await ask('third', deposit.reverseCashDeposit, reason)).code).toBe('cashDeposit.ownReversal')
  expect((await ask('counter', deposit.reverseCashDeposit, reason)).data).toMatchObject({ state: 'reversed' })
  expect((await ask('counter', deposit.reverseCashDeposit, reason)).code).toBe('cashDeposit.state')
  expect(since(before, await balances())).toEqual({})
  // The number is free again, and what the bank found missing is said by who neither took nor counted it.
  const short = { ...slip, amountFen: countedFen - 100, note: 'A false note' }
  expect((await ask('counter', deposit.depositCash, short)).code).toBe('cashDeposit.ownDifference')
  expect((await ask('third', deposit.depositCash, short)).status).toBe(200)
  expect(since(before, await balances())).toEqual({ cash_counted: -countedFen, loss: 100 })
})

test('of 64 who take the same cash to the bank at once one has taken it', async () => {
  await sell(-30)
  await count('counter', idOf(await take('BOX-B2')), 500)
  const before = await balances()
  const asked = Array.from({ length: 64 }, (_, n) =>
    ask('third', deposit.depositCash, {
      merchantId: store.merchantId,
      through: '2026-11-20',
      slipNo: `MANY-${n}`,
      depositedOn: '2026-11-20',
      amountFen: 500,
    }),
  )
  const codes = (await Promise.all(asked)).map(({ code }) => code)
  expect(codes.filter((code) => code === 'H0000')).toHaveLength(1)
  expect(since(before, await balances())).toEqual({ cash_counted: -500 })
})
