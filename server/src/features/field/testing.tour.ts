import * as contract from '@aisle/contract/field/replenishmentOrder'
import { getOutboundOrder, loadOutboundOrder, pickOutboundOrder } from '@aisle/contract/stock/outbound'
import { must } from '../../kernel/must'
import type { Store } from '../stock/testing.store'

type Pick = { productId: number; batch: string; quantity: number }

/** Picks all that an order brings, as it is proposed. @returns its outbound order */
export async function pickTour(store: Store, id: number): Promise<number> {
  await done(store, contract.releaseReplenishmentOrder, { id })
  await done(store, contract.loadReplenishmentOrder, { id })
  const { outbound } = (await done(store, contract.getReplenishmentOrder, { id })) as { outbound: { id: number } }
  const { picks } = (await done(store, getOutboundOrder, { id: outbound.id })) as { picks: Pick[] }
  const taken = picks.map(({ productId, batch, quantity }) => ({ productId, batch, quantity }))
  await done(store, pickOutboundOrder, { id: outbound.id, picks: taken })
  return outbound.id
}

/** A tour of these machines that has set out, with all that they need in the bag. */
export async function setOut(store: Store, machineIds: readonly number[]): Promise<number> {
  const { warehouseId, replenisher } = store
  const about = { warehouseId, replenisherId: replenisher.id, machineIds, coverDays: 3 }
  const id = Number(must((await done(store, contract.addReplenishmentOrder, about)).id, 'order'))
  await done(store, loadOutboundOrder, { id: await pickTour(store, id) })
  await done(store, contract.departReplenishmentOrder, { id })
  return id
}

async function done(store: Store, endpoint: Parameters<Store['call']>[0], input: Record<string, unknown>) {
  const { status, code, data } = await store.call(endpoint, input)
  if (status !== 200) throw new Error(`${endpoint.name} was refused: ${String(code)}`)
  return data
}
