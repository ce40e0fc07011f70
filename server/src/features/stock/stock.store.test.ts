import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../testing/builders'
import { openWorld, type World } from '../../testing/world'
import { outsidePlaces, recordMoves } from './stock.store'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  merchantId = await addMerchant(world.services.db)
})
afterAll(() => world.close())

const move = { movedAt: NOON, cause: 'purchase' as const, reference: 'test', batch: null }

test('a warehouse gives out in a later statement what it took in, and never more', async () => {
  const { db } = world.services
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

test('after a great many at once a single move still reads no more than its own level', async () => {
  const { db } = world.services
  const { id: productId } = await addProduct(db, { merchantId })
  const made = await sql<{ id: number }>`insert into place (merchant_id, kind)
    select ${merchantId}::bigint, 'warehouse' from generate_series(1, 3000) returning id`.execute(db)
  const readByScans = await db.transaction().execute(async (tx) => {
    const supplier = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const record = (places: readonly { id: number }[]) => {
      const arrival = { ...move, merchantId, productId, quantity: 1, fromPlaceId: supplier }
      return recordMoves(
        tx,
        places.map(({ id }) => ({ ...arrival, toPlaceId: id })),
      )
    }
    const scanned = async () => {
      const found = await sql<{ rows: number }>`select coalesce(sum(seq_tup_read), 0) as rows
        from pg_stat_xact_user_tables where relname in ('stock_level', 'place', 'slot')`.execute(tx)
      return found.rows[0]?.rows ?? Number.NaN
    }
    await record(made.rows)
    await sql`analyze stock_level, place, slot`.execute(tx)
    await record(made.rows)
    const before = await scanned()
    await record(made.rows.slice(0, 1))
    return (await scanned()) - before
  })
  expect(readByScans).toBe(0)
})
