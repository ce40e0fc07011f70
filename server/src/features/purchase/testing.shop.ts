import { addSupplierProduct } from '@aisle/contract/purchase/supplierProduct'
import { addPaper, addSupplier, approveSupplier, submitSupplier } from '@aisle/contract/purchase/supplier'
import { addWarehouse } from '@aisle/contract/stock/warehouse'
import type { Route } from '../../kernel/route'
import { addMerchant, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { stock } from '../stock/manifest'
import { purchase } from './manifest'

export type Shop = Awaited<ReturnType<typeof openShop>>

/** A merchant with people who buy, over HTTP. */
export async function openShop(now: Date, more: readonly Route[] = []) {
  const world: World = await openWorld(now)
  const http: HttpWorld = await openHttp(
    world,
    routesWith(...(purchase.routes ?? []), ...(stock.routes ?? []), ...more),
  )
  const { db } = world.services
  const rootId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: rootId })
  const person = async (more: readonly string[] = []) => {
    const nouns = ['supplier.*', 'warehouse.*', 'purchaseOrder.*', 'goodsReceipt.*', 'supplierPayment.*', ...more]
    const user = await addUser(db, { merchantId, grants: nouns })
    return addSession(db, user.id, now)
  }
  const [buyer, other] = [await person(), await person()]
  type Call = Parameters<HttpWorld['call']>
  const call = async (endpoint: Call[0], input: Call[1], more: { token?: string; key?: string } = {}) => {
    const { status, body } = await http.call(endpoint, input, { token: buyer, ...more })
    return { status, code: body.code, data: (body.data ?? {}) as Record<string, unknown> }
  }
  const idOf = async (...asked: Parameters<typeof call>) => Number((await call(...asked)).data.id)
  let count = 0
  /** Qualified, with all papers in force until a day. */
  const supplier = async (more: { deliversMedicine?: boolean; until?: string } = {}): Promise<number> => {
    const { deliversMedicine = false, until = '2030-01-01' } = more
    count += 1
    const id = await idOf(addSupplier, { merchantId, name: `Wholesale ${count}`, deliversMedicine })
    for (const kind of ['business', 'medicineTrade', 'quality', 'sales'] as const) {
      await call(addPaper, { id, kind, number: `${kind}-1`, validFrom: '2020-01-01', validTo: until })
    }
    await call(submitSupplier, { id })
    await call(approveSupplier, { id }, { token: other })
    return id
  }
  const warehouse = (more: Record<string, unknown> = {}) => {
    count += 1
    return idOf(addWarehouse, { merchantId, name: `Store ${count}`, ...more })
  }
  /** A product that the supplier delivers, in packs of six at ten yuan. */
  const listed = async (supplierId: number, more: Partial<Parameters<typeof addProduct>[1]> = {}) => {
    const { id: productId } = await addProduct(db, { merchantId, ...more })
    const prices = [{ fromOn: '2026-01-01', fromPacks: 1, priceFen: 1000 }]
    const about = { merchantId, supplierId, productId, packUnits: 6, minimumPacks: 2, leadDays: 3, prices }
    return { productId, supplierProductId: await idOf(addSupplierProduct, about) }
  }
  const close = async () => {
    await http.close()
    await world.close()
  }
  return { world, db, merchantId, rootId, buyer, other, person, call, idOf, supplier, warehouse, listed, close }
}
