import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { addBatch, scrapBatch } from '@aisle/contract/medicine/batch'
import { addRecall, listRecallTargets, pullTarget, startRecall } from '@aisle/contract/medicine/recall'
import {
  destroyTraces,
  findTrace,
  registerTraces,
  type TraceStory,
  type TraceTold,
} from '@aisle/contract/medicine/trace'
import { writeOffBatches } from '@aisle/contract/stock/writeOff'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { countContents, outsidePlaces, recordMoves, takeOutContents } from '../../stock/public'
import { routes as writeOffRoutes } from '../../stock/writeOff.routes'
import { routes as batchRoutes } from '../batch/batch.routes'
import { routes as recallRoutes } from '../recall/recall.routes'
import { spreadRecall } from '../recall/recall.spread'
import { routes } from './trace.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
let product: { id: number; code: string }
let tokens: string[]
let machine: BuiltMachine
let serial = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...batchRoutes, ...recallRoutes, ...writeOffRoutes))
  const { db } = world.services
  merchantId = await addMerchant(db)
  product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const person = async () => {
    const { id } = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['*'] })
    return addSession(db, id, NOON)
  }
  tokens = [await person(), await person()]
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const ask = async <T = { id: number }>(endpoint: Endpoint, input: Record<string, unknown>, who = 0): Promise<T> => {
  const answer = await http.call(endpoint, input, { token: tokens[who] ?? '' })
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  return answer.body.data as T
}

type Stand = { batch: string; batchId: number; placeId: number; levelId: number; codes: string[] }

/** A slot of its own with `pieces` of a batch of its own, of which `coded` have their codes scanned. */
async function stand(pieces: number, coded: number): Promise<Stand> {
  serial += 1
  const batch = `F${serial}`
  const { id: batchId } = await ask(addBatch, { productId: product.id, number: batch, expiresOn: '2027-08' })
  const { db } = world.services
  machine = await addMachine(db, { merchantId, products: [product], stock: 0 })
  const placeId = machine.slots[0]?.placeId ?? 0
  await moveIn(placeId, batch, pieces)
  const codes = Array.from({ length: coded }, (_, at) => `8123456${String(serial * 1000 + at).padStart(13, '0')}`)
  const at = { machineCode: machine.code, slotCode: machine.slots[0]?.code }
  await ask(registerTraces, { merchantId, productCode: product.code, batch, codes, ...at })
  const level = await sql<{ id: number }>`select id from batch_level
    where place_id = ${placeId} and batch = ${batch}`.execute(db)
  return { batch, batchId, placeId, levelId: level.rows[0]?.id ?? 0, codes }
}

const moveIn = (toPlaceId: number, batch: string, quantity: number) =>
  world.services.db.transaction().execute(async (tx) => {
    const suppliers = await outsidePlaces(tx, 'supplier', [merchantId])
    const fromPlaceId = suppliers.get(merchantId) ?? 0
    const fill = { merchantId, movedAt: NOON, productId: product.id, cause: 'fill' as const, reference: 'test' }
    await recordMoves(tx, [{ ...fill, quantity, fromPlaceId, toPlaceId, batch }])
  })

const storyOf = async (code = '') => (await ask<{ found: TraceStory | null }>(findTrace, { code })).found
async function statesOf({ codes }: Stand): Promise<(string | undefined)[]> {
  const stories = await Promise.all(codes.map((code) => storyOf(code)))
  return [...new Set(stories.map((story) => story?.state))]
}

async function pulled({ batchId }: Stand, pieces: number, isDrill = false): Promise<void> {
  const { id } = await ask(addRecall, { batchId, class: 'i', reason: 'notice of the maker', isDrill })
  await ask(startRecall, { id }, 1)
  await spreadRecall(world.services, id)
  const { items } = await ask<{ items: { id: number }[] }>(listRecallTargets, { recallId: id })
  await ask(pullTarget, { id: items[0]?.id, pulled: pieces })
}

const contents = ({ placeId }: Stand, quantity: number) => {
  return { merchantId, placeId, productId: product.id, quantity, reference: 'test', userId: null, at: NOON }
}
const inTransaction = (work: Parameters<ReturnType<World['services']['db']['transaction']>['execute']>[0]) =>
  world.services.db.transaction().execute(work)

const roads: [string, (made: Stand) => Promise<unknown>, string, string][] = [
  ['a recall', (made) => pulled(made, 3), 'withdrawn', 'withdraw'],
  ['a recall that found less', (made) => pulled(made, 2), 'unaccounted', 'lose'],
  ['a drill', (made) => pulled(made, 3, true), 'in_stock', 'load'],
  [
    'scrapping',
    ({ batchId: id, placeId }) => ask(scrapBatch, { id, placeId, quantity: 3, reason: 'wet' }),
    'withdrawn',
    'withdraw',
  ],
  [
    'a write-off',
    ({ levelId }) => ask(writeOffBatches, { ids: [levelId], why: 'expired', note: 'out of date' }),
    'withdrawn',
    'withdraw',
  ],
  [
    'a count',
    (made) => inTransaction((tx) => countContents(tx, [{ ...contents(made, 3), counted: 0 }])),
    'unaccounted',
    'lose',
  ],
  ['a change of plan', (made) => inTransaction((tx) => takeOutContents(tx, [contents(made, 3)])), 'in_stock', 'remove'],
]

test.each(roads)('after %s the codes of a slot are where the packs are', async (_name, take, state, verb) => {
  const made = await stand(3, 3)
  await take(made)
  expect(await statesOf(made)).toEqual([state])
  const story = await storyOf(made.codes[0])
  expect(story?.events.at(-1)?.verb).toBe(verb)
  expect(story?.machineCode).toBe(verb === 'load' ? machine.code : null)
})

test('while some are left nobody says which went; a pack that is scanned settles it', async () => {
  const made = await stand(5, 3)
  const { placeId, batchId: id, codes } = made
  await ask(scrapBatch, { id, placeId, quantity: 4, reason: 'wet' })
  expect(await statesOf(made)).toEqual(['in_stock'])
  await inTransaction((tx) => countContents(tx, [{ ...contents(made, 1), counted: 0 }]))
  expect(await statesOf(made)).toEqual(['unaccounted'])
  const told = await ask<TraceTold>(destroyTraces, { merchantId, codes: codes.slice(0, 2), reason: 'wet' })
  expect(told).toMatchObject({ bound: 2, left: [] })
  expect((await storyOf(codes[0]))?.state).toBe('destroyed')
  expect((await storyOf(codes[2]))?.state).toBe('unaccounted')
})

test('the codes of another batch in the slot stay, and so do all when the move is refused', async () => {
  const made = await stand(2, 2)
  await moveIn(made.placeId, 'OTHER', 2)
  const code = '81234569999999999999'
  await ask(addBatch, { productId: product.id, number: 'OTHER', expiresOn: '2027-08' })
  const at = { machineCode: machine.code, slotCode: machine.slots[0]?.code }
  await ask(registerTraces, { merchantId, productCode: product.code, batch: 'OTHER', codes: [code], ...at })
  const undone = inTransaction(async (tx) => {
    await countContents(tx, [{ ...contents(made, 4), counted: 0 }])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await statesOf(made)).toEqual(['in_stock'])
  await ask(scrapBatch, { id: made.batchId, placeId: made.placeId, quantity: 2, reason: 'wet' })
  expect(await statesOf(made)).toEqual(['withdrawn'])
  expect((await storyOf(code))?.state).toBe('in_stock')
})
