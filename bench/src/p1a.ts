import { orderNoOf } from '../../server/src/features/trade/trade.types'
import type { Incoming } from '../../server/src/features/device/link/decode'
import { copyIn } from './kit/copy'
import { type Bench, compared, type Line } from './kit/figure'
import { makeNetwork, type Slot } from './kit/network'
import { inRotation, timed } from './kit/rounds'
import { ingestRate, makeSales, network, ROUND, servicesOn } from './kit/sales'

/** Machines' sales, in batches as the gateway makes them, beside `copy` of nothing but their order rows. */
export async function p1a({ cluster, rounds }: Bench): Promise<Line[]> {
  const ours = await cluster.fresh('p1a')
  const limit = await cluster.fresh('p1a_limit')
  const services = servicesOn(ours.pool)
  const slots = await makeNetwork(ours.pool.db, network)
  const client = await limit.connect()
  const copyRate = async () => {
    const text = rowsOf(makeSales(slots, ROUND), slots)
    return ROUND / (await timed(() => copyIn(client, copyOrders, text)))
  }
  const measured = await inRotation({ anchor: copyRate, ours: () => ingestRate(services, slots) }, rounds)
  await client.end()
  await ours.close()
  await limit.close()
  const what = 'sales, batches of 1,000'
  return [compared({ id: 'P1a', what, beside: 'COPY', unit: 'orders/s', goal: { atLeast: 0.35 } }, measured)]
}

const copyOrders = `copy orders (id, order_no, machine_order_no, merchant_id, machine_id, point_id,
  business_type, method, payment_state, ship_state, order_state, is_offline, item_count, total_fen, discount_fen,
  paid_fen, occurred_at, received_at, business_day, paid_at, finished_at) from stdin`

let nextId = 0

/** The rows that `ingest` would write for these sales, in COPY's text form. */
function rowsOf(sales: readonly Incoming[], slots: readonly Slot[]): Buffer {
  const ids = new Map(slots.map((slot) => [slot.machine, slot]))
  const lines = sales.map(({ machineCode, envelope, data, receivedAt }) => {
    nextId += 1
    const { orderNo, method } = data as { orderNo: string; method: string }
    const { machineId, merchantId } = ids.get(machineCode) ?? { machineId: 0, merchantId: 0 }
    const at = envelope.occurredAt
    const states = [method, 'paid', 'completed', 'done', 'f', 1, 500, 0, 500]
    const times = [at, receivedAt.toISOString(), at.slice(0, 10), at, at]
    const keys = [nextId, orderNoOf(machineCode, orderNo), orderNo, merchantId, machineId, 1, 'sale']
    return `${[...keys, ...states, ...times].join('\t')}\n`
  })
  return Buffer.from(lines.join(''))
}
