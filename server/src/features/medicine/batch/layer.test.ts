import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct } from '../../../testing/builders'
import { openWorld, type World } from '../../../testing/world'
import { type Move, outsidePlaces, recordMoves } from '../../stock/public'
import { queueKey, queuesOf } from './layer.store'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let merchantId: number
let outside: Record<'supplier' | 'customer' | 'scrap', number>

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  merchantId = await addMerchant(db)
  outside = await db.transaction().execute(async (tx) => {
    const placeOf = async (kind: 'supplier' | 'customer' | 'scrap') =>
      (await outsidePlaces(tx, kind, [merchantId])).get(merchantId) ?? 0
    return { supplier: await placeOf('supplier'), customer: await placeOf('customer'), scrap: await placeOf('scrap') }
  })
})
afterAll(() => world.close())

/** An empty slot of a medicine, and what can be done to it; each deed a minute after the one before. */
async function openSlot() {
  const { db } = world.services
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const { slots } = await addMachine(db, { merchantId, products: [product], stock: 0 })
  const placeId = slots[0]?.placeId ?? 0
  let minute = 0
  const moveOf = (cause: Move['cause'], batch: string | null, quantity: number): Move => {
    minute += 1
    const isIn = cause === 'fill' || (cause === 'count' && quantity > 0)
    const other = cause === 'fill' ? outside.supplier : cause === 'vend' ? outside.customer : outside.scrap
    const [fromPlaceId, toPlaceId] = isIn ? [other, placeId] : [placeId, other]
    const movedAt = new Date(NOON.getTime() + minute * 60_000)
    const reference = `test/${minute}`
    const about = { merchantId, movedAt, productId: product.id, cause, batch, reference }
    return { ...about, quantity: Math.abs(quantity), fromPlaceId, toPlaceId }
  }
  const move = (...moves: readonly Move[]) => db.transaction().execute((tx) => recordMoves(tx, moves))
  const stand = async () => {
    const queue = (await queuesOf(db, [placeId])).get(queueKey(placeId, product.id))
    return (queue?.layers ?? []).map(({ batch, quantity }) => `${batch ?? '?'}:${quantity}`).join(' ')
  }
  const isDoubtful = async () =>
    (await sql`select from layer_doubt where place_id = ${placeId}`.execute(db)).rows.length > 0
  return { placeId, productId: product.id, moveOf, move, stand, isDoubtful }
}

test('sales that name no batch take what stands in front: what was filled last is still there', async () => {
  const { placeId, moveOf, move, stand } = await openSlot()
  await move(moveOf('fill', 'GOOD', 7))
  for (let i = 0; i < 7; i += 1) await move(moveOf('vend', null, 1))
  expect(await stand()).toBe('')
  await move(moveOf('fill', 'OLD', 3))
  expect(await stand()).toBe('OLD:3')
  const levels = await sql<{ batch: string; quantity: number }>`select batch, quantity from batch_level
    where place_id = ${placeId} order by batch`.execute(world.services.db)
  expect(levels.rows).toEqual([
    { batch: 'GOOD', quantity: 0 },
    { batch: 'OLD', quantity: 3 },
  ])
})

type Deed = [cause: Move['cause'], batch: string | null, quantity: number]
test.each<[string, Deed[], string, boolean]>([
  [
    'a fill goes behind',
    [
      ['fill', 'A', 2],
      ['fill', 'B', 3],
    ],
    'A:2 B:3',
    false,
  ],
  [
    'more of the last batch joins it',
    [
      ['fill', 'A', 2],
      ['fill', 'A', 3],
    ],
    'A:5',
    false,
  ],
  [
    'a batch may stand in two layers',
    [
      ['fill', 'A', 1],
      ['fill', 'B', 1],
      ['fill', 'A', 1],
    ],
    'A:1 B:1 A:1',
    false,
  ],
  [
    'the front goes first',
    [
      ['fill', 'A', 1],
      ['fill', 'B', 2],
      ['vend', null, 2],
    ],
    'B:1',
    false,
  ],
  [
    'a sale names the front',
    [
      ['fill', 'A', 2],
      ['fill', 'B', 2],
      ['vend', 'A', 1],
    ],
    'A:1 B:2',
    false,
  ],
  [
    'a sale names another',
    [
      ['fill', 'A', 2],
      ['fill', 'B', 2],
      ['vend', 'B', 1],
    ],
    'A:2 B:1',
    true,
  ],
  [
    'a sale names what is not there',
    [
      ['fill', 'A', 2],
      ['vend', 'X', 1],
    ],
    'A:1',
    true,
  ],
  [
    'a sale names what nobody described',
    [
      ['fill', null, 2],
      ['vend', 'X', 1],
    ],
    '?:1',
    false,
  ],
  [
    'a sale before its fill',
    [
      ['vend', null, 1],
      ['fill', 'A', 3],
    ],
    'A:2',
    false,
  ],
  [
    'the same, named',
    [
      ['vend', 'A', 1],
      ['fill', 'A', 3],
    ],
    'A:2',
    false,
  ],
  [
    'more out than in',
    [
      ['fill', 'A', 1],
      ['vend', null, 1],
      ['vend', null, 1],
      ['fill', 'B', 1],
    ],
    '',
    false,
  ],
  [
    'a count finds one too many',
    [
      ['fill', 'A', 1],
      ['count', null, 1],
    ],
    'A:2',
    false,
  ],
  [
    'the same over two layers',
    [
      ['fill', 'A', 1],
      ['fill', 'B', 1],
      ['count', null, 1],
    ],
    'A:2 B:1',
    true,
  ],
  [
    'a count finds too few',
    [
      ['fill', 'A', 1],
      ['fill', 'B', 2],
      ['count', null, -2],
    ],
    'B:1',
    false,
  ],
  [
    'all of a batch is scrapped',
    [
      ['fill', 'A', 1],
      ['fill', 'B', 2],
      ['scrap', 'B', 2],
    ],
    'A:1',
    false,
  ],
])('%s', async (_, deeds, stands, isDoubtful) => {
  const slot = await openSlot()
  for (const deed of deeds) await slot.move(slot.moveOf(...deed))
  expect(await slot.stand()).toBe(stands)
  expect(await slot.isDoubtful()).toBe(isDoubtful)
  const together = await openSlot()
  await together.move(...deeds.map((deed) => together.moveOf(...deed)))
  expect(await together.stand()).toBe(stands)
})

test('a fill that is heard of after a later one leaves the order in doubt', async () => {
  const { moveOf, move, stand, isDoubtful } = await openSlot()
  const early = moveOf('fill', 'A', 1)
  await move(moveOf('fill', 'B', 1))
  await move(early)
  expect(await stand()).toBe('B:1 A:1')
  expect(await isDoubtful()).toBe(true)
})

test('a product that became a medicine later stands there without a batch', async () => {
  const { db } = world.services
  const product = await addProduct(db, { merchantId })
  const { slots } = await addMachine(db, { merchantId, products: [product], stock: 4 })
  await sql`update product set kind = 'medicine', medicine_class = 'otc_b' where id = ${product.id}`.execute(db)
  const placeId = slots[0]?.placeId ?? 0
  const fill = { merchantId, movedAt: NOON, productId: product.id, quantity: 2, cause: 'fill' as const, batch: 'A' }
  await db
    .transaction()
    .execute((tx) =>
      recordMoves(tx, [{ ...fill, fromPlaceId: outside.supplier, toPlaceId: placeId, reference: 'test' }]),
    )
  const queue = (await queuesOf(db, [placeId])).get(queueKey(placeId, product.id))
  expect(queue?.layers.map(({ batch, quantity }) => [batch, quantity])).toEqual([
    [null, 4],
    ['A', 2],
  ])
})
