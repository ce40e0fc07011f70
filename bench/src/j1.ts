import { randomUUID } from 'node:crypto'
import { upTopic } from '@aisle/contract/device/topics'
import { decode, type Incoming } from '../../server/src/features/device/link/decode'
import { ingest } from '../../server/src/features/device/link/ingest'
import { type Bench, compared, type Line } from './kit/figure'
import { makeNetwork, type Slot } from './kit/network'
import { listPlans } from './kit/plans'
import { inRotation, timed } from './kit/rounds'
import { BATCH, ingestRate, network, servicesOn } from './kit/sales'

const PLANS = 50
const BATCHES = 4

/** What live plans cost where machines are heard: sales that they settled, and orders that the server prices. */
export async function j1({ cluster, rounds }: Bench): Promise<Line[]> {
  const sides = await Promise.all([side('j1', PLANS), side('j1_plain', 0)])
  const [ours, plain] = sides
  const sales = await inRotation({ anchor: plain.sales, ours: ours.sales }, rounds)
  const asked = await inRotation({ anchor: plain.orders, ours: ours.orders }, rounds)
  for (const { close } of sides) await close()
  const beside = 'without plans'
  const goal = { atLeast: 0.9 }
  return [
    compared({ id: 'J1', what: `sales beside ${PLANS} live plans`, beside, unit: 'orders/s', goal }, sales),
    compared({ id: 'J1', what: `orders priced by ${PLANS} live plans`, beside, unit: 'orders/s', goal: null }, asked),
  ]

  async function side(name: string, plans: number) {
    const fresh = await cluster.fresh(name)
    const services = servicesOn(fresh.pool)
    const slots = await makeNetwork(fresh.pool.db, network)
    if (plans > 0) await listPlans(fresh.pool.db, plans)
    const orders = async () => {
      const batches = Array.from({ length: BATCHES }, () => makeAsks(slots, BATCH))
      const seconds = await timed(async () => {
        for (const batch of batches) await ingest(services, batch)
      })
      return (BATCH * BATCHES) / seconds
    }
    return { sales: () => ingestRate(services, slots), orders, close: () => fresh.close() }
  }
}

let asked = 0

/** Two pieces each, spread over all machines. */
function makeAsks(slots: readonly Slot[], count: number): Incoming[] {
  const at = new Date()
  return Array.from({ length: count }, (_, i) => {
    const slot = slots[(i * 7_919) % slots.length]
    if (!slot) throw new RangeError('no slots to sell from')
    asked += 1
    const times = { occurredAt: at.toISOString(), sentAt: at.toISOString() }
    const envelope = { v: 1, machineId: slot.machine, msgId: randomUUID(), bootId: 'asks', seq: asked, offline: false }
    const items = [{ slot: slot.slot }, { slot: slot.slot === 'A1' ? 'A2' : 'A1' }]
    const data = { orderNo: `Q-${asked}`, method: 'wechat', items }
    const payload = Buffer.from(JSON.stringify({ ...envelope, ...times, type: 'order.request', data }))
    const decoded = decode({ topic: upTopic(slot.machine, 'order.request'), payload, sender: slot.machine }, at)
    if (!decoded.ok) throw new Error(`an order that can't be read: ${decoded.unreadable.detail}`)
    return decoded.message
  })
}
