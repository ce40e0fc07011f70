import { callBackTransfer, receiveTransfer, sendTransfer } from '@aisle/contract/stock/transfer'
import { addWarehouse } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../kernel/must'
import { addMerchant, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { randomFrom } from '../../testing/trade'
import { openWorld, type World } from '../../testing/world'
import { type Move, outsidePlaces, recordMoves } from './stock.store'
import { routes as transferRoutes } from './transfer.routes'
import { routes } from './warehouse'

const NOON = new Date('2026-11-20T04:00:00Z')
const STEPS = 120
const seed = Number(process.env.SEED ?? 1)
let world: World
let http: HttpWorld

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...transferRoutes))
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Sum = { pieces: number; fen: number }

test(`what was bought lies somewhere, is on its way or went out, to the piece and the fen (seed ${seed})`, async () => {
  const { db } = world.services
  const below = randomFrom(seed)
  const merchantId = await addMerchant(db)
  const user = await addUser(db, { merchantId, grants: ['warehouse.*'] })
  const token = await addSession(db, user.id, NOON)
  const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
    const { status, body } = await http.call(endpoint, input, { token })
    return { status, data: (body.data ?? {}) as Record<string, unknown> }
  }
  const warehouses: { id: number; placeId: number }[] = []
  for (const name of ['A', 'B', 'C']) {
    const id = Number((await call(addWarehouse, { merchantId, name })).data.id)
    const kept = await sql<{ id: number }>`select place_id as id from warehouse where id = ${id}`.execute(db)
    warehouses.push({ id, placeId: must(kept.rows[0], 'its place').id })
  }
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
  const any = <T>(all: readonly T[]): T => must(all[below(all.length)], 'one of them')
  const move = (each: Pick<Move, 'fromPlaceId' | 'toPlaceId' | 'quantity' | 'cause'> & Partial<Move>) =>
    db.transaction().execute((tx) => {
      const common = { merchantId, movedAt: NOON, productId: any(products).id, reference: 'model', batch: null }
      return recordMoves(tx, [{ ...common, ...each }])
    })
  const outside = (kind: 'supplier' | 'scrap' | 'customer') =>
    db.transaction().execute(async (tx) => must((await outsidePlaces(tx, kind, [merchantId])).get(merchantId), kind))
  const [supplier, scrap, customer] = [await outside('supplier'), await outside('scrap'), await outside('customer')]
  const bought: Sum = { pieces: 0, fen: 0 }
  const onWay: { id: number; quantity: number }[] = []

  /** What lies too low is refused by the books; nothing has moved then. */
  const goOut = (toPlaceId: number, cause: Move['cause']) =>
    move({ fromPlaceId: any(warehouses).placeId, toPlaceId, quantity: 1 + below(6), cause }).catch(
      (error: { code?: string }) => {
        if (error.code !== '23514') throw error
      },
    )
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const [quantity, costFen] = [1 + below(20), below(10_000)]
      const toPlaceId = any(warehouses).placeId
      await move({ fromPlaceId: supplier, toPlaceId, quantity, costFen, cause: 'purchase' })
      bought.pieces += quantity
      bought.fen += costFen
    },
    () => goOut(supplier, 'return'),
    () => goOut(scrap, 'scrap'),
    () => goOut(customer, 'free'),
    async () => {
      const quantity = 1 + below(8)
      const lines = [{ productId: any(products).id, quantity }]
      const sent = await call(sendTransfer, { fromId: any(warehouses).id, toId: any(warehouses).id, lines })
      if (sent.status === 200) onWay.push({ id: Number(sent.data.id), quantity })
    },
    async () => {
      const one = onWay.shift()
      if (!one) return
      const lines = [{ line: 1, arrived: one.quantity - below(2) }]
      await (below(10) < 7 ? call(receiveTransfer, { id: one.id, lines }) : call(callBackTransfer, { id: one.id }))
      // Sent a second time, by another phone, nothing moves again.
      expect((await call(receiveTransfer, { id: one.id, lines })).status).not.toBe(200)
    },
  ]
  for (let step = 0; step < STEPS; step += 1) await any(steps)()

  const { there, moved, gone } = await sumsOf(merchantId)
  expect(moved).toEqual(there)
  expect({ pieces: there.pieces + gone.pieces, fen: there.fen + gone.fen }).toEqual(bought)
  expect(await apartOf(merchantId)).toEqual([])
})

/** What lies in places, what all moves come to, and what has gone out of them. */
async function sumsOf(merchantId: number): Promise<Record<'there' | 'moved' | 'gone', Sum>> {
  const sums = await sql<{ what: string; pieces: number; fen: number }>`
    select 'there' as what, sum(pieces)::int as pieces, sum(value_fen)::bigint as fen from stock_value v
    join place p on p.id = v.place_id where p.merchant_id = ${merchantId}
    union all
    select 'moved', sum(c.quantity)::int, sum(c.cost_fen)::bigint from stock_cost c join place p on p.id = c.place_id
    where p.merchant_id = ${merchantId}
    union all
    select 'gone', -sum(c.quantity)::int, -sum(c.cost_fen)::bigint from stock_cost c
    join place o on o.id = c.other_place_id and not o.holds join place p on p.id = c.place_id
    where p.merchant_id = ${merchantId} and c.quantity < 0`.execute(world.services.db)
  const sumOf = (what: string): Sum => {
    const { pieces, fen } = must(
      sums.rows.find((row) => row.what === what),
      what,
    )
    return { pieces: pieces ?? 0, fen: fen ?? 0 }
  }
  return { there: sumOf('there'), moved: sumOf('moved'), gone: sumOf('gone') }
}

/** Places where the value is of other pieces than lie there. */
async function apartOf(merchantId: number): Promise<unknown[]> {
  const apart = await sql`select v.place_id from stock_value v
    join stock_level l on l.place_id = v.place_id and l.product_id = v.product_id
    join place p on p.id = v.place_id where p.merchant_id = ${merchantId} and l.quantity <> v.pieces`.execute(
    world.services.db,
  )
  return apart.rows
}
