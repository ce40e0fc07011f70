import { addWarehouse } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { must } from '../../kernel/must'
import type { Route } from '../../kernel/route'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { stock } from './manifest'
import { outsidePlaces, recordMoves } from './stock.store'

export type Store = Awaited<ReturnType<typeof openStore>>
type Bought = { productId: number; quantity: number; costFen?: number; batch?: string }

/** A merchant with a warehouse, who keeps it and who carries goods, over HTTP. */
export async function openStore(now: Date, more: { grants?: readonly string[]; routes?: readonly Route[] } = {}) {
  const grants = ['warehouse.*', 'outboundOrder.*', ...(more.grants ?? [])]
  const world: World = await openWorld(now)
  const http: HttpWorld = await openHttp(world, routesWith(...(stock.routes ?? []), ...(more.routes ?? [])))
  const { db } = world.services
  const rootId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: rootId })
  const keeper = await addUser(db, { merchantId, grants })
  const replenisher = await addUser(db, { merchantId })
  const token = await addSession(db, keeper.id, now)
  type Call = Parameters<HttpWorld['call']>
  const call = async (endpoint: Call[0], input: Call[1], more: { token?: string; key?: string } = {}) => {
    const { status, body } = await http.call(endpoint, input, { token, ...more })
    return { status, code: body.code, data: (body.data ?? {}) as Record<string, unknown> }
  }
  const warehouseId = Number((await call(addWarehouse, { merchantId, name: 'North' })).data.id)
  const placeOf = async (table: 'warehouse' | 'bag', id: number) => {
    const found = await sql<{ id: number }>`select place_id as id from ${sql.table(table)} where id = ${id}`.execute(db)
    return must(found.rows[0], 'its place').id
  }
  const placeId = await placeOf('warehouse', warehouseId)
  const buy = ({ productId, quantity, costFen = 100, batch }: Bought) =>
    db.transaction().execute(async (tx) => {
      const fromPlaceId = must((await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId), 'suppliers')
      const common = { merchantId, movedAt: now, cause: 'purchase', reference: 'test', batch: batch ?? null } as const
      await recordMoves(tx, [{ ...common, productId, quantity, costFen, fromPlaceId, toPlaceId: placeId }])
    })
  /** Known to the medicine desk, which says until when it is good. */
  const knowBatch = (productId: number, number: string, about: { expiresOn: string; state?: string }) =>
    sql`insert into medicine_batch (product_id, number, expires_on, state, changed_at)
      values (${productId}, ${number}, ${about.expiresOn}, ${about.state ?? 'available'}, ${now})
      on conflict (product_id, number) do update set state = excluded.state, expires_on = excluded.expires_on`.execute(
      db,
    )
  const close = async () => {
    await http.close()
    await world.close()
  }
  const people = { keeper, replenisher, token }
  return { world, http, db, rootId, merchantId, ...people, call, warehouseId, placeId, placeOf, buy, knowBatch, close }
}
