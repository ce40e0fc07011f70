import { getProduct } from '@aisle/contract/catalog/product'
import { getPlanogram } from '@aisle/contract/planogram/slot'
import {
  addPriceChange,
  applyPriceChange,
  discardPriceChange,
  getPriceChange,
  getPricedSlots,
  listPriceChanges,
  listPricedMachines,
  redraftPriceChange,
  undoPriceChange,
} from '@aisle/contract/planogram/priceChange'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { catalog } from '../../catalog/manifest'
import { planogram } from '../manifest'

const NOON = new Date('2026-11-20T04:00:00Z')
const GRANTS = ['machine.read', 'slot.write', 'product.*']
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(planogram.routes ?? []), ...(catalog.routes ?? [])))
  family = await addFamily(world.services.db, NOON)
  token = await tokenOf(family.ours.merchantId)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const tokenOf = async (merchantId: number, grants = GRANTS) => {
  const user = await addUser(world.services.db, { merchantId, grants })
  return addSession(world.services.db, user.id, NOON)
}
const callAs = async (as: string, ...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token: as })
  return { status, code: body.code, data: body.data as Record<string, unknown>, fields: body.fields }
}
const call = (...asked: Parameters<HttpWorld['call']>) => callAs(token, ...asked)
const product = (more: Partial<Parameters<typeof addProduct>[1]> = {}) =>
  addProduct(world.services.db, { merchantId: family.ours.merchantId, ...more })
const machineOf = (
  products: Awaited<ReturnType<typeof product>>[],
  more: Partial<Parameters<typeof addMachine>[1]> = {},
) => addMachine(world.services.db, { merchantId: family.ours.merchantId, products, ...more })
const draft = async (productId: number, more: Record<string, unknown> = {}) => {
  const wish = { productIds: [productId], rule: 'set', amountFen: 800, reason: 'Winter', ...more }
  const { data, code } = await call(addPriceChange, wish)
  return { id: Number(data?.id), code }
}
const work = async (id: number) => {
  for (const job of planogram.jobs ?? []) {
    if (job.name === 'planogram.priceChange') await job.run(world.services, { changeId: id })
  }
}
const pricesOf = async ({ id }: BuiltMachine) =>
  ((await call(getPlanogram, { id })).data.slots as { priceFen: number }[]).map(({ priceFen }) => priceFen)
const detail = async (id: number) => (await call(getPriceChange, { id })).data
const toldTo = async ({ id }: BuiltMachine) =>
  (
    await sql<{ type: string; data: unknown }>`select type, data from device_command where machine_id = ${id}
      order by seq`.execute(world.services.db)
  ).rows
const setPrice = ({ id }: BuiltMachine, priceFen: number) =>
  sql`update slot set price_fen = ${priceFen} where machine_id = ${id}`.execute(world.services.db)

test('a draft changes nothing; applied it is told to each machine, and undone each has its former price', async () => {
  const [cola, water] = [await product(), await product()]
  const [one, two] = [await machineOf([cola, water]), await machineOf([cola])]
  const [former] = await pricesOf(one)
  const { id } = await draft(cola.id)
  expect(await pricesOf(one)).toEqual([former, former])
  expect(await detail(id)).toMatchObject({
    state: 'draft',
    machineCount: 2,
    outcomes: [{ state: 'planned', why: null, count: 2 }],
    reason: 'Winter',
    staleCount: 0,
  })
  expect((await call(applyPriceChange, { id })).data).toEqual({ id, state: 'applying' })
  expect(await detail(id)).toMatchObject({ waiting: 2 })
  await work(id)
  expect(await pricesOf(one)).toEqual([800, former])
  expect(await pricesOf(two)).toEqual([800])
  const code = one.slots[0]?.code
  expect(await toldTo(one)).toEqual([{ type: 'push_prices', data: { prices: [{ slot: code, priceFen: 800 }] } }])
  expect(await detail(id)).toMatchObject({
    state: 'applied',
    waiting: 0,
    commands: { queued: 2 },
    outcomes: [{ state: 'set', why: null, count: 2 }],
  })
  expect((await call(undoPriceChange, { id })).data).toEqual({ id, state: 'undoing' })
  await work(id)
  await work(id)
  expect(await pricesOf(one)).toEqual([former, former])
  expect(await toldTo(two)).toHaveLength(2)
  expect(await detail(id)).toMatchObject({ state: 'undone', outcomes: [{ state: 'undone', count: 2 }] })
  expect((await call(undoPriceChange, { id })).code).toBe('priceChange.state')
})

test('what a slot gets at its next service is priced too, told to no machine before, and undone', async () => {
  const [cola, water] = [await product(), await product()]
  const one = await machineOf([water])
  const [slot] = one.slots
  const { db } = world.services
  await sql`update slot set next_product_id = ${cola.id}, next_price_fen = 500, next_capacity = 10, next_at = ${NOON}
    where id = ${slot?.id}`.execute(db)
  const next = async () =>
    (await sql<{ fen: number }>`select next_price_fen as fen from slot where id = ${slot?.id}`.execute(db)).rows[0]?.fen
  expect((await call(getProduct, { id: cola.id })).data.standing).toEqual([
    expect.objectContaining({ slotCode: slot?.code, stock: 0, priceFen: 500, isNext: true }),
  ])
  const { id } = await draft(cola.id)
  const said = async () => (await call(getPricedSlots, { id, machineId: one.id })).data.slots
  expect(await said()).toEqual([
    expect.objectContaining({ isNext: true, beforeFen: 500, afterFen: 800, nowFen: 500, reportedFen: null }),
  ])
  await call(applyPriceChange, { id })
  await work(id)
  expect([await next(), await toldTo(one)]).toEqual([800, []])
  expect(await detail(id)).toMatchObject({ state: 'applied', outcomes: [{ state: 'set', why: null, count: 1 }] })
  await call(undoPriceChange, { id })
  await work(id)
  expect(await next()).toBe(500)
  expect(await said()).toEqual([expect.objectContaining({ state: 'undone', nowFen: 500 })])
})

test('undone, a slot that somebody has priced meanwhile keeps that, and it is said which', async () => {
  const cola = await product()
  const [one, two] = [await machineOf([cola]), await machineOf([cola])]
  const [former] = await pricesOf(one)
  const { id } = await draft(cola.id)
  await call(applyPriceChange, { id })
  await work(id)
  await setPrice(two, 990)
  await call(undoPriceChange, { id })
  await work(id)
  expect([await pricesOf(one), await pricesOf(two)]).toEqual([[former], [990]])
  const said = await call(getPricedSlots, { id, machineId: two.id })
  expect(said.data.slots).toEqual([
    expect.objectContaining({ state: 'kept', why: 'meanwhile', nowFen: 990, afterFen: 800, beforeFen: former }),
  ])
})

test('who comes second is told what is there now, and goes on from it', async () => {
  const cola = await product()
  const one = await machineOf([cola])
  const { id } = await draft(cola.id, { rule: 'raise', amountFen: 20 })
  await setPrice(one, 600)
  expect(await detail(id)).toMatchObject({ staleCount: 1 })
  const stale = await call(applyPriceChange, { id })
  expect([stale.code, stale.fields]).toEqual([
    'priceChange.stale',
    [expect.objectContaining({ reason: 'changed', msg: expect.stringContaining('6.00') })],
  ])
  expect((await call(redraftPriceChange, { id })).status).toBe(200)
  await call(applyPriceChange, { id })
  await work(id)
  expect(await pricesOf(one)).toEqual([620])
})

test('what may not be sold there is left out with its reason, and the rest of its machine with it', async () => {
  const [cola, pill, idle] = [await product(), await product({ medicineClass: 'rx' }), await product()]
  await machineOf([cola])
  await machineOf([cola, pill], { licenceMode: 'retail' })
  await machineOf([idle])
  await sql`update product set state = 'offline' where id = ${idle.id}`.execute(world.services.db)
  const { id } = await draft(cola.id, { productIds: [cola.id, pill.id, idle.id] })
  expect((await detail(id)).outcomes).toEqual(
    expect.arrayContaining([
      { state: 'planned', why: null, count: 1 },
      { state: 'skipped', why: 'unlawful', count: 1 },
      { state: 'skipped', why: 'machineUnlawful', count: 1 },
      { state: 'skipped', why: 'offline', count: 1 },
    ]),
  )
  const { items } = (await call(listPricedMachines, { id })).data as { items: { skipped: number }[] }
  expect(items.map(({ skipped }) => skipped).sort((a, b) => a - b)).toEqual([0, 1, 2])
})

test('products themselves change with their story where the person may, and come back with the slots', async () => {
  const cola = await product()
  await machineOf([cola])
  const { priceFen: former } = (await call(getProduct, { id: cola.id })).data
  const { id } = await draft(cola.id, { changesProducts: true })
  await call(applyPriceChange, { id })
  await work(id)
  expect((await call(getProduct, { id: cola.id })).data).toMatchObject({ priceFen: 800 })
  await call(undoPriceChange, { id })
  await work(id)
  expect((await call(getProduct, { id: cola.id })).data).toMatchObject({ priceFen: former })
  const story = await sql<{ fen: number; reason: string }>`select price_fen as fen, reason from product_price
    where product_id = ${cola.id} order by id`.execute(world.services.db)
  expect(story.rows.slice(-2)).toEqual([
    { fen: 800, reason: 'Winter' },
    { fen: former, reason: 'Winter' },
  ])
  const filler = await tokenOf(family.ours.merchantId, ['slot.write', 'machine.read'])
  const wish = { productIds: [cola.id], rule: 'set', amountFen: 900, changesProducts: true, reason: 'Mine' }
  expect((await callAs(filler, addPriceChange, wish)).code).toBe('priceChange.mayNotProducts')
})

test('machines and products are chosen by group, route, codes, barcode, category and brand', async () => {
  const { db } = world.services
  const cola = await product()
  const [one, two] = [await machineOf([cola]), await machineOf([cola])]
  const { merchantId } = family.ours
  const group = await sql<{ id: number }>`with made as (
      insert into machine_group (merchant_id, name) values (${merchantId}, 'Lobbies') returning id),
    member as (insert into machine_group_member (group_id, machine_id) select id, ${one.id} from made)
    select id from made`.execute(db)
  await sql`insert into product_barcode (merchant_id, code, product_id)
    values (${merchantId}, '6901028075763', ${cola.id})`.execute(db)
  await sql`update product set brand = 'Fizz' where id = ${cola.id}`.execute(db)
  const countOf = async (more: Record<string, unknown>) => {
    const { id, code } = await draft(cola.id, { productIds: [], ...more })
    return id ? (await detail(id)).machineCount : code
  }
  expect(await countOf({ codes: '6901028075763' })).toBe(2)
  expect(await countOf({ codes: cola.code, scope: 'group', groupId: group.rows[0]?.id })).toBe(1)
  expect(await countOf({ brand: 'Fizz', scope: 'machines', machineCodes: `${two.code}，${one.code}` })).toBe(2)
  expect(await countOf({ codes: `${cola.code} nobody` })).toBe('priceChange.unknownCode')
  expect(await countOf({ codes: cola.code, scope: 'machines', machineCodes: 'nobody' })).toBe(
    'priceChange.unknownMachine',
  )
  expect(await countOf({})).toBe('priceChange.incomplete')
  expect(await countOf({ codes: cola.code, amountFen: null })).toBe('priceChange.incomplete')
  expect(await countOf({ codes: cola.code, rule: 'cutPercent', percent: 0 })).toBe('request.invalid')
  expect(await countOf({ brand: 'Nobody' })).toBe('priceChange.nothing')
  const { items } = (await call(listPriceChanges, { product: cola.code })).data as { items: unknown[] }
  expect(items).toHaveLength(3)
  const [theirs] = family.theirs.machines
  expect(await countOf({ codes: cola.code, scope: 'machines', machineCodes: theirs?.code })).toBe(
    'priceChange.unknownMachine',
  )
})

test('a discarded draft keeps its head alone', async () => {
  const cola = await product()
  await machineOf([cola])
  const { id } = await draft(cola.id)
  expect((await call(discardPriceChange, { id })).status).toBe(200)
  expect(await detail(id)).toMatchObject({ state: 'discarded', machineCount: 0, outcomes: [] })
  expect((await call(applyPriceChange, { id })).code).toBe('priceChange.state')
})

test('64 changes of one slot at once: one is set, and each other knows that it was not', async () => {
  const cola = await product()
  const one = await machineOf([cola])
  const drafts = await Promise.all(
    Array.from({ length: 64 }, (_, at) => draft(cola.id, { amountFen: 1000 + at, reason: `Person ${at}` })),
  )
  await Promise.all(drafts.map(({ id }) => call(applyPriceChange, { id })))
  await Promise.all(drafts.map(({ id }) => work(id)))
  const outcomes = await sql<{ state: string; fen: number }>`select l.state, l.after_fen as fen
    from price_change_slot l where l.machine_id = ${one.id}`.execute(world.services.db)
  const set = outcomes.rows.filter(({ state }) => state === 'set')
  expect([set.length, outcomes.rows.filter(({ state }) => state === 'skipped').length]).toEqual([1, 63])
  expect(await pricesOf(one)).toEqual([set[0]?.fen])
  expect(await toldTo(one)).toHaveLength(1)
})
