import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../testing/builders'
import { openWorld, type World } from '../../testing/world'
import { outsidePlaces, recordMoves } from './stock.store'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World

beforeAll(async () => {
  world = await openWorld(NOON)
})
afterAll(() => world.close())

const move = { movedAt: NOON, cause: 'purchase' as const, reference: 'test', batch: null }

test('a warehouse gives out in a later statement what it took in, and never more', async () => {
  const { db } = world.services
  const merchantId = await addMerchant(db)
  const { id: productId } = await addProduct(db, { merchantId })
  const made = await sql<{ id: number }>`insert into place (merchant_id, kind) values (${merchantId}, 'warehouse')
    returning id`.execute(db)
  const warehouse = made.rows[0]?.id ?? 0
  const places = await db.transaction().execute(async (tx) => ({
    supplier: (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0,
    customer: (await outsidePlaces(tx, 'customer', [merchantId])).get(merchantId) ?? 0,
  }))
  const record = (quantity: number, fromPlaceId: number, toPlaceId: number) =>
    db
      .transaction()
      .execute((tx) => recordMoves(tx, [{ ...move, merchantId, productId, quantity, fromPlaceId, toPlaceId }]))
  await record(5, places.supplier, warehouse)
  await record(5, warehouse, places.customer)
  await expect(record(1, warehouse, places.customer)).rejects.toMatchObject({ code: '23514', table: 'stock_level' })
})
