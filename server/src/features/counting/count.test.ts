import {
  addCountLine,
  cancelCount,
  type CountLine,
  explainLines,
  finishCount,
  getCount,
  openCount,
  openSlotCounts,
  postCount,
  recountLines,
  saveCount,
} from '@aisle/contract/counting/count'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { type Move, outsidePlaces, recordMoves } from '../stock/public'
import { routes } from './counting.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let first: string
let second: string
let boss: string
let others: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  family = await addFamily(db, NOON)
  const signedIn = async (merchantId: number, ...grants: string[]) =>
    addSession(db, (await addUser(db, { merchantId, grants })).id, NOON)
  first = await signedIn(family.ours.merchantId, 'stockCount.read', 'stockCount.write')
  second = await signedIn(family.ours.merchantId, 'stockCount.read', 'stockCount.write')
  boss = await signedIn(family.ours.merchantId, 'stockCount.*')
  others = await signedIn(family.theirs.merchantId, 'stockCount.*')
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (token: string, endpoint: Endpoint, input: Record<string, unknown>, key?: string) => {
  const { status, body } = await http.call(endpoint, input, { token, ...(key ? { key } : {}) })
  if (status >= 500) throw new Error(JSON.stringify(body))
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000)
const iso = (count: number) => minutes(count).toISOString()

type Told = { placeId: number; productId: number; quantity: number; at: Date; batch?: string }
const move = async (cause: 'fill' | 'vend', ...told: Told[]) => {
  const { merchantId } = family.ours
  await world.services.db.transaction().execute(async (tx) => {
    const kind = cause === 'fill' ? 'supplier' : 'customer'
    const outside = (await outsidePlaces(tx, kind, [merchantId])).get(merchantId) ?? 0
    const moves = told.map(({ placeId, productId, quantity, at, batch }): Move => {
      const [fromPlaceId, toPlaceId] = cause === 'fill' ? [outside, placeId] : [placeId, outside]
      const reference = `test/${at.getTime()}`
      const about = { merchantId, productId, quantity, movedAt: at, cause, reference, batch: batch ?? null }
      return { ...about, fromPlaceId, toPlaceId }
    })
    await recordMoves(tx, moves)
  })
}

/** A machine whose slots were filled an hour before noon. */
async function filled(stocks: readonly number[]): Promise<BuiltMachine> {
  const { db } = world.services
  const { merchantId } = family.ours
  const products = await Promise.all(stocks.map(() => addProduct(db, { merchantId })))
  const machine = await addMachine(db, { merchantId, products, stock: 0 })
  const told = machine.slots.map((slot, i) => ({ ...slot, quantity: stocks[i] ?? 0, at: minutes(-60) }))
  await move('fill', ...told.filter(({ quantity }) => quantity > 0))
  return machine
}

const levelsOf = async ({ slots }: BuiltMachine) => {
  const found = await sql<{ place_id: number; quantity: number }>`select place_id, quantity from stock_level
    where place_id = any(${slots.map(({ placeId }) => placeId)}::bigint[])`.execute(world.services.db)
  const levels = new Map(found.rows.map((row) => [row.place_id, row.quantity]))
  return slots.map(({ placeId }) => levels.get(placeId) ?? 0)
}

const opened = async (machine: BuiltMachine, token = first, scope: 'all' | 'cycle' = 'all') =>
  Number((await call(token, openCount, { machineCode: machine.code, scope })).data.id)
const linesOf = async (id: number, token = first) =>
  (await call(token, getCount, { id })).data.items as unknown as CountLine[]

async function say(id: number, token: string, found: Record<string, number | null>, at = 0, sentAt = iso(at)) {
  const lines = (await linesOf(id, token)).filter(({ slotCode }) => slotCode in found)
  const said = lines.map(({ id: line, slotCode }) => ({ id: line, counted: found[slotCode], countedAt: sentAt }))
  return call(token, saveCount, { id, sentAt, lines: said })
}

async function explained(id: number) {
  const lineIds = (await linesOf(id, boss)).map((line) => line.id)
  await call(boss, explainLines, { id, lineIds, reason: 'miscount' })
}
const costOf = async (id: number) =>
  (await linesOf(id, boss)).reduce((sum, { costFen, isSuperseded }) => sum + (isSuperseded ? 0 : (costFen ?? 0)), 0)
async function posted(id: number, token = boss) {
  await explained(id)
  return call(token, postCount, { id, costFen: await costOf(id) })
}
/** From the sheet to the books by the shortest way. */
async function counted(machine: BuiltMachine, found: Record<string, number>, at = 0) {
  const id = await opened(machine)
  world.setNow(minutes(at))
  await say(id, first, found, at)
  const { data } = await call(first, finishCount, { id })
  if (data.state === 'recounting') {
    const again = (await linesOf(id, second)).filter(({ needsSecond }) => needsSecond)
    const said = again.map(({ id: line, slotCode }) => ({ id: line, counted: found[slotCode], countedAt: iso(at) }))
    await call(second, saveCount, { id, sentAt: iso(at), lines: said })
    await call(second, finishCount, { id })
  }
  return id
}

test('who counts is told nothing of the books; what differs much is counted by another and posted', async () => {
  const machine = await filled([8, 5])
  const id = await opened(machine)
  expect((await linesOf(id)).map(({ book, difference, costFen }) => [book, difference, costFen])).toEqual([
    [null, null, null],
    [null, null, null],
  ])
  expect(JSON.stringify(await linesOf(id, boss))).not.toMatch(/"(book|difference)":[0-9-]/)
  await say(id, first, { A1: 5, A2: 5 })
  expect((await call(first, finishCount, { id })).data.state).toBe('recounting')
  const again = await linesOf(id, second)
  expect(again.map(({ needsSecond, book, mayCount }) => [needsSecond, book, mayCount])).toEqual([
    [true, 8, true],
    [false, 5, false],
  ])
  expect(await say(id, first, { A1: 6 })).toMatchObject({ status: 409, code: 'count.samePerson' })
  expect(await call(second, finishCount, { id })).toMatchObject({ code: 'count.secondMissing' })
  await say(id, second, { A1: 6 })
  expect((await call(second, finishCount, { id })).data.state).toBe('review')
  expect(await call(boss, postCount, { id, costFen: -400 })).toMatchObject({ status: 422, code: 'count.reason' })
  expect((await posted(id)).data.state).toBe('posted')
  expect(await levelsOf(machine)).toEqual([6, 5])
  const { data } = await call(boss, getCount, { id })
  expect(data).toMatchObject({ differing: 1, deltaPieces: -2, costFen: -400 })
})

test('what is sold between counting and posting stays sold, and what was sold before is counted already', async () => {
  const machine = await filled([8])
  const [slot] = machine.slots
  const id = await counted(machine, { A1: 7 }, 1)
  // One is sold while it waits to be looked at, another was sold before it was counted and is heard only now.
  await move('vend', { ...slot!, quantity: 1, at: minutes(5) }, { ...slot!, quantity: 1, at: minutes(-5) })
  world.setNow(minutes(10))
  await posted(id)
  expect(await levelsOf(machine)).toEqual([6])
  expect((await linesOf(id, boss))[0]).toMatchObject({ book: 7, difference: 0 })
})

test('a sale of before that is heard after the posting gives the difference back', async () => {
  const machine = await filled([8])
  const [slot] = machine.slots
  const id = await counted(machine, { A1: 5 }, 1)
  await posted(id)
  await move('vend', { ...slot!, quantity: 2, at: minutes(-3) })
  expect(await levelsOf(machine)).toEqual([5])
  await move('vend', { ...slot!, quantity: 1, at: minutes(3) })
  expect(await levelsOf(machine)).toEqual([4])
  // A fill of before is heard late, too.
  await move('fill', { ...slot!, quantity: 4, at: minutes(-2) })
  expect(await levelsOf(machine)).toEqual([4])
  expect((await linesOf(id, boss))[0]).toMatchObject({ book: 8, difference: -3, late: -2 })
})

test('not counted is not none, and none is', async () => {
  const machine = await filled([8, 5])
  const id = await counted(machine, { A1: 0 }, 1)
  await posted(id)
  expect(await levelsOf(machine)).toEqual([0, 5])
})

test('of two who count one machine neither overwrites the other, and no slot is in two open counts', async () => {
  const machine = await filled([8, 5])
  const id = await opened(machine)
  expect(await call(second, openCount, { machineCode: machine.code, scope: 'all' })).toMatchObject({
    status: 409,
    code: 'count.already',
  })
  const [a, b] = machine.slots
  const slots = await call(second, openSlotCounts, { ids: [a?.id, b?.id] })
  expect(slots.data.outcomes).toEqual([
    { id: a?.id, outcome: 'open' },
    { id: b?.id, outcome: 'open' },
  ])
  await say(id, first, { A1: 8 })
  expect(await say(id, second, { A1: 7 })).toMatchObject({ status: 409, code: 'count.otherCounter' })
  await say(id, second, { A2: 5 })
  expect((await linesOf(id)).map(({ counted: found }) => found)).toEqual([8, 5])
  const both = [1, 2].map(() => call(boss, openCount, { machineCode: machine.code, scope: 'all' }))
  expect((await Promise.all(both)).map(({ code }) => code)).toEqual(['count.already', 'count.already'])
})

test('a phone whose clock is a day ahead counts now', async () => {
  const machine = await filled([8])
  const id = await opened(machine)
  world.setNow(minutes(2))
  await say(id, first, { A1: 7 }, 24 * 60)
  expect((await linesOf(id))[0]?.countedAt).toBe(iso(2).replace('.000Z', '+00:00'))
  world.setNow(NOON)
})

test('the same count sent twice is counted once, by key and without', async () => {
  const machine = await filled([8])
  const [slot] = machine.slots
  const id = await opened(machine)
  const [line] = await linesOf(id)
  const input = { id, sentAt: iso(0), lines: [{ id: line?.id, counted: 7, countedAt: iso(0) }] }
  const key = 'the-same-key-of-a-phone-in-a-cellar'
  const answers = [await call(first, saveCount, input, key), await call(first, saveCount, input, key)]
  expect(answers.map(({ data }) => data.outcomes)).toEqual([
    [{ id: line?.id, outcome: 'kept' }],
    [{ id: line?.id, outcome: 'kept' }],
  ])
  const later = { ...input, sentAt: iso(9), lines: [{ ...input.lines[0], countedAt: iso(9) }] }
  expect((await call(first, saveCount, later)).data.outcomes).toEqual([{ id: line?.id, outcome: 'same' }])
  await call(first, finishCount, { id })
  await say(id, second, { A1: 7 })
  await call(second, finishCount, { id })
  await explained(id)
  const costFen = await costOf(id)
  const both = await Promise.all([1, 2].map(() => call(boss, postCount, { id, costFen })))
  expect(both.map(({ code }) => String(code)).sort((a, b) => a.localeCompare(b))).toEqual(['count.state', 'H0000'])
  const moves = sql`select quantity from stock_move where cause = 'count' and from_place_id = ${slot?.placeId}`
  expect((await moves.execute(world.services.db)).rows).toEqual([{ quantity: 1 }])
})

test('of two counts of one slot the newer stands, in whatever order they are posted', async () => {
  const machine = await filled([8])
  const older = await counted(machine, { A1: 7 }, 1)
  await call(boss, cancelCount, { id: older, reason: 'counted anew' })
  const newer = await counted(machine, { A1: 5 }, 4)
  await posted(newer)
  expect(await levelsOf(machine)).toEqual([5])
  // A count with an older time, as of a phone that sent late.
  world.setNow(minutes(-30))
  const late = await opened(machine)
  await say(late, first, { A1: 8 }, -20)
  world.setNow(minutes(10))
  await call(first, finishCount, { id: late })
  await posted(late)
  expect(await levelsOf(machine)).toEqual([5])
  expect((await linesOf(late, boss))[0]).toMatchObject({ isSuperseded: true, difference: null })
  world.setNow(NOON)
})

test('a dear difference is posted by who has not counted it, as it was shown', async () => {
  const machine = await filled([8])
  const [slot] = machine.slots
  await sql`update product set cost_fen = 30000 where id = ${slot?.productId}`.execute(world.services.db)
  const id = await opened(machine, boss)
  await say(id, boss, { A1: 7 })
  await call(boss, finishCount, { id })
  await say(id, second, { A1: 7 })
  await call(second, finishCount, { id })
  const lineIds = (await linesOf(id, boss)).map((line) => line.id)
  await call(boss, recountLines, { id, lineIds })
  const other = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['stockCount.*'] })
  const token = await addSession(world.services.db, other.id, NOON)
  await say(id, token, { A1: 7 })
  await call(token, finishCount, { id })
  await explained(id)
  expect(await call(boss, postCount, { id, costFen: -60_000 })).toMatchObject({ code: 'count.changed' })
  expect(await call(token, postCount, { id, costFen: -30_000 })).toMatchObject({ status: 409, code: 'count.ownCount' })
  expect(await call(boss, postCount, { id, costFen: -30_000 })).toMatchObject({ code: 'H0000' })
})

test('the books of medicines follow batch by batch, and a slot in doubt is in doubt no longer', async () => {
  const { db } = world.services
  const { merchantId } = family.ours
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const machine = await addMachine(db, { merchantId, products: [product], stock: 0 })
  const place = machine.slots[0]!
  await move('fill', { ...place, quantity: 3, at: minutes(-60), batch: 'A' })
  await move('fill', { ...place, quantity: 4, at: minutes(-50), batch: 'B' })
  await move('vend', { ...place, quantity: 1, at: minutes(-40), batch: 'B' })
  const doubts = async () =>
    (await sql`select reason from layer_doubt where place_id = ${place.placeId}`.execute(db)).rows
  expect(await doubts()).toEqual([{ reason: 'otherBatch' }])
  const id = await opened(machine)
  const lines = await linesOf(id)
  expect(lines.map(({ batch }) => batch)).toEqual(['A', 'B'])
  world.setNow(minutes(1))
  const found = await call(first, addCountLine, { id, slotCode: 'A1', batch: 'C' })
  const all = [lines[0]?.id, lines[1]?.id, found.data.id]
  const said = (at: number) => all.map((line, i) => ({ id: line, counted: [3, 2, 1][i], countedAt: iso(at) }))
  await call(first, saveCount, { id, sentAt: iso(1), lines: said(1) })
  expect((await call(first, finishCount, { id })).data.state).toBe('recounting')
  const again = (await linesOf(id, second)).filter(({ needsSecond }) => needsSecond).map((line) => line.id)
  await call(second, saveCount, {
    id,
    sentAt: iso(1),
    lines: said(1).filter((line) => again.includes(Number(line.id))),
  })
  await call(second, finishCount, { id })
  await move('vend', { ...place, quantity: 1, at: minutes(2) })
  world.setNow(minutes(3))
  await posted(id)
  expect(await levelsOf(machine)).toEqual([5])
  const layers = await sql`select batch, sum(quantity)::int as quantity from slot_layer
    where place_id = ${place.placeId} group by 1 order by 1`.execute(db)
  expect(layers.rows).toEqual([
    { batch: 'A', quantity: 2 },
    { batch: 'B', quantity: 2 },
    { batch: 'C', quantity: 1 },
  ])
  expect(await doubts()).toEqual([])
  // A sale of before that is heard late goes back to the batch that it took.
  await move('vend', { ...place, quantity: 1, at: minutes(-30) })
  expect(
    (
      await sql`select batch, sum(quantity)::int as quantity from slot_layer
    where place_id = ${place.placeId} group by 1 order by 1`.execute(db)
    ).rows,
  ).toEqual(layers.rows)
  world.setNow(NOON)
})

test('a visit counts what is empty by the books and three more, and no slot of others is anybody’s', async () => {
  const machine = await filled([8, 0, 5, 1, 9])
  const id = await opened(machine, first, 'cycle')
  expect((await linesOf(id)).map(({ slotCode }) => slotCode)).toEqual(['A2', 'A1', 'A3', 'A5'])
  expect((await call(others, getCount, { id })).status).toBe(404)
  expect(await call(others, openCount, { machineCode: machine.code })).toMatchObject({ code: 'count.noSlots' })
  const stranger = await linesOf(await opened(await filled([3])))
  const lines = [{ id: stranger[0]?.id, counted: 1, countedAt: iso(0) }]
  const saved = await call(first, saveCount, { id, sentAt: iso(0), lines })
  expect(saved.data.outcomes).toEqual([{ id: stranger[0]?.id, outcome: 'notFound' }])
})
